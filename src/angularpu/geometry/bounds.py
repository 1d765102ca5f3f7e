"""The paper's closed-form bounds, as it states them, so that tests and pages compute them with the same code.

c is the cosine of two uniform directions in d dimensions, t the temperature of the dispersion term L_reg over n rows,
and s the score inside the neutral cross-entropy log(2 cosh(s/2)).
"""

import math


def even_moment(k: int, d: int) -> float:
    """Give the exact moment E[c^2k] = (2k-1)!! / (d (d+2) ... (d+2k-2)).

    >>> even_moment(1, 128) == 1 / 128
    True
    """
    return math.prod((2 * i + 1) / (d + 2 * i) for i in range(k))


def log_mgf_bound(scale: float, d: int) -> float:
    """Bound log E[exp(l c)] from above by l^2/2d.

    >>> log_mgf_bound(2.0, 128)
    0.015625
    """
    return scale**2 / (2 * d)


def tail_bound(u: float, d: int) -> float:
    """Bound the chance that |c| reaches u by 2 exp(-d u^2/2).

    >>> round(tail_bound(0.3, 128), 4)
    0.0063
    """
    return 2 * math.exp(-d * u**2 / 2)


def largest_cosine_bound(n: int, d: int, *, delta: float) -> float:
    """Bound the largest |c| among the K = n(n-1)/2 pairs by sqrt(2 log(2K/delta)/d), with chance 1 - delta.

    >>> round(largest_cosine_bound(128, 128, delta=0.05), 3)
    0.445
    """
    return math.sqrt(2 * math.log(n * (n - 1) / delta) / d)


def dispersion_range(t: float, n: int) -> tuple[float, float]:
    """Bound L_reg of any n >= 2 directions: at least -t/(n-1), at most t.

    >>> dispersion_range(2.0, 5)
    (-0.5, 2.0)
    """
    return -t / (n - 1), t


def dispersion_mean_bound(t: float, d: int, *, prior: float = 0.0) -> float:
    """Bound E[L_reg] when a share pi of the rows is vMF and the rest uniform: log((1-pi^2) e^(t^2/2d) + pi^2 e^t).

    Without positives that is t^2/2d. The bound knows nothing of kappa.

    >>> dispersion_mean_bound(2.0, 128)
    0.015625
    >>> round(dispersion_mean_bound(2.0, 128, prior=0.5), 3)
    0.959
    """
    base = log_mgf_bound(t, d)
    return base + math.log1p(prior**2 * math.expm1(t - base))


def dispersion_tail_bound(t: float, n: int, *, d: int, delta: float) -> float:
    """Bound L_reg of n uniform directions by t sqrt(2 log(2K/delta)/d), with chance 1 - delta.

    >>> round(dispersion_tail_bound(2.0, 128, d=128, delta=0.05), 3)
    0.891
    """
    return t * largest_cosine_bound(n, d, delta=delta)


def temperature_scale(n: int, d: int) -> float:
    """Give sqrt(d / log n): while t is small against it, no single pair of uniform rows can dominate L_reg.

    >>> round(temperature_scale(128, 128), 2)
    5.14
    """
    return math.sqrt(d / math.log(n))


def neutral_bound(s: float) -> float:
    """Bound the neutral cross-entropy log(2 cosh(s/2)) by log 2 + s^2/8; it is at least log 2.

    >>> round(neutral_bound(2.0) - math.log(2), 3)
    0.5
    """
    return math.log(2) + s**2 / 8


def neutral_mean_bound(sharpness: float, mean_square: float) -> float:
    """Bound the mean neutral cross-entropy of s = a (c - m) by log 2 + (a^2/8) E[(c-m)^2].

    For uniform rows and m = 0 the mean square is 1/d:

    >>> round(neutral_mean_bound(10.0, 1 / 128) - math.log(2), 4)
    0.0977
    """
    return math.log(2) + sharpness**2 * mean_square / 8
