import numpy as np
import pytest


@pytest.fixture
def rows():
    """Non-negative rows, as some of the laws of naive Bayes ask for, and their classes."""
    x = np.abs(np.random.default_rng(0).normal(size=(90, 4))).astype(np.float32)
    return x, (x[:, 0] + x[:, 1] > 1.5).astype(np.int8)
