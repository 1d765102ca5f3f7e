import numpy as np
import pytest

from angularpu.errors import DataError, SettingError
from angularpu.metrics.pu_confusion import estimate_confusion
from angularpu.metrics.pu_intervals import bootstrap_intervals
from angularpu.scenario.proportions import Proportions

SHARES = Proportions(100, 400, "one-sample", alpha=0.3)


def draw_scores(rng, n_pos=100, n_unl=400, alpha=0.3):
    return rng.normal(2, 1, n_pos), rng.normal(2.0 * (rng.random(n_unl) < alpha))


def measure(score_pos, score_unl, shares):
    counts = estimate_confusion(score_pos, score_unl, threshold=1.0, shares=shares)
    return {"recall": counts.recall, "precision": counts.precision, "alpha": shares.alpha}


def test_one_seed_gives_one_interval_whatever_the_order_of_the_rows():
    scores = draw_scores(np.random.default_rng(0))
    shuffled = tuple(np.random.default_rng(1).permutation(score) for score in scores)
    first, again = (
        bootstrap_intervals(measure, each, shares=SHARES, rng=np.random.default_rng(5), draws=50)
        for each in (scores, shuffled)
    )
    other = bootstrap_intervals(measure, scores, shares=SHARES, rng=np.random.default_rng(6), draws=50)
    assert first == again
    assert first["recall"] != other["recall"]


def test_a_recall_has_its_binomial_standard_error():
    scores = draw_scores(np.random.default_rng(0), n_pos=1000)
    found = bootstrap_intervals(measure, scores, shares=SHARES, rng=np.random.default_rng(0), draws=1000)["recall"]
    assert found.se == pytest.approx(np.sqrt(found.value * (1 - found.value) / 1000), rel=0.1)
    assert found.high - found.low == pytest.approx(2 * 1.645 * found.se, rel=0.1)


def test_the_interval_covers_nine_times_in_ten():
    rng = np.random.default_rng(0)
    recall, fpr, prior = 0.8413447, 0.1586553, SHARES.prior
    true = {"recall": recall, "precision": prior * recall / (prior * recall + (1 - prior) * fpr)}
    covered = dict.fromkeys(true, 0)
    for _ in range(150):
        found = bootstrap_intervals(measure, draw_scores(rng), shares=SHARES, rng=rng, draws=100)
        for name, value in true.items():
            covered[name] += found[name].low <= value <= found[name].high
    assert {name: 0.82 < count / 150 < 0.97 for name, count in covered.items()} == dict.fromkeys(true, True), covered


def test_draws_of_alpha_widen_what_depends_on_it_and_nothing_else():
    rng = np.random.default_rng(0)
    scores, alpha_draws = draw_scores(rng, 1000, 4000), np.clip(rng.normal(0.3, 0.05, 200), 0, 0.9)
    known, estimated = (
        bootstrap_intervals(measure, scores, shares=SHARES, alpha_draws=draws, rng=np.random.default_rng(0), draws=400)
        for draws in (None, alpha_draws)
    )
    assert known["alpha"].low == known["alpha"].high == 0.3
    assert estimated["alpha"].se == pytest.approx(0.05, rel=0.2)
    assert estimated["alpha"].value == 0.3
    assert estimated["precision"].se > 1.5 * known["precision"].se
    assert estimated["recall"].se == pytest.approx(known["recall"].se, rel=0.15)


@pytest.mark.parametrize("alpha_draws", [[], [0.3, 1.0], [-0.1], [np.nan], [[0.3]]])
def test_draws_that_are_no_shares_are_refused(alpha_draws):
    scores = draw_scores(np.random.default_rng(0))
    with pytest.raises(SettingError, match="alpha_draws"):
        bootstrap_intervals(
            measure, scores, shares=SHARES, rng=np.random.default_rng(0), alpha_draws=np.array(alpha_draws)
        )


@pytest.mark.parametrize("wrong", [{"draws": 1}, {"draws": 2.5}, {"level": 1.0}, {"level": 0.0}])
def test_settings_out_of_range_and_missing_scores_are_refused(wrong):
    scores = draw_scores(np.random.default_rng(0))
    with pytest.raises(SettingError, match=f"{next(iter(wrong))} must"):
        bootstrap_intervals(measure, scores, shares=SHARES, rng=np.random.default_rng(0), **wrong)
    with pytest.raises(DataError, match="at least one"):
        bootstrap_intervals(measure, (scores[0], np.empty(0)), shares=SHARES, rng=np.random.default_rng(0))
