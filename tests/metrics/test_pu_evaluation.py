import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit

from angularpu.data.sources import as_rows
from angularpu.metrics.evaluation import evaluate
from angularpu.metrics.pu_evaluation import evaluate_pu
from angularpu.metrics.pu_intervals import bootstrap_intervals
from angularpu.metrics.ranking import auc
from angularpu.scenario.one_sample import one_sample
from angularpu.scenario.proportions import Proportions
from angularpu.scenario.sample import Truth
from angularpu.scenario.two_sample import two_sample

scores = st.lists(st.integers(-3, 3), min_size=1, max_size=12).map(lambda x: np.array(x, dtype=np.float64))
scenarios = pytest.mark.parametrize("scenario", ["one-sample", "two-sample"])
targets = pytest.mark.parametrize("target", ["population", "unlabelled"])


def measure_truth(y, score, *, threshold):
    called, right = score > threshold, np.where(y == 1, 1, -1) * (score - threshold)
    metrics = evaluate(Truth(y), score, threshold=threshold)
    return {metric: metrics[metric] for metric in ("recall", "precision", "f1", "accuracy", "auc", "ap")} | {
        "fpr": called[y == 0].mean(),
        "share_called": called.mean(),
        "proxy_accuracy": metrics["accuracy"] + y.mean(),
        "aul": auc(score[y == 1], score),
        "upu_risk": expit(-right).mean(),
        "nnpu_risk": expit(-right).mean(),
    }


def rows_of(target, scenario, pos, unl):
    return np.concatenate([pos, unl]) if (scenario, target) == ("one-sample", "population") else unl


def without_ap(metrics):
    return {name: value for name, value in metrics.items() if name != "ap"}


@scenarios
@targets
@settings(max_examples=40, deadline=None)
@given(scores, scores, st.integers(1, 3), st.integers(-4, 3))
def test_every_metric_is_exact_when_labelled_positives_are_like_the_hidden_ones(
    scenario, target, positives, negatives, times, threshold
):
    unl = np.concatenate([np.tile(positives, times), negatives])
    y_unl = (np.arange(len(unl)) < times * len(positives)).astype(np.int8)
    shares = Proportions(len(positives), len(unl), scenario, alpha=float(y_unl.mean()))
    found = evaluate_pu(positives, unl, threshold=threshold, shares=shares, target=target)
    y = rows_of(target, scenario, np.ones(len(positives), np.int8), y_unl)
    true = measure_truth(y, rows_of(target, scenario, positives, unl), threshold=threshold)
    # The AP rests on probabilities that are smoothed over draws, so it is near, never exact.
    assert without_ap(found) == pytest.approx(without_ap(true), abs=1e-9)


@scenarios
@targets
def test_every_metric_lies_within_four_standard_errors_of_the_drawn_rows_own_truth(scenario, target):
    rng = np.random.default_rng(1)
    y = (rng.random(30_000) < 0.3).astype(np.int8)
    draw = one_sample if scenario == "one-sample" else two_sample
    sample, truth = draw(as_rows(rng.normal(2.0 * y)[:, None]), Truth(y), n_labelled=3000, rng=rng)
    score = np.asarray(sample.rows.take(np.arange(len(sample.rows))), np.float64)[:, 0]
    pos, unl = score[sample.pos], score[sample.unl]
    shares = Proportions(sample.n_pos, sample.n_unl, scenario, alpha=float(truth.y[sample.unl].mean()))

    def measure(pos, unl, shares):
        return evaluate_pu(pos, unl, threshold=1.2, shares=shares, target=target)

    found = bootstrap_intervals(measure, (pos, unl), shares=shares, rng=rng, draws=40)
    y_rows = rows_of(target, scenario, truth.y[sample.pos], truth.y[sample.unl])
    true = measure_truth(y_rows, rows_of(target, scenario, pos, unl), threshold=1.2)
    z = {metric: (found[metric].value - true[metric]) / found[metric].se for metric in true}
    assert max(np.abs(list(z.values()))) < 4, z


def test_taking_one_scenario_for_the_other_is_an_error_of_many_standard_errors():
    rng = np.random.default_rng(2)
    pos, unl = rng.normal(2, 1, 3000), rng.normal(2.0 * (rng.random(27_000) < 0.3))

    def measure(pos, unl, shares):
        return evaluate_pu(pos, unl, threshold=1.2, shares=shares)

    right = Proportions(3000, 27_000, "one-sample", alpha=0.3)
    wrong = Proportions.from_prior(right.prior, n_pos=3000, n_unl=27_000, scenario="two-sample")
    found = bootstrap_intervals(measure, (pos, unl), shares=right, rng=rng, draws=40)
    mixed_up = measure(pos, unl, wrong)
    for metric in ("auc", "fpr", "precision", "f1", "accuracy", "ap", "upu_risk"):
        assert abs(mixed_up[metric] - found[metric].value) > 4 * found[metric].se, metric
