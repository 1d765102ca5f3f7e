import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.isotonic import IsotonicRegression

from angularpu.decide.calibrate import Calibration, fit_calibration
from angularpu.decide.held_out import HeldOut
from angularpu.decide.prior_setting import resolve_prior
from angularpu.errors import ModelError, SettingError
from angularpu.metrics.calibration import expected_calibration_error

scores = st.lists(st.integers(-6, 6), min_size=1, max_size=30)
SETTINGS = [("one-sample", "population"), ("one-sample", "unlabelled"), ("two-sample", "population")]


@pytest.mark.parametrize(("scenario", "target"), SETTINGS)
@pytest.mark.parametrize("alpha", [0.1, 0.3, 0.5, 0.7])
def test_probabilities_are_right_on_new_rows_of_the_target(scenario, target, alpha, gaussians):
    trial = gaussians(alpha, apart=2.83, n_pos=1000, n_unl=4000, scenario=scenario)
    rng = np.random.default_rng(0)
    held = trial.draw(rng)
    y, score = trial.rows(target, n=50_000, rng=rng)
    known = fit_calibration(held, alpha, target=target).apply(score)
    assert expected_calibration_error(y, known) <= 0.03
    resolved = resolve_prior("bbe", held, target=target)
    estimated = fit_calibration(held, resolved.shares.alpha, target=target).apply(score)
    assert expected_calibration_error(y, estimated) <= abs(resolved.share - trial.prior(target)) + 0.03


@pytest.mark.parametrize("alpha", [0.1, 0.3, 0.5, 0.7])
def test_a_hundred_positives_are_enough_on_average_where_one_isotonic_regression_is_rougher(alpha, gaussians):
    trial = gaussians(alpha, apart=2.83, n_pos=100, n_unl=900)
    rng = np.random.default_rng(0)
    smooth, rough = [], []
    for _ in range(12):
        held = trial.draw(rng)
        y, score = trial.rows("population", n=20_000, rng=rng)
        smooth.append(expected_calibration_error(y, fit_calibration(held, alpha).apply(score)))
        rough.append(expected_calibration_error(y, calibrate_once(held, trial.prior("population"), score)))
    assert np.mean(smooth) <= 0.03
    assert np.mean(smooth) < np.mean(rough)


def calibrate_once(held, prior, score):
    """Regress once, without draws, knots or a second look at the mean."""
    both = np.concatenate([held.score_pos, held.score_unl])
    labelled = np.arange(len(both)) < len(held.score_pos)
    weight = np.where(labelled, 1 / len(held.score_pos), 1 / len(held.score_unl))
    model = IsotonicRegression(out_of_bounds="clip").fit(both, labelled, sample_weight=weight)
    share = model.predict(score)
    whole = (held.n_pos * share + held.n_unl * (1 - share)) / (held.n_pos + held.n_unl)
    return np.clip(prior * share / whole, 0, 1)


def test_a_calibration_stays_small_however_many_scores_there_are(gaussians):
    held = gaussians(0.3, n_pos=1000, n_unl=9000).draw(np.random.default_rng(0))
    calibration = fit_calibration(held, 0.3)
    assert 100 < len(calibration.score) <= 200
    assert calibration.score[0] == held.score_unl.min()
    assert calibration.score[-1] == max(held.score_pos.max(), held.score_unl.max())


def test_equal_scores_give_equal_probabilities(gaussians):
    held = gaussians(0.3).draw(np.random.default_rng(0))
    np.testing.assert_array_equal(fit_calibration(held, 0.3).probability, fit_calibration(held, 0.3).probability)


def test_the_population_s_posterior_is_not_that_of_the_unlabelled_rows(gaussians):
    trial = gaussians(0.2, n_pos=2000, n_unl=2000)
    rng = np.random.default_rng(0)
    wrong = fit_calibration(trial.draw(rng), 0.2, target="unlabelled")
    y, score = trial.rows("population", n=20_000, rng=rng)
    assert expected_calibration_error(y, wrong.apply(score)) > 0.1


@pytest.mark.parametrize(("scenario", "target"), SETTINGS)
def test_the_mean_over_the_target_s_rows_is_its_prior(scenario, target, gaussians):
    trial = gaussians(0.3, n_pos=200, n_unl=600, scenario=scenario)
    held = trial.draw(np.random.default_rng(0))
    calibration = fit_calibration(held, 0.3, target=target)
    means = [float(calibration.apply(score).mean()) for score in (held.score_pos, held.score_unl)]
    assert held.share_called(*means, target=target) == pytest.approx(trial.prior(target), abs=1e-6)


@pytest.mark.parametrize(("scenario", "target"), SETTINGS)
@settings(max_examples=40, deadline=None)  # every example regresses fifty draws
@given(pos=scores, unl=scores, alpha=st.floats(0, 1, allow_subnormal=False))
def test_any_scores_give_a_rising_line_within_zero_and_one(scenario, target, pos, unl, alpha):
    held = HeldOut(np.array(pos, float), np.array(unl, float), len(pos), len(unl), scenario, "held out")
    probability = fit_calibration(held, alpha, target=target).apply(np.linspace(-9, 9, 200))
    assert probability.dtype == np.float64
    assert (np.diff(probability) >= 0).all()
    assert 0 <= probability[0] <= probability[-1] <= 1


def test_scores_that_tell_nothing_get_the_prior():
    held = HeldOut(np.ones(20), np.ones(50), 20, 50, "two-sample", "held out")
    assert fit_calibration(held, 0.3).apply(np.array([-4.0, 1.0, 7.0])) == pytest.approx([0.3] * 3)


def test_a_calibration_survives_json(gaussians):
    calibration = fit_calibration(gaussians(0.3).draw(np.random.default_rng(0)), 0.3)
    again = Calibration.from_json(json.loads(json.dumps(calibration.to_json())))
    np.testing.assert_array_equal(again.score, calibration.score)
    np.testing.assert_array_equal(again.probability, calibration.probability)


@pytest.mark.parametrize(
    "content",
    [
        {},
        {"score": [], "probability": []},
        {"score": [0, 1], "probability": [0.5]},
        {"score": [1, 0], "probability": [0.1, 0.2]},
        {"score": [0, 1], "probability": [0.2, 0.1]},
        {"score": [0, 1], "probability": [0.2, 1.1]},
        {"score": [0, "a"], "probability": [0.2, 0.3]},
    ],
)
def test_a_damaged_calibration_is_refused(content):
    with pytest.raises(ModelError, match="again"):
        Calibration.from_json(content)


def test_a_share_beyond_one_is_refused(gaussians):
    with pytest.raises(SettingError, match=r"alpha must lie in \[0, 1\]"):
        fit_calibration(gaussians(0.3).draw(np.random.default_rng(0)), 1.3)
