import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from angularpu.errors import DataError, SettingError
from angularpu.metrics.pu_risk import nnpu_risk, upu_risk
from angularpu.scenario.proportions import Proportions

scores = st.lists(st.floats(-5, 5), min_size=1, max_size=10).map(np.array)
losses = pytest.mark.parametrize("loss", ["sigmoid", "logistic"])


def naive_loss(margin, loss):
    return 1 / (1 + np.exp(margin)) if loss == "sigmoid" else np.log(1 + np.exp(-margin))


@losses
@settings(deadline=None)
@given(scores, scores, st.floats(0.01, 0.9))
def test_in_two_samples_the_risk_is_du_plessis_formula_with_the_prior(loss, score_pos, score_unl, prior):
    shares = Proportions.from_prior(prior, n_pos=5, n_unl=20, scenario="two-sample")
    positives = prior * naive_loss(score_pos, loss).mean()
    negatives = naive_loss(-score_unl, loss).mean() - prior * naive_loss(-score_pos, loss).mean()
    for target in ("population", "unlabelled"):
        found = upu_risk(score_pos, score_unl, shares=shares, target=target, loss=loss)
        assert found == pytest.approx(positives + negatives, abs=1e-9)
        found = nnpu_risk(score_pos, score_unl, shares=shares, target=target, loss=loss)
        assert found == pytest.approx(positives + max(0, negatives), abs=1e-9)


@losses
@settings(deadline=None)
@given(scores, scores, st.floats(0, 0.9))
def test_in_one_sample_the_population_is_labelled_and_unlabelled_rows_together(loss, score_pos, score_unl, alpha):
    shares = Proportions(len(score_pos), len(score_unl), "one-sample", alpha=alpha)
    every = np.concatenate([score_pos, score_unl])
    difference = naive_loss(score_pos, loss).mean() - naive_loss(-score_pos, loss).mean()
    expected = naive_loss(-every, loss).mean() + shares.prior * difference
    assert upu_risk(score_pos, score_unl, shares=shares, loss=loss) == pytest.approx(expected, abs=1e-9)


@settings(deadline=None)
@given(scores, scores, st.floats(0, 0.9))
@pytest.mark.parametrize("scenario", ["one-sample", "two-sample"])
def test_the_non_negative_risk_is_never_below_zero_nor_below_the_unbiased_one(scenario, score_pos, score_unl, alpha):
    shares = Proportions(3, 9, scenario, alpha=alpha)
    found = nnpu_risk(score_pos, score_unl, shares=shares)
    assert found >= max(0, upu_risk(score_pos, score_unl, shares=shares))


def test_extreme_float32_scores_neither_overflow_nor_vanish():
    shares = Proportions(1, 1, "two-sample", alpha=0.5)
    far = np.array([1e5], np.float32)
    assert upu_risk(far, -far, shares=shares, loss="logistic") == pytest.approx(-0.5e5)
    assert nnpu_risk(-far, -far, shares=shares, loss="logistic") == pytest.approx(0.5e5)


def test_an_unknown_loss_and_bad_scores_are_refused():
    shares = Proportions(1, 1, "two-sample", alpha=0.5)
    with pytest.raises(SettingError, match="hinge"):
        upu_risk(np.ones(1), np.ones(1), shares=shares, loss="hinge")
    with pytest.raises(DataError, match="infinite"):
        nnpu_risk(np.ones(1), np.array([np.inf]), shares=shares)
