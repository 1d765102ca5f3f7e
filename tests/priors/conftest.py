import numpy as np
import pytest


@pytest.fixture
def draw_scores():
    """Give exact log-odds of P against U for two unit Gaussians, with a known share of positives in U."""

    def draw(alpha, *, separation=4.0, n_pos=1000, n_unl=4000, seed=0):
        rng = np.random.default_rng(seed)
        hidden = round(alpha * n_unl)
        pos = rng.normal(separation, 1, n_pos)
        unl = np.append(rng.normal(separation, 1, hidden), rng.normal(0, 1, n_unl - hidden))

        def log_odds(z):
            log_ratio = separation * z - separation**2 / 2
            return np.log(n_pos / n_unl) + log_ratio - np.logaddexp(np.log(alpha) + log_ratio, np.log(1 - alpha))

        return log_odds(pos), log_odds(unl)

    return draw


@pytest.fixture
def draw_rows():
    """Give rows of two Gaussians in five dimensions, with a known share of positives in U."""

    def draw(alpha, *, separation=5.0, n_pos=400, n_unl=800, seed=0):
        rng = np.random.default_rng(seed)
        x_pos, x_unl = rng.standard_normal((n_pos, 5)), rng.standard_normal((n_unl, 5))
        x_unl[: round(alpha * n_unl), 0] += separation
        x_pos[:, 0] += separation
        return x_pos, x_unl

    return draw
