"""KM2: how far U can be moved away from P before it stops being a distribution, in the space of a kernel."""

import math

import numpy as np
from scipy.spatial.distance import cdist

from angularpu.priors.alpha import Alpha
from angularpu.priors.inputs import Floats, Matrix, check_matrices
from angularpu.priors.simplex import fit_weights

_LAMBDA = (1.0, 8.0)
_FIRST = 1.05
_WIDTH, _STEP = 0.04, 0.02
_ACCURACY = 1e-4  # of d, as a share of the distance of F_U and F_P; the slope is then known to a hundredth of it
_FACTOR = 1.5
_SCALES = (0.1, 0.1**0.5, 1.0, 10**0.5, 10.0)


def estimate_km2(x_pos: Matrix, x_unl: Matrix, *, rng: np.random.Generator, most: int = 600) -> Alpha:
    """Find where lambda F_U + (1 - lambda) F_P stops being a distribution, by the slope of its distance to them.

    d(lambda) is the distance in the kernel's space from lambda F_U + (1 - lambda) F_P to the hull of the rows. It is
    convex: close to 0 up to 1/(1 - alpha), then rising. lambda* is where its slope passes 0.8 times the slope at 1 plus
    0.2 times the distance of F_U and F_P, which is the slope at infinity (Ramaswamy, Scott and Tewari 2016, KM2); it is
    found by bisection of [1, 8]. alpha = 1 - 1/lambda*, so it is at most 0.875.

    Parameters
    ----------
    x_pos, x_unl : float arrays of shape (n_pos, columns) and (n_unl, columns)
        Rows, taken as they are: scale columns of different units first. The kernel is Gaussian; of five widths, 0.1 to
        10 times the median distance, it has the one that sets P and U furthest apart.
    rng : numpy Generator
        Chooses which rows are used.
    most : int
        At most this many rows are used, half of them from each group; the time grows with its square.

    Returns
    -------
    Alpha
        With the diagnostics lambda, threshold (the slope looked for), width (of the kernel) and distance (of F_U and
        F_P).

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> x_pos, x_unl = rng.normal(4, 1, (200, 2)), np.append(rng.normal(4, 1, (60, 2)), rng.normal(0, 1, (140, 2)), 0)
    >>> bool(abs(estimate_km2(x_pos, x_unl, rng=rng).alpha - 0.3) < 0.1)
    True
    """
    pos, unl = (_thin(x, most=most // 2, rng=rng) for x in check_matrices(x_pos, x_unl))
    x = np.concatenate([unl, pos])
    in_unl = np.arange(len(x)) < len(unl)
    apart = np.where(in_unl, 1 / len(unl), -1 / len(pos))
    kernel, width = _choose_kernel(x, apart)
    curve = _Curve(kernel, np.where(in_unl, 1 / len(unl), 0.0), apart)
    distance = curve.distance
    threshold = 0.8 * curve.measure(_FIRST) / (_FIRST - 1) + 0.2 * distance
    low, high = _LAMBDA
    while high - low > _WIDTH:
        middle = (low + high) / 2
        low, high = (low, middle) if curve.find_slope(middle) > threshold else (middle, high)
    end = (low + high) / 2
    notes: tuple[str, ...] = ()
    if high == _LAMBDA[1]:
        notes += ("alpha reached the method's bound of 0.875: it may be higher",)
    # The mean distance of two samples of one law.
    chance = math.sqrt((1 / len(unl) + 1 / len(pos)) * (1 - float(kernel.mean())))
    if distance < _FACTOR * chance:
        notes += (
            f"the {len(x)} rows used hardly tell positives from unlabelled rows (distance {distance:.3g}, by chance "
            f"{chance:.3g}): alpha is not to be relied on",
        )
    diagnostics = {"lambda": end, "threshold": threshold, "width": width, "distance": distance}
    return Alpha(1 - 1 / end, diagnostics, notes)


class _Curve:
    """The distance d(lambda); each point starts from the weights of the one before."""

    def __init__(self, kernel: Floats, unl_law: Floats, apart: Floats) -> None:
        self.kernel, self.unl_law, self.apart, self.weights = kernel, unl_law, apart, unl_law
        self.distance = math.sqrt(apart @ kernel @ apart)

    def measure(self, lambda_: float) -> float:
        target = self.unl_law + (lambda_ - 1) * self.apart
        self.weights = fit_weights(self.kernel, target, start=self.weights, accuracy=_ACCURACY * self.distance)
        rest = target - self.weights
        return math.sqrt(max(float(rest @ self.kernel @ rest), 0.0))

    def find_slope(self, lambda_: float) -> float:
        """Return the slope to the right of lambda, by a difference: where d is nearly 0, it has no derivative."""
        return (self.measure(lambda_ + _STEP) - self.measure(lambda_)) / _STEP


def _thin(x: Floats, *, most: int, rng: np.random.Generator) -> Floats:
    return x[rng.choice(len(x), most, replace=False)] if len(x) > most else x


def _choose_kernel(x: Floats, apart: Floats) -> tuple[Floats, float]:
    """Return the Gaussian kernel matrix, and its width, under which the two groups lie furthest apart."""
    squares = cdist(x, x, "sqeuclidean")
    # Where most rows are equal, the median of all distances is no width.
    median = math.sqrt(float(np.median(squares)) or float(np.median(squares[squares > 0])))
    widths = [scale * median for scale in _SCALES]
    best = max(widths, key=lambda width: float(apart @ np.exp(-squares / (2 * width**2)) @ apart))
    return np.exp(-squares / (2 * best**2)), best
