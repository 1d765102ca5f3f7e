"""Whatever goes wrong over a model's files, said in one sentence."""

import contextlib
from collections.abc import Iterator

from safetensors import SafetensorError

from angularpu.errors import ModelError

LONGEST = 300
# What numbers and options that no fit has written may end in, somewhere below.
MISHAPS = (SafetensorError, ArithmeticError, LookupError, TypeError, ValueError, RuntimeError, AttributeError)


@contextlib.contextmanager
def explaining(what: str) -> Iterator[None]:
    """Turn a failure into a ModelError that begins with ``what``.

    >>> with explaining("my.model cannot be read as a model"):
    ...     raise KeyError("mean")
    Traceback (most recent call last):
    angularpu.errors.ModelError: my.model cannot be read as a model: 'mean'; copy or fit it again
    """
    try:
        yield
    except MISHAPS as error:
        reason = " ".join(str(error).split())[:LONGEST]
        advice = "" if ";" in reason else "; copy or fit it again"
        raise ModelError(f"{what}: {reason}{advice}") from error
