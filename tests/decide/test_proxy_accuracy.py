import numpy as np
import pytest
from scipy.stats import norm

from angularpu.decide.held_out import HeldOut
from angularpu.decide.proxy_accuracy import ProxyAccuracy
from angularpu.decide.threshold import list_thresholds


@pytest.mark.parametrize("scenario", ["one-sample", "two-sample"])
@pytest.mark.parametrize("target", ["population", "unlabelled"])
@pytest.mark.parametrize("alpha", [0.2, 0.5])
def test_the_threshold_is_near_that_of_the_best_accuracy(scenario, target, alpha, gaussians):
    trial = gaussians(alpha, n_pos=2000, n_unl=6000, scenario=scenario)
    prior = trial.prior(target)
    rule = ProxyAccuracy(prior=prior, target=target)

    def accuracy(threshold):
        return prior * trial.recall(threshold) + (1 - prior) * norm.cdf(threshold)

    # Equal unit Gaussians cross where apart * s - apart^2/2 = log((1 - pi)/pi).
    best = trial.apart / 2 + np.log((1 - prior) / prior) / trial.apart
    chosen = rule.choose(trial.draw(np.random.default_rng(0))).threshold
    assert chosen == pytest.approx(best, abs=0.3)
    assert accuracy(chosen) > accuracy(best) - 0.003


def test_the_criterion_is_accuracy_plus_the_prior_when_the_negatives_are_known():
    pos, neg = np.array([2.0, 3.0, 5.0, 6.0]), np.array([0.0, 1.0, 4.0, 2.5, 0.5, 1.5])
    held = HeldOut(pos, np.concatenate([pos, neg]), 4, 10, "two-sample", "held out")
    thresholds = list_thresholds(held.score_pos, held.score_unl)
    at = ProxyAccuracy(prior=0.4).find(held, thresholds)
    accuracy = [(np.sum(pos > t) + np.sum(neg <= t)) / 10 for t in thresholds.value]
    assert accuracy[at] == max(accuracy)
