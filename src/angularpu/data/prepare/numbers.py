"""Number columns made ready for a network: standardised, missing values filled, constants left out."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from angularpu.data.prepare.moments import Moments
from angularpu.errors import DataError

# No row of the fitted data can lie farther out, unless there are 10^12 of them; what lies farther would only
# overflow inside the network.
FARTHEST = 1e6


@dataclass(frozen=True)
class Numbers:
    """How each number column is standardised: (x - mean) / std, and an indicator where values were missing.

    Attributes
    ----------
    kept : (k,) int64
        The positions of the columns that are standardised: those that are not constant.
    mean, std : (k,) float64
        Their mean and standard deviation.
    flagged : (m,) int64
        The positions of the columns in which values were missing: each adds a column that is 1 where they are.
    """

    kept: NDArray[np.int64]
    mean: NDArray[np.float64]
    std: NDArray[np.float64]
    flagged: NDArray[np.int64]

    @property
    def width(self) -> int:
        """How many columns come out."""
        return len(self.kept) + len(self.flagged)

    def fill(
        self, block: NDArray[Any], out: NDArray[np.float32], *, describe: Callable[[int], str], first_row: int
    ) -> None:
        """Standardise a small block into ``out``; what is missing becomes 0, the mean.

        Parameters
        ----------
        block : (n, columns) array of any real dtype
        out : (n, width) float32 array
            Where the result goes: standardised columns first, then the indicators.
        describe : function of a column's position
            Names the column in messages.
        first_row : int
            The number of the block's first row, for messages.

        Raises
        ------
        DataError
            When a value is infinite.
        """
        values = block if len(self.kept) == block.shape[1] else block[:, self.kept]
        result = out[:, : len(self.kept)]
        standardise(values, self.mean, self.std, out=result)
        if block.dtype.kind == "f":
            np.isnan(block[:, self.flagged], out=out[:, len(self.kept) :])
        else:
            out[:, len(self.kept) :] = 0
        if not lies_within(result, FARTHEST):
            refuse_infinity(values, describe=lambda i: describe(int(self.kept[i])), first_row=first_row)
            self._mend(values, result)

    def state(self) -> dict[str, NDArray[Any]]:
        """Return what was fitted, by name."""
        return {"kept": self.kept, "mean": self.mean, "std": self.std, "flagged": self.flagged}

    @classmethod
    def restore(cls, tensors: dict[str, NDArray[Any]]) -> "Numbers":
        """Make Numbers of what ``state`` returned."""
        return cls(tensors["kept"], tensors["mean"], tensors["std"], tensors["flagged"])

    def _mend(self, values: NDArray[Any], result: NDArray[np.float32]) -> None:
        """Do again, with care, only the cells that are missing or far out: no row may change what another becomes."""
        row, column = np.nonzero(~(np.abs(result) < FARTHEST))
        cells = values[row, column].astype(np.float64)
        with np.errstate(over="ignore"):
            # Halves, because the distance of two values of opposite sign may exceed what float64 holds.
            distance = (cells / 2 - self.mean[column] / 2) / self.std[column] * 2
        result[row, column] = np.where(np.isnan(cells), 0, np.clip(distance, -FARTHEST, FARTHEST))


def standardise(
    values: NDArray[Any], mean: NDArray[np.float64], std: NDArray[np.float64], *, out: NDArray[np.float32]
) -> None:
    """Write (values - mean) / std into ``out``, computed in float64 whatever dtype the values have.

    So equal values become equal bytes, be they float32, float64, integers or a frame's columns.

    >>> out = np.empty((2, 1), np.float32)
    >>> standardise(np.array([[1.0], [3.0]]), np.array([2.0]), np.array([0.5]), out=out)
    >>> out.tolist()
    [[-2.0], [2.0]]
    """
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        centred = np.subtract(values, mean, dtype=np.float64)
        np.divide(centred, std, out=out, casting="same_kind")


def choose_numbers(moments: Moments) -> Numbers:
    """Decide from their moments which columns are standardised and which get an indicator of missing values.

    >>> from angularpu.data.prepare.moments import measure
    >>> chosen = choose_numbers(measure(np.array([[1.0, 7.0, 7.0], [3.0, np.nan, 7.0]])))
    >>> chosen.kept.tolist(), chosen.flagged.tolist()
    ([0], [1])
    """
    kept = np.flatnonzero(_varies(moments))
    flagged = np.flatnonzero((moments.missing > 0) & (moments.count > 0))
    return Numbers(kept, moments.mean[kept], moments.std[kept], flagged)


def describe_dropped(moments: Moments, names: list[str]) -> list[str]:
    """Say in a user's words which number columns carry nothing and were left out, wholly or but for an indicator."""
    constant = ~_varies(moments)
    empty = moments.count == 0
    groups = (
        (empty, "left out: no values at all"),
        (constant & ~empty & (moments.missing == 0), "left out: every value is the same"),
        (
            constant & ~empty & (moments.missing > 0),
            "used only for whether it is missing: every other value is the same",
        ),
    )
    return [
        f"{_list_names([names[i] for i in np.flatnonzero(group)])} {reason}" for group, reason in groups if group.any()
    ]


def refuse_infinity(block: NDArray[Any], *, describe: Callable[[int], str], first_row: int) -> None:
    """Raise when a value is infinite, naming its column and row."""
    if block.dtype.kind != "f" or lies_within(block, np.inf):
        return
    found = np.argwhere(np.isinf(block))
    if len(found):
        row, column = found[0].tolist()
        raise DataError(
            f"{describe(column)}, row {first_row + row} (the first is 0): the value is infinite; "
            "replace it, or leave it empty"
        )


def lies_within(values: NDArray[Any], limit: float) -> bool:
    """Say whether all values lie strictly between -limit and limit; False when one is NaN.

    >>> lies_within(np.array([1.0, -2.0]), 3.0), lies_within(np.array([1.0, np.nan]), 3.0)
    (True, False)
    """
    return values.size == 0 or bool(values.max() < limit and values.min() > -limit)


def _varies(moments: Moments) -> NDArray[np.bool_]:
    # The spread is asked too: that of neighbouring subnormal numbers may round to 0.
    return (moments.low < moments.high) & (moments.std > 0)


def _list_names(names: list[str]) -> str:
    shown = ", ".join(names[:5])
    return shown if len(names) <= 5 else f"{shown} and {len(names) - 5} other columns"
