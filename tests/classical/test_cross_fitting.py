import numpy as np
import pytest

from angularpu.classical.cross_fitting import cross_fit


class Memory:
    """Say 1 of the rows it was trained on and 0 of all others."""

    def __init__(self, rows):
        self.rows = set(rows.tolist())

    def predict_proba(self, x):
        seen = np.array([row in self.rows for row in x[:, 0].astype(int).tolist()], float)
        return np.stack([1 - seen, seen], axis=1)


@pytest.mark.parametrize("n_pos", [2, 7])
def test_no_row_is_scored_by_a_model_that_saw_it(n_pos):
    x, s = np.arange(20.0)[:, None], (np.arange(20) < n_pos).astype(np.int8)
    trained = []

    def fit(train):
        trained.append(train)
        return Memory(train)

    probability = cross_fit(fit, x, s=s, folds=3, rng=np.random.default_rng(0))
    np.testing.assert_array_equal(probability, np.zeros(20))
    assert len(trained) == min(3, n_pos)
    assert all(s[train].any() for train in trained)
