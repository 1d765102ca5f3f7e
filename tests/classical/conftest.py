import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import BaseEstimator, ClassifierMixin


class Oracle(ClassifierMixin, BaseEstimator):
    """Read the probability off the first column, and remember what it was fitted on."""

    def fit(self, x, y, sample_weight=None):
        self.x_, self.y_, self.weight_ = x, y, sample_weight
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, x):
        first = np.asarray(x[:, [0]].todense() if sp.issparse(x) else x[:, [0]])[:, 0].astype(np.float64)
        return np.stack([1 - first, first], axis=1)


@pytest.fixture
def oracle():
    return Oracle()


@pytest.fixture
def draw_gaussians():
    """Give rows of two Gaussians with n_pos labelled, a share alpha of positives in U, and the true class."""

    def draw(*, alpha=0.3, n_pos=150, n_unl=600, separation=2.0, columns=4, seed=0):
        rng = np.random.default_rng(seed)
        y = (np.arange(n_pos + n_unl) < n_pos + round(alpha * n_unl)).astype(np.int8)
        x = rng.standard_normal((len(y), columns)) + separation / np.sqrt(columns) * y[:, None]
        return x.astype(np.float32), (np.arange(len(y)) < n_pos).astype(np.int8), y

    return draw
