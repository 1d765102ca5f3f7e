"""What people said about the rows of an audit: true classes of drawn rows, and of no others."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from angularpu.audit.draw import Audit
from angularpu.errors import DataError, quote

YES: Final = 1
NO: Final = 0
UNSURE: Final = -1
BLANK: Final = -2

WORDS = {
    **dict.fromkeys(("yes", "y", "1", "true"), YES),
    **dict.fromkeys(("no", "n", "0", "false"), NO),
    **dict.fromkeys(("unsure", "?"), UNSURE),
    **dict.fromkeys(("", "none", "nan"), BLANK),
}
FEWEST = 10  # answers with which anything is estimated


@dataclass(frozen=True, eq=False)
class Answers:
    """The answers to an audit, in the order of its rows.

    They are true classes, so they have a type of their own: no sample, and nothing that trains, takes them.

    Parameters
    ----------
    audit : Audit
        Which rows were drawn, and how.
    y : int8 array of shape (n,)
        1 yes, 0 no, -1 unsure, -2 blank.
    """

    audit: Audit
    y: NDArray[np.int8]

    def __post_init__(self) -> None:
        if self.count(YES) + self.count(NO) < FEWEST:
            raise DataError(
                f"{self.count(YES) + self.count(NO)} of {len(self.y)} rows are answered yes or no; answer at least "
                f"{FEWEST}, better all of them"
            )

    def count(self, answer: int) -> int:
        """Return how many rows have this answer."""
        return int(np.count_nonzero(self.y == answer))


def answer(audit: Audit, said: Sequence[Any]) -> Answers:
    """Take answers as people write them: yes, no, y, n, 1, 0, true, false, unsure, or nothing, in any case.

    Parameters
    ----------
    audit : Audit
    said : sequence
        One answer for each of ``audit.row``, in its order: words, bools, 1 and 0, or None.
    """
    if len(said) != len(audit.row):
        raise DataError(
            f"the audit drew {len(audit.row)} rows, got {len(said)} answers; give one for each, None for none"
        )
    numbers = audit.number.tolist()
    return Answers(audit, np.array([read_answer(*each) for each in zip(said, numbers, strict=True)], np.int8))


def read_answer(said: Any, row: int) -> int:
    """Return an answer as a number, or refuse a word that is none.

    >>> [read_answer(said, 1) for said in (" Yes", "FALSE", "1.0", "Unsure", None, True)]
    [1, 0, 1, -1, -2, 1]
    """
    word = str("" if said is None else said).strip().lower()
    word = word.removesuffix(".0").removesuffix(",0")
    if word not in WORDS:
        raise DataError(f"the answer of row {row} is {quote(said)}; write yes, no or unsure, or leave it blank")
    return WORDS[word]
