"""What prior estimators would say if they had no difference from their authors' code, for priors_gaussian.py --sources.

Written from the code of dimonenka/DEDPUL and PULSNAR, step by step and without grids. TIcE has no difference. KM2's
source takes all rows; twice as many as ours takes are what can be solved here.
"""

from collections.abc import Callable

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import expit
from scipy.stats import beta, gaussian_kde

from angularpu.priors.dedpul import find_negatives
from angularpu.priors.density_ratio import roll_median
from angularpu.priors.km2 import estimate_km2
from angularpu.priors.raised_dips import raise_dips


def estimate_dedpul(pos: np.ndarray, unl: np.ndarray) -> float:
    """U is smoothed by a twentieth of its deviation in any case, and the running maximum begins by probabilities."""
    shift = np.log(len(unl) / len(pos))
    score = np.sort(unl)
    ratio = gaussian_kde(pos, 0.1)(score) / gaussian_kde(unl, 0.05)(score)
    ratio = roll_median(np.minimum(ratio, 50), 5)
    middle = (expit(pos + shift).mean() + expit(unl + shift).mean()) / 2
    upper = np.searchsorted(expit(score + shift), middle)
    ratio[upper:] = np.maximum.accumulate(ratio[upper:])
    return 1 - find_negatives(np.sort(raise_dips(roll_median(ratio, len(unl) // 20))))[0]


def estimate_pulscar(pos: np.ndarray, unl: np.ndarray) -> float:
    """Densities are divided by their sums over x, and every x above 1/2 counts."""
    shift = np.log(len(unl) / len(pos))
    share_pos, share_unl = expit(pos + shift), expit(unl + shift)
    everyone = np.concatenate([share_pos, share_unl])
    wanted = np.ptp(everyone) * len(everyone) ** (1 / 3) / (3.5 * everyone.std())
    points = min((2.0**power for power in range(1, 10)), key=lambda each: abs(each - wanted))
    x = np.linspace(0, 1, int(points))

    def smooth(share: np.ndarray, bandwidth: float) -> np.ndarray:
        density = np.array([beta.pdf(share, at / bandwidth + 1, (1 - at) / bandwidth + 1).mean() for at in x])
        return density / density.sum()

    bars = np.histogram(everyone, bins=len(x), range=(0, 1))[0] / len(everyone)
    bandwidth = minimize_scalar(
        lambda b: np.square(smooth(everyone, b) - bars).mean(), bounds=(0.01, 0.5), method="bounded"
    ).x
    density_pos, density_unl = smooth(share_pos, bandwidth), smooth(share_unl, bandwidth)
    alpha = np.arange(10_000) / 10_000
    gap = (density_unl[x > 0.5] - alpha[:, None] * density_pos[x > 0.5]).min(axis=1)
    bend = np.abs(np.diff(np.log10(np.abs(gap) + (density_pos.min() or 1e-10)), 2))
    return float(alpha[1 + np.argmax(bend)])


def estimate_km2_of_more(x_pos: np.ndarray, x_unl: np.ndarray, *, rng: np.random.Generator) -> float:
    return estimate_km2(x_pos, x_unl, rng=rng, most=1200).alpha


SOURCES: dict[str, tuple[str, Callable[..., float]]] = {
    "dedpul": ("dedpul as its source", estimate_dedpul),
    "pulscar": ("pulscar as its source", estimate_pulscar),
    "km2": ("km2, 1200 rows", estimate_km2_of_more),
}
