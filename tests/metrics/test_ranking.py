import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score, f1_score, precision_recall_curve, roc_auc_score

from angularpu.errors import DataError, SettingError
from angularpu.metrics.precision_recall import PrecisionRecall
from angularpu.metrics.ranking import auc, average_precision, recall_at_precision

tied = st.lists(st.integers(-4, 4), min_size=1, max_size=30).map(lambda x: np.array(x, dtype=np.float32))
apart = st.lists(st.floats(-1e6, 1e6, width=32), min_size=1, max_size=30).map(lambda x: np.array(x, dtype=np.float32))


def join(pos, rest):
    return np.repeat([1, 0], [len(pos), len(rest)]), np.concatenate([pos, rest])


@settings(max_examples=40)
@given(tied | apart, tied | apart)
def test_metrics_agree_with_scikit_learn(pos, rest):
    y, score = join(pos, rest)
    assert auc(pos, rest) == pytest.approx(roc_auc_score(y, score), abs=1e-12)
    assert average_precision(y, score) == pytest.approx(average_precision_score(y, score), abs=1e-12)
    precision, recall, _ = precision_recall_curve(y, score)
    for floor in (0.5, 0.9, 1.0):
        expected = recall[precision >= floor].max()
        assert recall_at_precision(y, score, floor=floor) == pytest.approx(expected, abs=1e-12)


def test_metrics_agree_with_scikit_learn_on_many_rows():
    rng = np.random.default_rng(0)
    y = (rng.random(20_000) < 0.3).astype(np.int8)
    score = np.round(rng.normal(size=20_000) + y, 3).astype(np.float32)
    assert auc(score[y == 1], score[y == 0]) == pytest.approx(roc_auc_score(y, score), abs=1e-12)
    assert average_precision(y, score) == pytest.approx(average_precision_score(y, score), abs=1e-12)


@given(tied, tied)
def test_auc_counts_pairs_and_half_of_the_ties(pos, rest):
    difference = pos[:, None] - rest[None, :]
    assert auc(pos, rest) == pytest.approx(np.mean((difference > 0) + (difference == 0) / 2), abs=1e-12)
    assert auc(pos, rest) + auc(rest, pos) == pytest.approx(1, abs=1e-12)


@settings(max_examples=15)
@given(tied, tied)
def test_the_curve_s_best_f1_is_the_best_over_all_thresholds(pos, rest):
    y, score = join(pos, rest)
    naive = max(f1_score(y, score >= value, zero_division=0) for value in np.unique(score))
    assert PrecisionRecall.of(y, score).f1.max() == pytest.approx(naive, abs=1e-12)


def test_no_cut_reaching_the_precision_gives_no_recall():
    assert recall_at_precision(np.array([0, 1]), np.array([2.0, 1.0]), floor=0.9) == 0


def test_a_ranking_of_one_class_or_of_other_rows_is_refused():
    with pytest.raises(DataError, match="all the same"):
        average_precision(np.ones(3), np.arange(3.0))
    with pytest.raises(DataError, match="equally long"):
        average_precision(np.array([1, 0]), np.arange(3.0))
    with pytest.raises(DataError, match="NaN or infinite"):
        auc(np.array([np.nan]), np.array([1.0]))
    with pytest.raises(SettingError, match="floor"):
        recall_at_precision(np.array([1, 0]), np.arange(2.0), floor=95)
