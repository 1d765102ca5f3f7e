"""Mean, spread and range of columns, gathered chunk by chunk in float64."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from angularpu.data.rows import rows_within

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Moments:
    """What is known of d columns after some rows; missing values (NaN) are counted and left out.

    Attributes
    ----------
    count, missing : (d,) int64
        How many values were there, and how many were not.
    mean, std : (d,) float64
        Mean and standard deviation (divisor n); 0 where there were no values.
    low, high : (d,) float64
        Smallest and largest value; infinite with the wrong sign where there were none.
    """

    count: NDArray[np.int64]
    missing: NDArray[np.int64]
    mean: Floats
    std: Floats
    low: Floats
    high: Floats

    def merge(self, other: "Moments") -> "Moments":
        """Return the moments of both sets of rows together.

        With shares p and q of the rows, std^2 = p std_a^2 + q std_b^2 + p q (mean_a - mean_b)^2, taken as the length
        of a vector (hypot), so that squares of huge or tiny values neither overflow nor vanish.
        """
        count = self.count + other.count
        p = self.count / np.maximum(count, 1)
        q = other.count / np.maximum(count, 1)
        between = np.sqrt(p * q)
        return Moments(
            count=count,
            missing=self.missing + other.missing,
            mean=p * self.mean + q * other.mean,
            std=np.hypot(
                np.hypot(np.sqrt(p) * self.std, np.sqrt(q) * other.std), between * self.mean - between * other.mean
            ),
            low=np.minimum(self.low, other.low),
            high=np.maximum(self.high, other.high),
        )


def rows_at_a_time(columns: int) -> int:
    """Return how many rows are measured together: one number for arrays and frames, or their last digits would differ.

    >>> rows_at_a_time(4), rows_at_a_time(1280)
    (65536, 819)
    """
    return min(65_536, rows_within(1 << 20, (columns,)))


def measure(block: NDArray[Any]) -> Moments:
    """Measure the columns of one block of finite or missing values.

    Parameters
    ----------
    block : (n, d) array of any real dtype

    Examples
    --------
    >>> found = measure(np.array([[1.0, 5.0], [3.0, np.nan]]))
    >>> found.mean.tolist(), found.std.tolist(), found.missing.tolist()
    ([2.0, 5.0], [1.0, 0.0], [0, 1])
    """
    values = np.array(block, np.float64, order="C")  # sums are rounded in the order of memory
    absent = np.isnan(values)
    missing = absent.sum(axis=0)
    count = len(values) - missing
    present: Any = ~absent if missing.any() else True
    low = values.min(axis=0, where=present, initial=np.inf)
    high = values.max(axis=0, where=present, initial=-np.inf)
    exponent = _exponent(np.maximum(np.abs(low), np.abs(high)))
    if exponent.any():
        np.ldexp(values, -exponent, out=values)
    mean = values.sum(axis=0, where=present) / np.maximum(count, 1)
    values -= mean
    np.copyto(values, 0.0, where=absent)
    std = np.sqrt(np.einsum("ij,ij->j", values, values) / np.maximum(count, 1))
    return Moments(count, missing, np.ldexp(mean, exponent), np.ldexp(std, exponent), low, high)


def _exponent(peak: Floats) -> NDArray[np.intc]:
    """Return the power of two to divide a column by before its squares are summed: 0 unless they would overflow."""
    exponent = np.frexp(peak)[1]
    return np.where(np.isfinite(peak) & (np.abs(exponent) > 400), exponent, 0).astype(np.intc)
