"""Which columns moved a row's score most, against a typical row of the heap."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from angularpu.data.rows import rows_within, spans
from angularpu.errors import ModelError, SettingError
from angularpu.methods.fitted import Fitted

CELLS = 1 << 23  # numbers scored at a time


@dataclass(frozen=True, eq=False)
class Columns:
    """The columns of a model as its user knows them.

    Attributes
    ----------
    names : tuple of str
    places : tuple of int64 arrays
        For each the prepared columns that were made of it.
    """

    names: tuple[str, ...]
    places: tuple[NDArray[np.int64], ...]


def list_columns(fitted: Fitted) -> Columns:
    """Return the columns of a model, refusing one whose rows have none: images and sparse rows."""
    of = getattr(fitted.preparation, "out_names", None)
    if of is None:
        raise SettingError("the model was fitted on images or sparse rows; only tables have columns to speak of")
    names = tuple(dict.fromkeys(of))
    return Columns(names, tuple(np.flatnonzero(np.asarray(of, dtype=object) == name) for name in names))


class Explainer:
    """Compares the score of a row with its scores when one column at a time is that of a typical unlabelled row.

    Parameters
    ----------
    fitted : Fitted
    count : int
        How many columns are named for each row, at most as many as there are.
    """

    def __init__(self, fitted: Fitted, count: int) -> None:
        self.columns = list_columns(fitted)
        if not 1 <= count <= len(self.columns.names):
            raise SettingError(
                f"--explain must lie between 1 and {len(self.columns.names)}, its columns, got {count}; take fewer"
            )
        if fitted.remembered.typical is None:
            raise ModelError("the model is of a version that kept no typical row to compare with; fit it again")
        self._fitted, self._count, self._typical = fitted, count, fitted.remembered.typical

    @property
    def headings(self) -> list[str]:
        """The names of the columns that are added."""
        return [f"{name}_{number}" for number in range(1, self._count + 1) for name in ("column", "effect")]

    def explain(self, prepared: Any) -> dict[str, Any]:
        """Return the names and effects of the columns that moved each row most, by heading.

        An effect is the score less the score with that one column typical: above 0, the column speaks for a positive.
        """
        effects = np.empty((len(prepared), len(self.columns.names)), np.float32)
        for span in spans(len(prepared), rows_within(CELLS, prepared.shape[1:])):
            block = np.array(prepared[span])
            score = self._fitted.scorer.score(block)
            for number, places in enumerate(self.columns.places):
                own = block[:, places]
                block[:, places] = self._typical[places]
                effects[span, number] = score - self._fitted.scorer.score(block)
                block[:, places] = own
        greatest = np.argsort(-abs(effects), axis=1, kind="stable")[:, : self._count]
        names = pa.array(self.columns.names, pa.string())
        added: dict[str, Any] = {}
        for number, places in enumerate(greatest.T, 1):
            added[f"column_{number}"] = names.take(pa.array(places))
            added[f"effect_{number}"] = np.take_along_axis(effects, places[:, None], axis=1)[:, 0]
        return added
