import numpy as np
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier, VotingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from angularpu.classical.bagging import Bagging
from angularpu.classical.base_classifier import check_base, compute_log_odds, default_base, fit_base
from angularpu.classical.spy import Spy
from angularpu.errors import SettingError


def test_sparse_rows_get_logistic_regression_and_all_others_boosting():
    assert isinstance(default_base("sparse", n=10), LogisticRegression)
    assert all(isinstance(default_base(k, n=10), HistGradientBoostingClassifier) for k in ("dense", "image", "frame"))


def test_the_default_tells_a_dozen_rows_apart():
    x, y = np.linspace(0, 1, 12, dtype=np.float32)[:, None], np.repeat(np.array([0, 1], np.int8), 6)
    model = fit_base(None, x, y, rng=np.random.default_rng(0))
    assert model.score(x, y) == 1


def test_a_classifier_without_probabilities_is_refused_where_they_are_needed():
    check_base(LinearSVC())
    check_base(CalibratedClassifierCV(LinearSVC()), "probabilities", "weights")
    with pytest.raises(SettingError, match=r"LinearSVC has no predict_proba; wrap it in CalibratedClassifierCV"):
        check_base(LinearSVC(), "probabilities")


@pytest.mark.parametrize("method", [Bagging, Spy])
def test_a_classifier_that_only_votes_is_refused(method):
    with pytest.raises(SettingError, match="VotingClassifier has neither"):
        method(base=VotingClassifier([("a", LogisticRegression())]))


@pytest.mark.parametrize("base", [KNeighborsClassifier(), make_pipeline(StandardScaler(), KNeighborsClassifier())])
def test_a_classifier_without_row_weights_is_refused_where_they_are_needed(base):
    check_base(base, "probabilities")
    with pytest.raises(SettingError, match="takes no sample_weight"):
        check_base(base, "weights")


def test_a_pipeline_hands_the_weights_to_its_last_step():
    x, y = np.array([[0.0], [1.0], [1.0]]), np.array([0, 1, 0], np.int8)
    base, weight = make_pipeline(StandardScaler(), LogisticRegression()), np.array([1.0, 1.0, 0.0])
    fitted = fit_base(base, x, y, rng=np.random.default_rng(0), weight=weight)
    last = LogisticRegression().fit(StandardScaler().fit_transform(x), y, sample_weight=weight)
    np.testing.assert_array_equal(fitted[-1].coef_, last.coef_)


def test_every_random_state_inside_is_drawn_from_the_generator():
    x, y = np.random.default_rng(0).normal(size=(20, 2)), np.arange(20) % 2
    base = make_pipeline(StandardScaler(), RandomForestClassifier(2))
    rng = np.random.default_rng(0)
    first, second = (fit_base(base, x, y, rng=rng)[-1].random_state for _ in range(2))
    again = fit_base(base, x, y, rng=np.random.default_rng(0))[-1].random_state
    assert first == again != second
    assert base[-1].random_state is None


def test_log_odds_are_finite_at_zero_and_one_and_decision_values_stand_in_where_there_are_none(oracle):
    odds = compute_log_odds(oracle, np.array([[0.0], [0.5], [1.0]]))
    assert odds[1] == 0
    assert np.all(np.isfinite(odds))
    x, y = np.array([[0.0], [1.0]]), np.array([0, 1])
    machine = LinearSVC().fit(x, y)
    np.testing.assert_array_equal(compute_log_odds(machine, x), machine.decision_function(x))
