import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.utils import get_tags

from angularpu import ExtraTreesPUClassifier, GradientBoostingPUClassifier, PUClassifier
from angularpu.classical.gradient_boosting import GradientBoosting
from angularpu.errors import DataError


def test_it_is_scikit_learns_boosting_with_the_two_kinds_balanced(draw_gaussians):
    x, s, _ = draw_gaussians(n_pos=50, n_unl=150)  # fewer values in a column than levels, so they stay as they are
    weight = np.where(s == 1, 200 / (2 * 50), 200 / (2 * 150))
    settings = {"max_iter": 7, "learning_rate": 0.05, "max_leaf_nodes": 30, "max_features": 0.3, "min_samples_leaf": 10}
    seed = int(np.random.default_rng(3).integers(2**31))
    original = HistGradientBoostingClassifier(**settings, early_stopping=False, random_state=seed)
    original.fit(x, s, sample_weight=weight)
    score = GradientBoosting(rounds=7).fit(x, s, rng=np.random.default_rng(3)).score(x)
    np.testing.assert_allclose(score, original.decision_function(x), atol=1e-9)


@pytest.mark.parametrize(("options", "rows"), [({}, 200), ({"per_positive": 1.5}, 125), ({"per_positive": 20}, 500)])
def test_it_learns_from_three_unlabelled_rows_per_labelled_positive(options, rows, draw_gaussians):
    x, s, _ = draw_gaussians(n_pos=50, n_unl=450)
    model = GradientBoostingPUClassifier(validation="folds", **options).fit(x, s)
    booster = model.fitted_.scorer.model.parts()["classifier"]
    assert booster._predictors[0][0].nodes[0]["count"] == rows


def test_every_round_is_made_where_scikit_learn_would_stop_early(draw_gaussians):
    x, s, _ = draw_gaussians(n_pos=100, n_unl=10_400, separation=0.0, columns=1)
    model = GradientBoosting(rounds=30).fit(x, s, rng=np.random.default_rng(0))
    assert model.parts()["classifier"].n_iter_ == 30


def test_sparse_rows_are_refused_in_one_sentence_by_the_classifier_too(draw_gaussians):
    x, s, _ = draw_gaussians(n_pos=20, n_unl=40)
    with pytest.raises(DataError, match=r"^gradient boosting cannot read sparse rows; choose extra_trees, .*array$"):
        GradientBoostingPUClassifier().fit(sp.csr_matrix(x), s)


def test_its_tags_say_that_it_takes_no_sparse_rows():
    for model in (GradientBoostingPUClassifier(), PUClassifier(method="gradient_boosting")):
        assert not get_tags(model).input_tags.sparse
    for model in (ExtraTreesPUClassifier(), PUClassifier(), PUClassifier(method="unknown")):
        assert get_tags(model).input_tags.sparse
