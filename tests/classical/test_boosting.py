import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.special import expit, logit

from angularpu.classical.boosting import PUBoosting, match_alpha, start_shares

PROBABILITIES = arrays(np.float64, st.integers(2, 30), elements=st.floats(0, 1))


@pytest.mark.parametrize("find", [match_alpha, start_shares])
@settings(deadline=None)
@given(probability=PROBABILITIES, alpha=st.floats(0.001, 0.999))
def test_the_mean_over_the_unlabelled_rows_is_alpha_and_the_order_stays(find, probability, alpha):
    s = (np.arange(len(probability)) < 1).astype(np.int8)
    share = find(probability, s, alpha=alpha)
    assert share[1:].mean() == pytest.approx(alpha, abs=1e-6)
    assert np.all((share >= 0) & (share <= 1))
    assert np.all(np.diff(share[np.argsort(probability)]) >= 0)


def test_exact_odds_start_at_the_posterior_of_the_unlabelled_rows():
    posterior, n_pos, n_unl = np.array([0.9, 0.5, 0.1, 0.1]), 10, 40
    odds = n_pos / n_unl * posterior / posterior.mean()  # of P against U, f_P/f_U = posterior/alpha
    g = np.append(0.5, odds / (1 + odds))
    s = np.array([1, 0, 0, 0, 0], np.int8)
    np.testing.assert_allclose(start_shares(g, s, alpha=0.4)[1:], posterior, atol=1e-9)


def test_a_round_changes_nothing_when_the_probabilities_are_exact():
    """The fit on soft labels tends to l + (1 - l) w with l = P(s=1|x); shifted to mean alpha it is w again."""
    w, n_pos, n_unl = np.array([0.9, 0.5, 0.1, 0.1]), 10, 40
    odds = n_pos / n_unl * w / w.mean()
    labelled = odds / (1 + odds)
    target = np.append(1.0, labelled + (1 - labelled) * w)
    renewed = match_alpha(target, np.array([1, 0, 0, 0, 0], np.int8), alpha=0.4)
    np.testing.assert_allclose(renewed[1:], w, atol=1e-9)


def test_the_last_fit_takes_the_renewed_shares(oracle):
    g = np.append(np.full(4, 0.6), np.linspace(0.1, 0.6, 6))
    s = (np.arange(10) < 4).astype(np.int8)
    model = PUBoosting(base=oracle, alpha=0.25, rounds=1).fit(g[:, None], s, rng=np.random.default_rng(0))
    inside = model.parts()["classifier"]
    positive, negative = inside.weight_[4:10], inside.weight_[10:]
    np.testing.assert_allclose(inside.weight_[:4], 1)
    np.testing.assert_allclose(positive + negative, 1)
    assert positive.mean() == pytest.approx(0.25)
    shift = logit(positive) - logit(g[4:])
    np.testing.assert_allclose(positive, expit(logit(g[4:]) + shift[0]))
    assert model.numbers()["last_change"] > 0


def test_without_rounds_the_shares_are_the_scaled_odds(oracle):
    g = np.append(np.full(4, 0.6), np.linspace(0.1, 0.5, 6))
    s = (np.arange(10) < 4).astype(np.int8)
    model = PUBoosting(base=oracle, alpha=0.1, rounds=0).fit(g[:, None], s, rng=np.random.default_rng(0))
    w = model.parts()["classifier"].weight_[4:10]
    odds = g[4:] / (1 - g[4:])
    np.testing.assert_allclose(w, 0.1 * odds / odds.mean(), atol=1e-9)
    assert model.numbers() == {"last_change": 0.0}
