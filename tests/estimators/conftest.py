import numpy as np
import pytest


@pytest.fixture(scope="package")
def rows_and_labels():
    """Two Gaussian classes, about half of the positives labelled."""
    rng = np.random.default_rng(0)
    y = np.repeat([1, 0], 80)
    return rng.normal(size=(160, 4)).astype(np.float32) + 2 * y[:, None], (y * (rng.random(160) < 0.5)).astype(int)
