"""90 % intervals for the recall, given the share of held-out positives above a threshold."""

from scipy.special import betaincinv

TAIL = 0.05


def bound_order_statistic(k: int, n: int) -> tuple[float, float]:
    """Bound the recall of a threshold that lies just below the k-th highest of ``n`` positives.

    The recall of such a threshold follows Beta(k, n + 1 - k), whatever the law of the scores; the bounds are the 5 %
    and 95 % points of that law.

    Parameters
    ----------
    k : int
        Positives above the threshold, at least 1.
    n : int
        All positives.

    Examples
    --------
    >>> [round(bound, 3) for bound in bound_order_statistic(95, 100)]
    [0.898, 0.974]
    """
    return float(betaincinv(k, n + 1 - k, TAIL)), float(betaincinv(k, n + 1 - k, 1 - TAIL))


def bound_binomial(k: int, n: int) -> tuple[float, float]:
    """Bound the recall of a threshold that was not chosen to lie at one of the ``n`` positives (Clopper-Pearson).

    Parameters
    ----------
    k : int
        Positives above the threshold, from 0 to ``n``.
    n : int
        All positives.

    Examples
    --------
    >>> [round(bound, 3) for bound in bound_binomial(95, 100)]
    [0.898, 0.98]
    """
    low = float(betaincinv(k, n + 1 - k, TAIL)) if k > 0 else 0.0
    high = float(betaincinv(k + 1, n - k, 1 - TAIL)) if k < n else 1.0
    return low, high
