import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from angularpu.errors import DataError, SettingError
from angularpu.metrics.pu_confusion import estimate_confusion
from angularpu.scenario.proportions import Proportions

scores = st.lists(st.integers(-3, 3), min_size=1, max_size=20).map(lambda x: np.array(x, dtype=np.float64))
scenarios = pytest.mark.parametrize("scenario", ["one-sample", "two-sample"])
targets = pytest.mark.parametrize("target", ["population", "unlabelled"])
METRICS = ("recall", "fpr", "share_called", "precision", "f1", "accuracy")


def estimate(score_pos, score_unl, *, alpha, scenario="one-sample", target="population", threshold=0.5):
    shares = Proportions(n_pos=len(score_pos), n_unl=len(score_unl), scenario=scenario, alpha=alpha)
    return estimate_confusion(score_pos, score_unl, threshold=threshold, shares=shares, target=target)


def test_metrics_by_hand():
    # U: 2 of 4 above, half of U positive, R = 3/4: so FPR = (1/2 - 3/8)/(1/2) = 1/4.
    pos, unl = np.array([1.0, 1, 1, 0]), np.array([1.0, 1, 0, 0])
    of_unl = estimate(pos, unl, alpha=0.5, target="unlabelled")
    assert (of_unl.recall, of_unl.fpr, of_unl.share_called) == (0.75, 0.25, 0.5)
    assert (of_unl.precision, of_unl.f1, of_unl.accuracy, of_unl.proxy_accuracy) == (0.75, 0.75, 0.75, 1.25)
    # The population of eight rows has six positives, of which 4.5 are called, and half a negative beside them.
    of_all = estimate(pos, unl, alpha=0.5)
    assert (of_all.share, of_all.share_called) == (0.75, 5 / 8)
    assert of_all.precision == pytest.approx(4.5 / 5)
    assert of_all.f1 == pytest.approx(2 * 4.5 / (6 + 5))
    assert of_all.accuracy == pytest.approx((4.5 + 1.5) / 8)
    assert estimate(pos, unl, alpha=0.5, scenario="two-sample") == dataclasses.replace(of_unl, target="population")


@scenarios
@targets
@settings(deadline=None)
@given(scores, scores, st.floats(0, 0.95), st.integers(-4, 4))
def test_metrics_are_finite_belong_together_and_clip_into_range(
    scenario, target, score_pos, score_unl, alpha, threshold
):
    raw = estimate(score_pos, score_unl, alpha=alpha, scenario=scenario, target=target, threshold=threshold)
    clipped = raw.clipped()
    assert all(math.isfinite(getattr(raw, metric)) for metric in METRICS)
    assert all(0 <= getattr(clipped, metric) <= 1 for metric in METRICS)
    assert raw.proxy_accuracy == pytest.approx(raw.accuracy + raw.share, abs=1e-9)
    if raw.recall > 0 and raw.share > 1e-9 and raw.share_called > 0:
        harmonic = 2 / (1 / raw.precision + 1 / raw.recall)
        assert raw.f1 == pytest.approx(harmonic, rel=1e-9)
    if 0 <= raw.fpr <= 1:
        assert clipped.precision == pytest.approx(raw.precision, abs=1e-9) or raw.share_called == 0
    assert clipped.clipped() == clipped


@scenarios
@targets
def test_thresholds_beyond_all_scores_give_the_limits(scenario, target):
    pos, unl = np.array([1.0, 2]), np.array([1.0, 2, 3])
    none = estimate(pos, unl, alpha=0.4, scenario=scenario, target=target, threshold=9)
    assert (none.recall, none.fpr, none.precision, none.f1) == (0, 0, 0, 0)
    assert none.accuracy == pytest.approx(1 - none.share)
    every = estimate(pos, unl, alpha=0.4, scenario=scenario, target=target, threshold=-9)
    assert (every.recall, every.fpr) == (1, pytest.approx(1))
    assert every.precision == pytest.approx(every.share)
    assert every.accuracy == pytest.approx(every.share)


def test_without_hidden_positives_the_unlabelled_rows_are_the_negatives():
    counts = estimate(np.array([1.0, 0]), np.array([1.0, 0, 0, 0]), alpha=0)
    assert (counts.recall, counts.fpr) == (0.5, 0.25)
    assert counts.precision == pytest.approx(0.5)  # one of two called among the six rows
    assert estimate(np.array([1.0]), np.array([1.0, 0]), alpha=0, target="unlabelled").f1 == 0


def test_a_score_at_the_threshold_is_not_called():
    assert estimate(np.array([1.0, 2]), np.array([0.0]), alpha=0.1, threshold=1.0).recall == 0.5


def test_scores_and_shares_that_cannot_be_are_refused():
    with pytest.raises(DataError, match="NaN"):
        estimate(np.array([np.nan]), np.array([1.0]), alpha=0.1)
    with pytest.raises(DataError, match="at least one"):
        estimate(np.array([1.0]), np.array([1.0]).reshape(1, 1), alpha=0.1)
    with pytest.raises(SettingError, match="alpha"):
        estimate(np.array([1.0]), np.array([1.0]), alpha=1.0)
    with pytest.raises(SettingError, match="target"):
        estimate(np.array([1.0]), np.array([1.0]), alpha=0.1, target="all")
