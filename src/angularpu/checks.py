"""Checks of options, each with the sentence its user needs."""

import difflib
import math
import types
from collections.abc import Iterable, Sequence
from numbers import Integral, Real
from typing import Any, Literal, Union, get_args, get_origin

from angularpu.errors import SettingError, quote

LARGEST = 2**31 - 1  # what counts rows or columns and is larger would only overflow


def check_range(
    name: str,
    value: Any,
    *,
    low: float = -math.inf,
    high: float = math.inf,
    open_low: bool = False,
    words: Sequence[str] = (),
) -> float:
    """Return ``value`` as a float if it is a finite number in [low, high], or (low, high] with ``open_low``.

    ``words`` are what the option takes instead of a number: the caller has looked for them, the message names them.

    >>> check_range("kappa", 3, low=0, open_low=True)
    3.0
    >>> check_range("margin", "learned", low=-1, high=1, words=("learnable", "softplus"))
    Traceback (most recent call last):
    angularpu.errors.SettingError: margin must be 'learnable', 'softplus' or a number at least -1 and at most 1, got
    'learned'
    """
    number = float(value) if isinstance(value, Real) and not isinstance(value, bool) else math.nan
    inside = low < number <= high if open_low else low <= number <= high
    if not (inside and math.isfinite(number)):
        instead = f"{', '.join(map(repr, words))} or " if words else ""
        allowed = _describe_range(low, high, open_low=open_low)
        raise SettingError(f"{name} must be {instead}{allowed}, got {quote(value)}")
    return number


def check_whole(name: str, value: Any, *, low: int) -> int:
    """Return ``value`` as an int if it is a whole number of at least ``low``.

    >>> check_whole("epochs", 5, low=1)
    5
    >>> check_whole("epochs", 2.5, low=1)
    Traceback (most recent call last):
    angularpu.errors.SettingError: epochs must be a whole number of at least 1, got 2.5
    """
    if not isinstance(value, Integral) or isinstance(value, bool) or value < low:
        raise SettingError(f"{name} must be a whole number of at least {low}, got {quote(value)}")
    if int(value) > LARGEST:
        raise SettingError(f"{name} must be at most {LARGEST}, got {quote(value)}")
    return int(value)


def check_share(name: str, value: Any, *, advice: str = "") -> float:
    """Return ``value`` as a float if it is a number in (0, 1), as a share of positives must be.

    ``advice`` is what to do instead; it ends the message.

    >>> check_share("prior", 0.4)
    0.4
    >>> check_share("prior", 1, advice="pass prior='bbe' to estimate it")
    Traceback (most recent call last):
    angularpu.errors.SettingError: prior must lie in (0, 1), got 1; pass prior='bbe' to estimate it
    >>> check_share("prior", 30)
    Traceback (most recent call last):
    angularpu.errors.SettingError: prior must lie in (0, 1), got 30; write 0.30 for 30 %
    """
    number = float(value) if isinstance(value, Real) and not isinstance(value, bool) else math.nan
    if not 0 < number < 1:
        meant = f"write {number / 100:.2f} for {number:g} %" if 1 < number < 100 else ""
        advised = " or ".join(filter(None, (meant, advice)))
        raise SettingError(f"{name} must lie in (0, 1), got {quote(value)}{advised and f'; {advised}'}")
    return number


def check_choice(name: str, value: Any, allowed: Sequence[Any]) -> Any:
    """Return ``value`` if it is one of the allowed ones.

    >>> check_choice("logit", "cosine", ("cosine", "margin"))
    'cosine'
    """
    if value not in allowed:
        raise SettingError(f"{name} must be one of {', '.join(map(repr, allowed))}, got {quote(value)}")
    return value


def fits(value: Any, hint: Any) -> bool:
    """Tell whether a value that was read from text is of the kind that a type hint asks for.

    A whole number serves as a number, true and false do not, and a list serves as a tuple.

    >>> fits(3, float), fits(True, int), fits("last", Literal["last"] | None), fits(["a"], tuple[str, ...])
    (True, False, True, True)
    """
    origin, parts = get_origin(hint), get_args(hint)
    if hint is Any:
        return True
    if origin in {Union, types.UnionType}:
        return any(fits(value, part) for part in parts)
    if origin is Literal:
        return value in parts
    if origin is tuple:
        return isinstance(value, list) and all(fits(part, parts[0]) for part in value)
    if origin is not None:  # a mapping
        return isinstance(value, dict) and all(fits(part, parts[1]) for part in value.values())
    if hint is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    return isinstance(value, hint) and not (hint is int and isinstance(value, bool))


def suggest(word: object, known: Iterable[str]) -> str:
    """Say which of the known words was probably meant, or list them all where none is near.

    >>> suggest("nnpv", ["nnpu", "vpu"]), suggest("vgg11", ["vgg16", "vgg11_bn"]), suggest("foo", ["nnpu", "vpu"])
    ("did you mean 'nnpu'?", "did you mean 'vgg11_bn'?", 'known are nnpu, vpu')
    """
    names = list(known)
    return suggest_near(word, names) or f"known are {', '.join(names)}"


def suggest_near(word: object, known: Iterable[str]) -> str:
    """Say which of the known words was probably meant; an empty text where none is near.

    >>> suggest_near("Labels", ["key", "label"]), suggest_near("foo", ["key", "label"])
    ("did you mean 'label'?", '')
    """
    words, wanted = {each.lower(): each for each in known}, str(word).lower()
    begun = [each for each in words if wanted and each.startswith(wanted)]
    near = begun or difflib.get_close_matches(wanted, words, n=1)
    return f"did you mean {quote(words[near[0]])}?" if near else ""


def _describe_range(low: float, high: float, *, open_low: bool) -> str:
    bounds = [f"{'above' if open_low else 'at least'} {low:g}"] if low > -math.inf else []
    bounds += [f"at most {high:g}"] if high < math.inf else []
    return f"a number {' and '.join(bounds)}" if bounds else "a finite number"
