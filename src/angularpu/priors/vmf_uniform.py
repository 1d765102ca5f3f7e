"""The paper's generative model: positives vMF around the prototype, negatives uniform on the sphere."""

import numpy as np
from scipy.optimize import brentq
from scipy.special import expm1

from angularpu.errors import DataError
from angularpu.geometry.vmf import log_mgf
from angularpu.geometry.vmf_fit import fit_kappa
from angularpu.metrics.cuts import Score
from angularpu.priors.alpha import Alpha
from angularpu.priors.inputs import Floats, check_groups
from angularpu.priors.likeness import note_likeness

# At alpha = 1 a cosine of almost no density under vMF would divide by zero; just below 1 everything is finite.
_LAST = 1 - 1e-9


def estimate_vmf(cosine_pos: Score, cosine_unl: Score, *, d: int) -> Alpha:
    """Find the share of vMF in a mixture of vMF and uniform directions that makes the cosines of U most likely.

    kappa solves A_d(kappa) = mean cosine of P and stays fixed. EM on alpha, r(c) = alpha/(alpha + (1 - alpha)
    U_d/vMF(c)), alpha = mean over U of r, climbs a concave likelihood, so its fixed point is found directly, as the
    root of the slope. If kappa were fitted to U as well, it would describe negatives that are not uniform.

    Parameters
    ----------
    cosine_pos, cosine_unl : float arrays of shape (n_pos,) and (n_unl,), in [-1, 1]
        Cosines with the prototype, of rows that trained neither the prototype nor the encoder.
    d : int
        Dimension of the space around the sphere.

    Returns
    -------
    Alpha
        With the diagnostics kappa, mean_log_ratio (the mean over U of the log likelihood ratio of the mixture against
        uniform) and mean_cosine_gap (mean cosine of U minus that of the mixture; far from 0, the model does not fit).

    Examples
    --------
    >>> from angularpu.geometry.vmf_sample import sample_cosine
    >>> rng = np.random.default_rng(0)
    >>> pos, unl = (sample_cosine(20.0, 16, n=n, generator=rng) for n in (1000, 1200))
    >>> unl = np.append(unl, sample_cosine(0.0, 16, n=2800, generator=rng))
    >>> round(estimate_vmf(pos, unl, d=16).alpha, 2)
    0.3
    """
    pos, unl = check_groups(cosine_pos, cosine_unl)
    most = max(np.abs(pos).max(), np.abs(unl).max())
    if most > 1 + 1e-6:
        raise DataError(f"cosines must lie in [-1, 1], got one of size {most:g}; divide the rows by their length first")
    kappa = fit_kappa(float(pos.mean()), d)
    excess = expm1(np.minimum(kappa * unl - log_mgf(kappa, d), 700.0))
    alpha = _climb(excess) if kappa > 0 else 1.0
    notes = note_likeness(pos, unl)
    if kappa == 0:
        notes += ("labelled positives do not gather around the prototype (kappa 0): alpha is only an upper bound",)
    diagnostics = {
        "kappa": kappa,
        "mean_log_ratio": float(np.log1p(min(alpha, _LAST) * excess).mean()),
        "mean_cosine_gap": float(unl.mean() - alpha * pos.mean()),
    }
    return Alpha(alpha, diagnostics, notes)


def _climb(excess: Floats) -> float:
    """Maximise the mean of log(1 + alpha e) over [0, 1], where e = vMF/uniform - 1 at each cosine."""

    def slope(alpha: float) -> float:
        return float((excess / (1 + alpha * excess)).mean())

    if slope(0.0) <= 0:
        return 0.0
    return float(brentq(slope, 0.0, _LAST, xtol=1e-9)) if slope(_LAST) < 0 else 1.0
