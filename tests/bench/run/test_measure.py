import numpy as np
import pytest

from angularpu.decide.held_out import HeldOut
from angularpu_bench.run.measure import Scored, choose_oracle, measure


def make_scored(scenario="one-sample", seed=0):
    rng = np.random.default_rng(seed)
    y_unl, y_test = ((rng.random(n) < 0.3).astype(np.int8) for n in (400, 1000))
    pos = rng.normal(2, 1, 100)
    unl, test = (rng.normal(2 * y, 1).astype(np.float32) for y in (y_unl, y_test))
    held = HeldOut(pos, unl, n_pos=1000, n_unl=4000, scenario=scenario, source="held out")
    return Scored(held, y_unl, test, y_test)


def take_metrics(scored):
    return measure(scored, threshold="pu-f1,prior=bbe", prior="bbe", alpha=None)


def best_f1_by_hand(y, score):
    cuts = np.sort(np.unique(score))
    called = [score > cut for cut in np.concatenate([[cuts[0] - 1], cuts[:-1]])]
    return max(2 * (c & (y == 1)).sum() / (c.sum() + (y == 1).sum()) for c in called)


def test_stored_scores_give_the_same_metrics_again():
    scored = make_scored()
    again = Scored.restore(scored.arrays(), scored.describe())
    assert take_metrics(scored) == take_metrics(again)


def test_the_oracle_has_the_best_f1_on_the_held_out_rows_of_the_population():
    scored = make_scored()
    y = np.concatenate([np.ones(100, np.int8), scored.y_unl])
    score = np.concatenate([scored.held.score_pos, scored.held.score_unl])
    called = score > choose_oracle(scored).threshold
    f1 = 2 * (called & (y == 1)).sum() / (called.sum() + (y == 1).sum())
    assert f1 == pytest.approx(best_f1_by_hand(y, score))


def test_where_positives_were_drawn_apart_the_oracle_goes_by_the_unlabelled_rows():
    scored = make_scored("two-sample")
    called = scored.held.score_unl > choose_oracle(scored).threshold
    y = scored.y_unl
    f1 = 2 * (called & (y == 1)).sum() / (called.sum() + (y == 1).sum())
    assert f1 == pytest.approx(best_f1_by_hand(y, scored.held.score_unl))


def test_metrics_are_those_of_the_test_rows():
    scored = make_scored()
    metrics = take_metrics(scored)
    y, score = scored.y_test, scored.test
    pos, neg = score[y == 1], score[y == 0]
    assert metrics["auc"] == pytest.approx((pos[:, None] > neg).mean())
    assert metrics["best_f1"] == pytest.approx(best_f1_by_hand(y, score))
    assert metrics["f1_oracle"] <= metrics["best_f1"]
    assert metrics["recall_at_p95"] <= metrics["recall_at_p90"]
    assert 0 < metrics["brier"] < 0.25
    called = score > choose_oracle(scored).threshold
    assert metrics["accuracy_oracle"] == pytest.approx((called == y).mean())
    assert metrics["alpha"] == pytest.approx(0.3, abs=0.15)


def test_true_classes_move_only_what_is_called_oracle_or_measured():
    scored = make_scored()
    flipped = Scored(scored.held, 1 - scored.y_unl, scored.test, scored.y_test)
    first, second = take_metrics(scored), take_metrics(flipped)
    changed = {name for name in first if first[name] != second[name]}
    assert changed
    assert all(name.endswith("_oracle") for name in changed)
