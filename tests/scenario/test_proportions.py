import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from angularpu.data.sources import as_rows
from angularpu.errors import SettingError
from angularpu.scenario.one_sample import one_sample
from angularpu.scenario.proportions import Proportions
from angularpu.scenario.sample import Truth
from angularpu.scenario.two_sample import two_sample

SCENARIOS = ("one-sample", "two-sample")
counts = st.integers(1, 10**6)


@given(counts, counts, st.sampled_from(SCENARIOS), st.floats(0, 1))
def test_every_share_leads_back_to_the_others(n_pos, n_unl, scenario, alpha):
    shares = Proportions(n_pos, n_unl, scenario, alpha)
    sizes = {"n_pos": n_pos, "n_unl": n_unl, "scenario": scenario}
    n = n_pos + n_unl
    assert Proportions.from_prior(shares.prior, **sizes).alpha == pytest.approx(alpha, abs=1e-12 * n / n_unl)
    assert Proportions.from_label_freq(shares.label_freq, **sizes).alpha == pytest.approx(alpha, abs=1e-12 * n / n_unl)
    for target in ("population", "unlabelled"):
        again = Proportions.from_share(shares.share(target), target=target, **sizes)
        assert again.alpha == pytest.approx(alpha, abs=1e-12 * n / n_unl)


@pytest.mark.parametrize("seed", range(5))
def test_shares_agree_with_counts_in_a_simulated_one_sample_scenario(seed):
    rng = np.random.default_rng(seed)
    truth = Truth((rng.random(2000) < 0.3).astype(np.int8))
    sample, truth = one_sample(as_rows(np.zeros((2000, 1))), truth, n_labelled=150, rng=rng)
    alpha = truth.y[sample.unl].mean()
    shares = Proportions(sample.n_pos, sample.n_unl, sample.scenario, float(alpha))
    assert shares.prior == pytest.approx(truth.y.mean(), abs=1e-12)
    assert shares.label_freq == pytest.approx(150 / truth.y.sum(), abs=1e-12)
    assert shares.alpha < shares.prior


@pytest.mark.parametrize("overlap", [True, False])
def test_shares_agree_with_counts_in_a_simulated_two_sample_scenario(overlap):
    rng = np.random.default_rng(0)
    truth = Truth((rng.random(2000) < 0.3).astype(np.int8))
    population = truth.y.mean()
    sample, truth = two_sample(as_rows(np.zeros((2000, 1))), truth, n_labelled=150, rng=rng, overlap=overlap)
    shares = Proportions(sample.n_pos, sample.n_unl, sample.scenario, float(truth.y[sample.unl].mean()))
    assert shares.prior == pytest.approx(population, abs=1 / sample.n_unl)
    assert shares.label_freq == pytest.approx(sample.n_pos / truth.y.sum(), abs=1e-12)


def test_a_one_sample_prior_below_the_labelled_share_is_impossible():
    with pytest.raises(SettingError, match=r"\[0\.2, 1\] in the one-sample scenario, got 0\.1; 100 of 500"):
        Proportions.from_prior(0.1, n_pos=100, n_unl=400, scenario="one-sample")
    assert Proportions.from_prior(0.2, n_pos=100, n_unl=400, scenario="one-sample").alpha == 0
    assert Proportions.from_prior(0.1, n_pos=100, n_unl=400, scenario="two-sample").alpha == 0.1


@pytest.mark.parametrize("share", [-0.1, 1.1, float("nan")])
def test_shares_outside_their_range_are_refused(share):
    sizes = {"n_pos": 100, "n_unl": 400, "scenario": "two-sample"}
    with pytest.raises(SettingError, match=r"prior must lie in \[0, 1\]"):
        Proportions.from_prior(share, **sizes)
    with pytest.raises(SettingError, match=r"alpha must lie in \[0, 1\]"):
        Proportions.from_share(share, target="unlabelled", **sizes)
    with pytest.raises(SettingError, match=r"label_freq must lie in \[0\.2, 1\]"):
        Proportions.from_label_freq(share, **sizes)


def test_a_sample_without_rows_of_one_kind_has_no_shares():
    with pytest.raises(SettingError, match="at least 1"):
        Proportions.from_prior(0.5, n_pos=0, n_unl=0, scenario="one-sample")


def test_an_unknown_target_is_refused():
    with pytest.raises(SettingError, match="population"):
        Proportions.from_share(0.3, target="everything", n_pos=1, n_unl=1, scenario="two-sample")
