import numpy as np
import pytest
from sklearn import metrics

from angularpu.errors import DataError
from angularpu.metrics.evaluation import evaluate
from angularpu.metrics.prior import implied_prior
from angularpu.scenario.sample import Truth


def test_all_metrics_agree_with_scikit_learn():
    rng = np.random.default_rng(0)
    y = (rng.random(500) < 0.4).astype(np.int8)
    score = (rng.normal(size=500) + y).astype(np.float32)
    found = evaluate(Truth(y), score, threshold=0.5)
    called = score > 0.5
    precision, recall, _ = metrics.precision_recall_curve(y, score)
    f1 = 2 * precision * recall / (precision + recall)
    expected = {
        "accuracy": metrics.accuracy_score(y, called),
        "precision": metrics.precision_score(y, called),
        "recall": metrics.recall_score(y, called),
        "f1": metrics.f1_score(y, called),
        "auc": metrics.roc_auc_score(y, score),
        "ap": metrics.average_precision_score(y, score),
        "recall_at_precision_90": recall[precision >= 0.90].max(),
        "recall_at_precision_95": recall[precision >= 0.95].max(),
        "implied_prior": y.mean(),
        "best_f1": f1.max(),
    }
    assert found == pytest.approx(expected, abs=1e-12)
    assert all(type(value) is float for value in found.values())
    three = {name: found[name] for name in ("accuracy", "precision", "recall")}
    assert implied_prior(**three) == pytest.approx(found["implied_prior"], abs=1e-12)


def test_a_row_on_the_threshold_is_not_called_positive():
    found = evaluate(Truth(np.array([1, 0], np.int8)), np.array([1.0, 0.0]), threshold=1.0)
    assert found["recall"] == 0


def test_a_truth_of_one_class_or_of_other_rows_is_refused():
    with pytest.raises(DataError, match="all the same"):
        evaluate(Truth(np.ones(3, np.int8)), np.arange(3.0), threshold=0.5)
    with pytest.raises(DataError, match="equally long"):
        evaluate(Truth(np.array([1, 0], np.int8)), np.arange(3.0), threshold=0.5)
