"""A small problem that trains in a moment."""

import numpy as np
import pytest

from angularpu.scenario.sample import PUSample, make_sample


def gaussians(n_pos: int, n_unl: int, *, seed: int = 0, columns: int = 4, apart: float = 3.0) -> PUSample:
    """Labelled positives around ``apart`` and unlabelled rows of which four in ten are."""
    rng = np.random.default_rng(seed)
    y = np.concatenate([np.ones(n_pos), rng.random(n_unl) < 0.4])
    x = rng.normal(size=(n_pos + n_unl, columns)) + apart * y[:, None] / np.sqrt(columns)
    s = np.arange(n_pos + n_unl) < n_pos
    return make_sample(x, s, scenario="one-sample")


@pytest.fixture
def few() -> PUSample:
    """Too few positives for a hold-out: folds."""
    return gaussians(40, 120)


@pytest.fixture
def many() -> PUSample:
    """Enough positives for one hold-out."""
    return gaussians(1000, 1500)
