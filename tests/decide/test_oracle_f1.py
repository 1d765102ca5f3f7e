import numpy as np
import pytest

from angularpu.decide.held_out import HeldOut
from angularpu.decide.oracle import oracle_f1
from angularpu.decide.rules import parse_rule
from angularpu.errors import DataError, SettingError
from angularpu.metrics.evaluation import evaluate
from angularpu.scenario.sample import Truth


def test_the_oracle_reaches_the_best_f1_on_its_own_rows():
    rng = np.random.default_rng(0)
    y = (rng.random(400) < 0.4).astype(np.int8)
    score = (rng.normal(size=400) + y).astype(np.float32)
    decision = oracle_f1(Truth(y), score)
    figures = evaluate(Truth(y), score, threshold=decision.threshold)
    assert figures["f1"] == pytest.approx(figures["best_f1"], abs=1e-12)
    assert decision.recall == pytest.approx(figures["recall"], abs=1e-12)
    assert decision.positive_share == np.mean(score > decision.threshold)
    assert decision.recall_low < decision.recall < decision.recall_high


def test_the_oracle_is_named_so():
    decision = oracle_f1(Truth(np.array([0, 1], np.int8)), np.array([0.0, 1.0]))
    assert decision.rule == "oracle-f1"
    assert "true labels" in decision.notes[0]


def test_without_true_labels_the_oracle_refuses():
    held = HeldOut(np.array([1.0]), np.array([0.0, 2.0]), 1, 2, "one-sample", "held out")
    with pytest.raises(SettingError, match="needs true labels"):
        parse_rule("oracle-f1").choose(held)


@pytest.mark.parametrize(
    ("y", "score", "message"),
    [([1, 1], [0.0, 1.0], "all the same"), ([1, 0], [1.0], "1 scores"), ([1, 0], [1.0, np.nan], "NaN")],
)
def test_one_class_other_rows_and_broken_scores_are_refused(y, score, message):
    with pytest.raises(DataError, match=message):
        oracle_f1(Truth(np.array(y, np.int8)), np.array(score))
