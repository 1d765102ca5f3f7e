"""The von Mises-Fisher law, vMF(mu, kappa): directions that crowd around mu, and the law of their cosine with mu.

Its density is C_d(kappa) exp(kappa mu.z); kappa = 0 is the uniform law. Everything here follows from one function,
:func:`log_mgf`, which stays accurate where the Bessel function itself underflows (d to 4096, kappa to 1e4 and beyond).
"""

import math
from typing import Any

import numpy as np
from numpy.polynomial import Polynomial
from numpy.typing import NDArray
from scipy.special import gammaln, ive, xlog1py

from angularpu.errors import SettingError

Reals = NDArray[np.floating[Any]]


def check_law(kappa: float, d: int) -> None:
    """Refuse a concentration or a dimension for which there is no law."""
    if not 0 <= kappa < math.inf:
        raise SettingError(f"kappa must be finite and at least 0, got {kappa}; use 0 for the uniform law")
    if d < 2:
        raise SettingError(f"d must be at least 2, got {d}; a direction needs a plane to turn in")


def log_uniform(d: int) -> float:
    """Give the log density of the uniform law: log U_d = -log(area of the sphere), log Gamma(d/2) - log 2 - d/2 log pi.

    >>> round(math.exp(-log_uniform(3)) / math.pi, 6)
    4.0
    """
    check_law(0.0, d)
    return float(gammaln(d / 2)) - math.log(2) - d / 2 * math.log(math.pi)


def log_normaliser(kappa: float, d: int) -> float:
    """Give the log of the vMF law's constant: log C_d = (d/2-1) log kappa - d/2 log 2pi - log I_{d/2-1}(kappa).

    In three dimensions C_3 = kappa / (4 pi sinh kappa):

    >>> round(math.exp(log_normaliser(2.0, 3)) * 4 * math.pi * math.sinh(2.0), 6)
    2.0
    """
    return log_uniform(d) - log_mgf(kappa, d)


def log_mgf(kappa: float, d: int) -> float:
    """Give log E[exp(kappa c)] for the cosine c of a uniform direction, which is log U_d - log C_d(kappa).

    The log likelihood ratio of a cosine under vMF against uniform is therefore kappa c - log_mgf(kappa, d).

    Parameters
    ----------
    kappa : float
        Concentration, at least 0.
    d : int
        Dimension of the space around the sphere, at least 2.

    Returns
    -------
    float
        The log moment generating function, between 0 and kappa^2/2d.

    Examples
    --------
    >>> math.isclose(log_mgf(2.0, 3), math.log(math.sinh(2.0) / 2.0))
    True
    """
    check_law(kappa, d)
    if _is_small(kappa, d):
        # Sum over k >= 1 of (kappa^2/4)^k / (k! (d/2)_k): every term is below 2^k/k!, so the 25th is below rounding.
        k = np.arange(1, 26)
        return math.log1p(np.cumprod(kappa**2 / 4 / (k * (d / 2 + k - 1))).sum())
    nu = d / 2 - 1
    return kappa + float(gammaln(d / 2)) + nu * math.log(2 / kappa) + _log_bessel(nu, kappa)


def mean_cosine(kappa: float, d: int) -> float:
    """Give the mean cosine with mu under vMF: A_d(kappa) = I_{d/2}(kappa) / I_{d/2-1}(kappa).

    Examples
    --------
    In a space of 128 dimensions kappa = 3 is close to no concentration at all:

    >>> round(mean_cosine(3.0, 128), 4)
    0.0234
    """
    check_law(kappa, d)
    if _is_small(kappa, d):
        return kappa / d * math.exp(log_mgf(kappa, d + 2) - log_mgf(kappa, d))
    return math.exp(_log_bessel(d / 2, kappa) - _log_bessel(d / 2 - 1, kappa))


def cosine_variance(kappa: float, d: int) -> float:
    """Give the variance of the cosine with mu under vMF: 1 - A_d^2 - (d-1) A_d / kappa, which is the slope of A_d.

    >>> cosine_variance(0.0, 4)
    0.25
    """
    # With b = kappa A_{d+2}, A_d = kappa / (d + b): no difference of nearly equal numbers is left when kappa is small.
    b = kappa * mean_cosine(kappa, d + 2)
    return (1 + b) / (d + b) - (kappa / (d + b)) ** 2


def kl_to_uniform(kappa: float, d: int) -> float:
    """Give the divergence of vMF from uniform in nats: KL = kappa A_d(kappa) + log C_d(kappa) - log U_d.

    >>> kl_to_uniform(0.0, 16)
    0.0
    """
    return kappa * mean_cosine(kappa, d) - log_mgf(kappa, d)


def log_density(z: Reals, mu: Reals, *, kappa: float) -> Reals:
    """Give the log density of vMF at directions: log C_d(kappa) + kappa mu.z.

    Parameters
    ----------
    z : array of shape (..., d)
        Unit vectors.
    mu : array of shape (d,)
        Mean direction, a unit vector.
    kappa : float
        Concentration, at least 0.

    Returns
    -------
    array of shape (...)
        Log densities with respect to the sphere's area.

    Examples
    --------
    >>> log_density(np.eye(2), np.array([1.0, 0.0]), kappa=0.0).round(4)
    array([-1.8379, -1.8379])
    """
    density: Reals = log_normaliser(kappa, len(mu)) + kappa * (z @ mu)
    return density


def cosine_log_density(cosine: Reals, kappa: float, *, d: int) -> Reals:
    """Give the log density of the cosine with mu under vMF, on the interval from -1 to 1.

    f(c) = Gamma(d/2) / (sqrt(pi) Gamma((d-1)/2)) (1-c^2)^((d-3)/2) exp(kappa c) / E[exp(kappa c)]; kappa = 0 is the
    law of the cosine of a uniform direction.

    Examples
    --------
    On the sphere in three dimensions a uniform direction's cosine is uniform:

    >>> cosine_log_density(np.array([-1.0, 0.2, 1.0]), 0.0, d=3).round(6)
    array([-0.693147, -0.693147, -0.693147])
    """
    constant = float(gammaln(d / 2) - gammaln((d - 1) / 2)) - math.log(math.pi) / 2 - log_mgf(kappa, d)
    density: Reals = constant + xlog1py((d - 3) / 2, -np.square(cosine)) + kappa * cosine
    return density


def _is_small(kappa: float, d: int) -> bool:
    """Tell whether the power series is short, which is also where the other formula would cancel."""
    return kappa**2 <= 4 * d


def _debye_polynomials(count: int) -> list[Polynomial]:
    """Build the polynomials of the uniform expansion by their recurrence (DLMF 10.41.9)."""
    u = [Polynomial([1.0])]
    while len(u) < count:
        u.append(Polynomial([0, 0, 0.5, 0, -0.5]) * u[-1].deriv() + (Polynomial([1, 0, -5]) * u[-1]).integ() / 8)
    return u


_DEBYE = _debye_polynomials(8)


def _log_bessel(nu: float, x: float) -> float:
    """Give log(exp(-x) I_nu(x)): scipy's for orders where it cannot underflow, else the expansion for large orders."""
    if nu < 50:
        return math.log(ive(nu, x))
    h = math.hypot(nu, x)
    tail = sum(float(u(nu / h)) / nu**k for k, u in enumerate(_DEBYE))
    # hypot(nu, x) - x, written without the cancellation
    exponent = nu**2 / (h + x) + nu * math.log(x / (nu + h))
    return exponent - math.log(2 * math.pi * h) / 2 + math.log(tail)
