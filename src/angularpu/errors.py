"""What the package raises when the fault lies in what it was given.

Every message names what came, what is allowed and what to do next, in one sentence: the command line prints it as it
stands. What it quotes may come from a file, so control characters are escaped, and it is cut to a screen's length.
"""

import itertools
import unicodedata
from collections.abc import Collection

LONGEST_MESSAGE = 700
LONGEST_NAME = 60
SHOWN = 8


class AngularPUError(Exception):
    """Something the caller can mend; the command line ends with exit code 2."""

    def __init__(self, message: str = "") -> None:
        super().__init__(cut(escape(" ".join(message.split())), LONGEST_MESSAGE))


class DataError(AngularPUError, ValueError):
    """Rows, labels or columns that cannot be used."""


class SettingError(AngularPUError, ValueError):
    """An option, a rule or a preset that makes no sense."""


class BoundError(SettingError):
    """A precision was asked for that positives and unlabelled rows alone cannot promise."""


class ModelError(AngularPUError, RuntimeError):
    """A model or checkpoint directory that is missing, damaged or of another run."""


class RankError(AngularPUError):
    """Processes that should train one network together disagree, or one of them is gone."""


class EngineError(AngularPUError):
    """Processes or machines that cannot be reached, or were lost."""


class BusyError(AngularPUError, RuntimeError):
    """Another process is at work in the same place."""


def escape(text: str) -> str:
    r"""Return text that no terminal obeys: control characters and the like as Python writes them.

    >>> escape("red \x1b[31m, reversed \u202e, half a pair \udc80")
    'red \\x1b[31m, reversed \\u202e, half a pair \\udc80'
    """
    if text.isprintable():
        return text
    return "".join(
        each if each.isprintable() or unicodedata.category(each) == "Zs" else repr(each)[1:-1] for each in text
    )


def cut(text: str, longest: int) -> str:
    """Leave out the middle of a text that is too long.

    >>> cut("abcdefghijklmnop", 11)
    'abcd ... op'
    """
    if len(text) <= longest:
        return text
    end = (longest - 5) // 3
    return f"{text[: longest - 5 - end]} ... {text[-end:]}"


def quote(value: object) -> str:
    r"""Return a user's word as a message shows it: in quotes, escaped, without the middle of a long one.

    >>> quote("a\tb"), quote(7), len(quote("x" * 10_000))
    ("'a\\tb'", '7', 60)
    """
    return cut(repr(value), LONGEST_NAME)


def list_names(names: Collection[object], *, shown: int = SHOWN) -> str:
    """Return names as a message lists them: quoted, and only the first ones of many.

    >>> list_names(["a", "b"]), list_names(range(100), shown=3)
    ("'a', 'b'", '0, 1, 2 and 97 more')
    """
    more = len(names) - shown
    return ", ".join(map(quote, itertools.islice(names, shown))) + (f" and {more} more" if more > 0 else "")


class LabellingWarning(UserWarning):
    """The labels seem to be reversed, or no random draw of the positives, on which the estimates rest."""


class BoundWarning(UserWarning):
    """A fit took another rule than the one asked for, which promised what the data cannot."""
