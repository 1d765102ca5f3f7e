"""The share of positives that published metrics imply."""

import math

from angularpu.errors import SettingError


def implied_prior(*, accuracy: float, precision: float, recall: float) -> float:
    """Find the share of positives in the test set on which three reported metrics were measured.

    pi = (1 - accuracy)/((1 - R) + R (1 - P)/P). A value far from the data set's prior is a sign of swapped classes,
    shifted columns or another test set.

    Parameters
    ----------
    accuracy, precision, recall : float in [0, 1]
        The metrics as reported, as shares rather than per cent.

    Returns
    -------
    float
        The share of positives, or NaN where the metrics do not determine it: without a single error, or with a
        precision of 0. Above 1 if no share fits.

    Examples
    --------
    >>> round(implied_prior(accuracy=0.9, precision=0.8, recall=0.8), 3)
    0.25
    """
    for name, value in (("accuracy", accuracy), ("precision", precision), ("recall", recall)):
        if not 0 <= value <= 1:
            raise SettingError(f"{name} must lie in [0, 1], got {value:g}; divide per cent by 100")
    if precision == 0:
        return math.nan
    errors_per_positive = (1 - recall) + recall * (1 - precision) / precision
    return (1 - accuracy) / errors_per_positive if errors_per_positive else math.nan
