import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import minimize

from angularpu.priors.simplex import fit_weights, project_simplex

points = arrays(np.float64, st.integers(1, 8), elements=st.floats(-5, 5, allow_subnormal=False))


@given(points)
def test_a_projection_lies_on_the_simplex_and_makes_an_obtuse_angle(point):
    nearest = project_simplex(point)
    assert nearest.min() >= 0
    assert abs(nearest.sum() - 1) < 1e-9
    # The nearest point p of a convex set has (x - p).(v - p) <= 0 for all of its corners v.
    corners = np.eye(len(point)) - nearest
    assert (corners @ (point - nearest)).max() < 1e-9


def test_the_weights_agree_with_a_general_solver():
    rng = np.random.default_rng(0)
    factor = np.abs(rng.standard_normal((6, 4)))
    kernel, target = factor @ factor.T + 0.1 * np.eye(6), rng.standard_normal(6)
    start = np.full(6, 1 / 6)
    weights = fit_weights(kernel, target, start=start, tolerance=1e-8)
    solved = minimize(
        lambda w: (target - w) @ kernel @ (target - w),
        start,
        bounds=[(0, 1)] * 6,
        constraints={"type": "eq", "fun": lambda w: w.sum() - 1},
        method="SLSQP",
        options={"ftol": 1e-12},
    )
    np.testing.assert_allclose(weights, solved.x, atol=1e-3)
    assert (target - weights) @ kernel @ (target - weights) <= solved.fun * (1 + 1e-6)
