import numpy as np
import pytest

from angularpu.data.sources import as_rows
from angularpu.errors import SettingError
from angularpu.metrics.pu import area_under_lift, correct_auc, proxy_accuracy, pu_auc
from angularpu.metrics.ranking import auc
from angularpu.scenario.one_sample import one_sample
from angularpu.scenario.proportions import Proportions
from angularpu.scenario.sample import Truth
from angularpu.scenario.two_sample import two_sample


@pytest.mark.parametrize("draw", [one_sample, two_sample])
@pytest.mark.parametrize("prior", [0.2, 0.5])
def test_the_corrected_auc_recovers_the_true_one_in_both_scenarios(draw, prior):
    rng = np.random.default_rng(0)
    y = (rng.random(40_000) < prior).astype(np.int8)
    score = rng.normal(size=40_000) + 1.5 * y
    sample, truth = draw(as_rows(score[:, None]), Truth(y), n_labelled=3000, rng=rng)
    score = np.asarray(sample.rows.take(np.arange(len(sample.rows))))[:, 0]
    alpha = float(truth.y[sample.unl].mean())
    measured = pu_auc(score[sample.pos], score[sample.unl])
    true = auc(score[truth.y == 1], score[truth.y == 0])
    assert correct_auc(measured, alpha=alpha) == pytest.approx(true, abs=0.02)
    assert measured < true - 0.02


def test_the_population_s_prior_in_place_of_alpha_exaggerates_the_auc():
    # One sample, half of the positives labelled: pi = 0.5 but alpha = 1/3.
    honest, mixed_up = (correct_auc(1 / 6 + 2 / 3 * 0.92, alpha=alpha) for alpha in (1 / 3, 1 / 2))
    assert honest == pytest.approx(0.92)
    assert mixed_up > 1


@pytest.mark.parametrize("alpha", [-0.1, 1.0, float("nan")])
def test_an_impossible_alpha_is_refused(alpha):
    with pytest.raises(SettingError, match="alpha"):
        correct_auc(0.7, alpha=alpha)


@pytest.mark.parametrize("target", ["population", "unlabelled"])
@pytest.mark.parametrize("scenario", ["one-sample", "two-sample"])
def test_the_area_under_the_lift_needs_no_alpha(scenario, target):
    rng = np.random.default_rng(0)
    pos, unl = rng.normal(1, 1, 30), rng.normal(0, 1, 70)
    rows = np.concatenate([pos, unl]) if (scenario, target) == ("one-sample", "population") else unl
    for alpha in (0.0, 0.2, 0.6):
        share = Proportions(30, 70, scenario, alpha=alpha).share(target)
        found = area_under_lift(correct_auc(pu_auc(pos, unl), alpha=alpha), share=share)
        assert found == pytest.approx(auc(pos, rows), abs=1e-12)


def test_the_best_proxy_accuracy_stands_at_the_best_accuracy():
    recall, fpr = np.array([1.0, 0.9, 0.6, 0.0]), np.array([1.0, 0.3, 0.1, 0.0])
    accuracy, called = 0.4 * recall + 0.6 * (1 - fpr), 0.4 * recall + 0.6 * fpr
    np.testing.assert_allclose(proxy_accuracy(recall, called, share=0.4), accuracy + 0.4)
