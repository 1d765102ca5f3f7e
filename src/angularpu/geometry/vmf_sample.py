"""Random directions from the von Mises-Fisher law."""

import math

import numpy as np
from numpy.typing import NDArray

from angularpu.geometry.vmf import Reals, check_law


def sample_vmf(mu: Reals, kappa: float, *, n: int, generator: np.random.Generator) -> NDArray[np.float64]:
    """Draw n directions from vMF(mu, kappa); kappa = 0 draws them uniformly.

    The cosine with mu comes by rejection (Ulrich 1984, corrected by Wood 1994), the rest of the direction uniformly
    from the sphere at right angles to mu.

    Parameters
    ----------
    mu : array of shape (d,)
        Mean direction, a unit vector.
    kappa : float
        Concentration, at least 0.
    n : int
        How many to draw.
    generator : numpy Generator
        Where the randomness comes from; the same state gives the same directions.

    Returns
    -------
    array of shape (n, d)
        Unit vectors.

    Examples
    --------
    >>> z = sample_vmf(np.array([0.0, 1.0]), 50.0, n=1000, generator=np.random.default_rng(0))
    >>> bool(z.mean(axis=0)[1] > 0.98)
    True
    """
    cosine = sample_cosine(kappa, len(mu), n=n, generator=generator)[:, None]
    across = generator.standard_normal((n, len(mu)))
    across -= np.outer(across @ mu, mu)
    across /= np.linalg.norm(across, axis=1, keepdims=True)
    z: NDArray[np.float64] = cosine * mu + np.sqrt(1 - cosine**2) * across
    return z


def sample_cosine(kappa: float, d: int, *, n: int, generator: np.random.Generator) -> NDArray[np.float64]:
    """Draw n cosines with mu under vMF, without drawing the directions.

    Examples
    --------
    >>> bool(np.abs(sample_cosine(9.0, 16, n=100, generator=np.random.default_rng(0))).max() <= 1)
    True
    """
    check_law(kappa, d)
    b = (d - 1) / (2 * kappa + math.hypot(2 * kappa, d - 1))
    x = (1 - b) / (1 + b)
    level = kappa * x + (d - 1) * math.log(4 * b / (1 + b) ** 2)
    accepted = np.empty(0)
    while len(accepted) < n:
        # At least about two proposals in three are accepted, so one or two rounds are usual.
        beta = generator.beta((d - 1) / 2, (d - 1) / 2, size=2 * (n - len(accepted)) + 8)
        cosine = (1 - (1 + b) * beta) / (1 - (1 - b) * beta)
        log_ratio = kappa * cosine + (d - 1) * np.log1p(-x * cosine) - level
        accepted = np.concatenate([accepted, cosine[log_ratio >= -generator.standard_exponential(len(beta))]])
    return accepted[:n].clip(-1, 1)
