import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from angularpu.errors import SettingError
from angularpu.metrics.posterior import estimate_posterior
from angularpu.metrics.pu_average_precision import estimate_average_precision
from angularpu.metrics.ranking import average_precision
from angularpu.scenario.proportions import Proportions

scores = st.lists(st.integers(-3, 3), min_size=1, max_size=20).map(lambda x: np.array(x, dtype=np.float32))
either = pytest.mark.parametrize(
    ("scenario", "target"), [("one-sample", "population"), ("one-sample", "unlabelled"), ("two-sample", "population")]
)


@either
@settings(deadline=None, max_examples=30)
@given(scores, scores, st.floats(0, 0.9))
def test_it_lies_between_0_and_1_whatever_the_scores(scenario, target, score_pos, score_unl, alpha):
    shares = Proportions(len(score_pos), len(score_unl), scenario, alpha)
    assert 0 <= estimate_average_precision(score_pos, score_unl, shares=shares, target=target) <= 1 + 1e-12


@either
@pytest.mark.parametrize(("n_pos", "n_unl"), [(30, 400), (100, 4900)])
def test_its_mean_over_small_samples_is_near_the_truth(scenario, target, n_pos, n_unl):
    rng = np.random.default_rng(0)
    shares = Proportions(n_pos, n_unl, scenario, 0.3)
    y = np.arange(200_000) < shares.share(target) * 200_000
    truth = average_precision(y.astype(int), rng.normal(2 * y))
    found = [
        estimate_average_precision(
            rng.normal(2, 1, n_pos), rng.normal(2.0 * (rng.random(n_unl) < 0.3)), shares=shares, target=target
        )
        for _ in range(30)
    ]
    assert np.mean(found) == pytest.approx(truth, abs=0.03)
    assert np.std(found) < 0.08


def test_it_is_the_expected_precision_by_a_plain_loop():
    rng = np.random.default_rng(1)
    score_pos, score_unl = rng.normal(1, 1, 40).round(1), rng.normal(0, 1, 90).round(1)
    shares = Proportions(40, 90, "one-sample", 0.2)
    knots, chance = estimate_posterior(score_pos, score_unl, shares=shares, target="population")
    rows = np.concatenate([score_pos, score_unl])
    weight = np.interp(rows, knots, chance)
    expected = sum(w * weight[rows >= at].mean() for at, w in zip(rows, weight, strict=True)) / weight.sum()
    assert estimate_average_precision(score_pos, score_unl, shares=shares) == pytest.approx(expected)


def test_without_positives_it_is_0():
    shares = Proportions(2, 2, "two-sample", 0.0)
    assert estimate_average_precision(np.array([1.0, 2.0]), np.array([0.0, 3.0]), shares=shares) == 0


def test_alpha_of_1_is_refused():
    with pytest.raises(SettingError, match="alpha"):
        estimate_average_precision(np.array([1.0]), np.array([0.0]), shares=Proportions(1, 1, "two-sample", 1.0))
