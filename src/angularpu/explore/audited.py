"""An audit's rows on a page: which they are, what was answered, and the sheet to be given back."""

import csv
import io
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from angularpu.audit.answers import FEWEST, NO, WORDS, YES, Answers, answer
from angularpu.audit.draw import Audit
from angularpu.audit.file import read_said
from angularpu.data.io.sheet import SEPARATORS
from angularpu.errors import DataError
from angularpu.explore.ranking import Ranking
from angularpu.methods.fitted import Fitted

CLOSE = 1e-3


@dataclass(frozen=True, eq=False)
class Sheet:
    """An audit that is being answered.

    Attributes
    ----------
    path : Path
    audit : Audit
    said : list of str
        What stands in the column ``answer`` of each drawn row, in the audit's order.
    """

    path: Path
    audit: Audit
    said: list[str]

    @property
    def answers(self) -> Answers | None:
        """The answers, if there are enough to estimate anything."""
        known = sum(WORDS.get(word.strip().lower()) in (YES, NO) for word in self.said)
        return answer(self.audit, self.said) if known >= FEWEST else None

    def to_json(self, ranking: Ranking) -> dict[str, Any]:
        """Return the places of the drawn rows, in the audit's order, and the sheet as it was read."""
        place = np.full(len(ranking.score), -1)
        place[ranking.rows] = np.arange(len(ranking.rows))
        header, lines = _read_cells(self.path)
        return {
            "name": self.path.name,
            "places": place[self.audit.number - 1].tolist(),
            "header": header,
            "lines": lines,
            "rows": self.audit.number.tolist(),
        }


def open_sheet(path: Path, fitted: Fitted) -> Sheet:
    """Read an audit, refusing that of another model."""
    audit, said = read_said(path)
    if audit.model != fitted.held.fingerprint():
        raise DataError(
            f"{path} was drawn with another model, so its rows had other chances; pass the model that it was drawn with"
        )
    return Sheet(path, audit, said)


def check_sheet(sheet: Sheet, ranking: Ranking, *, data: Path) -> None:
    """Refuse data in which the drawn rows have other scores than when they were drawn."""
    found = ranking.score[sheet.audit.number - 1]
    off = np.flatnonzero(~np.isclose(found, sheet.audit.score, rtol=CLOSE, atol=CLOSE))
    if len(off):
        raise DataError(
            f"row {sheet.audit.number[off[0]]} of {data} has another score than when {sheet.path} was drawn; pass the "
            "data that it was drawn from"
        )


def _read_cells(path: Path) -> tuple[list[str], list[list[str]]]:
    """Return the names and the cells of a sheet as they are, to be written again."""
    text = path.read_bytes().decode("utf-8-sig", errors="replace")
    separator = max(SEPARATORS, key=text.partition("\n")[0].count)
    header, *lines = [line for line in csv.reader(io.StringIO(text, newline=""), delimiter=separator) if line]
    return header, [(line + [""] * len(header))[: len(header)] for line in lines]
