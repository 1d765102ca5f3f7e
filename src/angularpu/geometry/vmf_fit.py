"""The von Mises-Fisher law that fits a set of directions best."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from angularpu.errors import DataError
from angularpu.geometry.vmf import Reals, cosine_variance, mean_cosine

KAPPA_MAX = 1e6


@dataclass(frozen=True)
class VMF:
    """A fitted law: its mean direction ``mu``, a unit vector of shape (d,), and its concentration ``kappa``."""

    mu: NDArray[np.float64]
    kappa: float


def fit_vmf(z: Reals) -> VMF:
    """Find the vMF law that makes these directions most likely: mu is their normalised mean, A_d(kappa) its length.

    With few rows for the dimension kappa comes out too high, since chance alone gives the mean a length near
    1/sqrt(n). When mu is known from other rows, use :func:`fit_kappa` on the mean cosine with it.

    Parameters
    ----------
    z : array of shape (n, d)
        Unit vectors.

    Returns
    -------
    VMF
        Mean direction and concentration.

    Examples
    --------
    >>> fit_vmf(np.array([[0.6, 0.8], [0.6, -0.8]])).mu
    array([1., 0.])
    """
    mean: NDArray[np.float64] = np.mean(z, axis=0, dtype=np.float64)
    length = float(np.linalg.norm(mean))
    if not length > 0:
        raise DataError(
            f"the mean of {len(z)} directions has no direction of its own; pass rows that do not cancel out"
        )
    return VMF(mu=mean / length, kappa=fit_kappa(length, z.shape[1]))


def fit_kappa(cosine: float, d: int) -> float:
    """Find the concentration whose mean cosine is the one observed: the solution of A_d(kappa) = cosine.

    Newton's method from the closed approximation r(d - r^2)/(1 - r^2), r the mean cosine (Banerjee et al. 2005). A_d
    is concave, so after its first step the iteration climbs to the solution and never passes it.

    Parameters
    ----------
    cosine : float
        Mean cosine of the directions with mu, in [-1, 1].
    d : int
        Dimension of the space around the sphere, at least 2.

    Returns
    -------
    float
        The most likely kappa: 0 when the mean cosine is not positive, at most KAPPA_MAX (one million) when the
        directions all but coincide.

    Examples
    --------
    >>> round(fit_kappa(mean_cosine(20.0, 64), 64), 6)
    20.0
    >>> fit_kappa(-0.1, 64)
    0.0
    """
    if not abs(cosine) <= 1 + 1e-6:  # what single precision does to the length of a direction
        raise DataError(f"a mean cosine must lie in [-1, 1], got {cosine}; divide the rows by their length first")
    if cosine <= 0:
        return 0.0
    if cosine >= mean_cosine(KAPPA_MAX, d):
        return KAPPA_MAX
    kappa = cosine * (d - cosine**2) / (1 - cosine**2)
    for _ in range(20):
        step = (cosine - mean_cosine(kappa, d)) / cosine_variance(kappa, d)
        kappa += step
        if abs(step) <= 1e-9 * kappa:
            break
    return kappa
