import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from angularpu.priors.simplex import fit_weights


@given(st.integers(0, 10**6), st.integers(2, 8))
def test_the_weights_are_as_good_as_those_of_a_general_solver(seed, n):
    rng = np.random.default_rng(seed)
    factor = rng.standard_normal((n, 4))
    kernel, target = factor @ factor.T + 0.1 * np.eye(n), rng.standard_normal(n)
    start = np.full(n, 1 / n)
    weights = fit_weights(kernel, target, start=start, accuracy=1e-6)
    assert weights.min() >= 0
    assert weights.sum() == pytest.approx(1)
    solved = minimize(
        lambda w: (target - w) @ kernel @ (target - w),
        start,
        jac=lambda w: 2 * kernel @ (w - target),
        bounds=[(0, 1)] * n,
        constraints={"type": "eq", "fun": lambda w: w.sum() - 1},
        method="SLSQP",
        options={"ftol": 1e-12},
    )
    assert (target - weights) @ kernel @ (target - weights) <= solved.fun + 1e-5


@pytest.mark.parametrize("columns", [1, 10])
def test_the_distance_is_as_near_to_the_smallest_as_asked(columns):
    # With one column nearly all rows stand for one another: the kernel has hardly an inverse.
    rng = np.random.default_rng(0)
    x = np.append(rng.normal(2, 1, (100, columns)), rng.normal(0, 1, (100, columns)), axis=0)
    kernel = np.exp(-np.square(x[:, None] - x[None]).sum(2) / (2 * 4.0 * columns))
    law = np.repeat([0.01, 0.0], 100)
    for factor in (1.05, 1.5, 3.0):
        target = factor * law + (1 - factor) * law[::-1]
        weights = fit_weights(kernel, target, start=law, accuracy=1e-4)
        assert weights.min() >= 0
        rest = target - weights
        # No weights come nearer than <rest, target - row>/|rest|, the least of all rows.
        distance = np.sqrt(rest @ kernel @ rest)
        nearest = (kernel @ rest @ target - (kernel @ rest).max()) / distance
        assert distance - max(nearest, 0) < 2e-4
