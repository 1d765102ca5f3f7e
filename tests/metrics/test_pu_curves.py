import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from angularpu.errors import SettingError
from angularpu.metrics.pu import correct_auc, pu_auc
from angularpu.metrics.pu_confusion import estimate_confusion
from angularpu.metrics.pu_curves import trace_curve
from angularpu.scenario.proportions import Proportions

scores = st.lists(st.integers(-3, 3), min_size=1, max_size=20).map(lambda x: np.array(x, dtype=np.float32))
either = pytest.mark.parametrize(
    ("scenario", "target"), [("one-sample", "population"), ("one-sample", "unlabelled"), ("two-sample", "population")]
)


def shares_of(score_pos, score_unl, alpha, scenario="one-sample"):
    return Proportions(n_pos=len(score_pos), n_unl=len(score_unl), scenario=scenario, alpha=alpha)


@settings(deadline=None)
@given(scores, scores, st.floats(0, 0.9))
def test_the_area_under_the_corrected_roc_curve_is_the_corrected_auc(score_pos, score_unl, alpha):
    curve = trace_curve(score_pos, score_unl, shares=shares_of(score_pos, score_unl, alpha))
    assert curve.auc == pytest.approx(correct_auc(pu_auc(score_pos, score_unl), alpha=alpha), abs=1e-9)


@either
@settings(deadline=None)
@given(scores, scores, st.floats(0, 0.9))
def test_every_point_is_what_its_threshold_does(scenario, target, score_pos, score_unl, alpha):
    shares = shares_of(score_pos, score_unl, alpha, scenario)
    curve = trace_curve(score_pos, score_unl, shares=shares, target=target)
    points = [
        estimate_confusion(score_pos, score_unl, threshold=threshold, shares=shares, target=target)
        for threshold in curve.threshold
    ]
    np.testing.assert_allclose(curve.recall, [point.recall for point in points], atol=1e-12)
    np.testing.assert_allclose(curve.fpr, [point.fpr for point in points], atol=1e-12)
    np.testing.assert_allclose(curve.precision[1:], [point.precision for point in points[1:]], rtol=1e-12, atol=1e-12)
    assert curve.precision[0] == 1
    assert (curve.recall[0], curve.recall[-1], curve.fpr[0]) == (0, 1, 0)
    assert curve.fpr[-1] == pytest.approx(1)


@either
@settings(deadline=None)
@given(scores, scores, st.floats(0, 0.9))
def test_a_clipped_curve_rises_within_the_unit_square(scenario, target, score_pos, score_unl, alpha):
    shares = shares_of(score_pos, score_unl, alpha, scenario)
    drawn = trace_curve(score_pos, score_unl, shares=shares, target=target).clipped()
    assert (np.diff(drawn.fpr) >= 0).all()
    assert (np.diff(drawn.recall) >= 0).all()
    for values in (drawn.fpr, drawn.recall, drawn.precision):
        assert values.min() >= 0
        assert values.max() <= 1


def test_a_curve_by_hand():
    pos, unl = np.array([3.0, 1.0]), np.array([3.0, 2.0, 1.0, 0.0])
    curve = trace_curve(pos, unl, shares=shares_of(pos, unl, 0.5), target="unlabelled")
    np.testing.assert_array_equal(curve.threshold, [3, 2, 1, 0, -np.inf])
    np.testing.assert_array_equal(curve.recall, [0, 0.5, 0.5, 1, 1])
    np.testing.assert_array_equal(curve.fpr, [0, 0, 0.5, 0.5, 1])
    np.testing.assert_allclose(curve.precision, [1, 1, 1 / 2, 2 / 3, 1 / 2])


def test_an_unknown_target_is_refused():
    pos = np.array([1.0])
    with pytest.raises(SettingError, match="target"):
        trace_curve(pos, pos, shares=shares_of(pos, pos, 0.5), target="test")
