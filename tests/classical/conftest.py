import json

import numpy as np
import pytest
import scipy.sparse as sp
from safetensors.numpy import load, save
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import ExtraTreesClassifier, HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import BernoulliNB, ComplementNB, GaussianNB, MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier, ExtraTreeClassifier

from angularpu.classical.storage.parts import dump_parts, load_parts

# The closed list of what can be saved.
BASES = {
    "boosting": HistGradientBoostingClassifier(max_iter=5, min_samples_leaf=5),
    "tree": DecisionTreeClassifier(max_leaf_nodes=6),
    "deep tree": DecisionTreeClassifier(min_samples_leaf=3),
    "extra tree": ExtraTreeClassifier(min_samples_leaf=3),
    "forest": RandomForestClassifier(4, min_samples_leaf=3),
    "extra trees": ExtraTreesClassifier(4, min_samples_leaf=3),
    "logistic": LogisticRegression(),
    "logistic without intercept": LogisticRegression(fit_intercept=False),
    "liblinear without intercept": LogisticRegression(fit_intercept=False, solver="liblinear"),
    "svc": LinearSVC(),
    "gaussian": GaussianNB(),
    "multinomial": MultinomialNB(),
    "complement": ComplementNB(),
    "bernoulli": BernoulliNB(binarize=0.5),
    "sigmoid": CalibratedClassifierCV(LinearSVC(), cv=2),
    "isotonic": CalibratedClassifierCV(LogisticRegression(), method="isotonic", cv=2),
    "isotonic forest": CalibratedClassifierCV(RandomForestClassifier(2), method="isotonic", cv=2, ensemble=False),
    "isotonic boosting": CalibratedClassifierCV(HistGradientBoostingClassifier(max_iter=3), method="isotonic", cv=2),
    "pipeline": make_pipeline(StandardScaler(), StandardScaler(with_mean=False), LogisticRegression()),
    "half a scaler": make_pipeline(StandardScaler(with_std=False), LinearSVC()),
    "nested": CalibratedClassifierCV(make_pipeline(StandardScaler(), DecisionTreeClassifier(max_depth=2)), cv=2),
}


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


@pytest.fixture
def store():
    """Write parts as a model directory does, and read them again."""

    def store(parts, *, columns=4):
        structure, arrays = dump_parts(parts)
        return load_parts(json.loads(json.dumps(structure, sort_keys=True)), load(save(arrays)), columns=columns)

    return store


@pytest.fixture
def bases():
    """Classifiers of every kind that can be saved, by name."""
    return BASES


@pytest.fixture(params=BASES.values(), ids=list(BASES))
def stored_base(request):
    """Each of them in turn."""
    return request.param
