import numpy as np
import pytest

from angularpu.decide.bayes_vmf import BayesVMF
from angularpu.decide.held_out import HeldOut
from angularpu.errors import DataError
from angularpu.geometry.bayes import bayes_threshold
from angularpu.geometry.vmf_fit import fit_kappa
from angularpu.geometry.vmf_sample import sample_cosine


def held_of(cosine_pos, cosine_unl, scale=3.0):
    pos, unl = scale * np.asarray(cosine_pos), scale * np.asarray(cosine_unl)
    return HeldOut(pos, unl, len(pos), len(unl), "two-sample", "held out")


def test_rows_are_parted_as_by_the_closed_form():
    rng = np.random.default_rng(0)
    pos, unl = rng.uniform(0.1, 0.9, 60), rng.uniform(-0.5, 0.9, 300)
    decision = BayesVMF(d=32, scale=3.0, prior=0.3).choose(held_of(pos, unl))
    cosine = bayes_threshold(fit_kappa(float(pos.mean()), 32), 32, prior=0.3).cosine
    assert decision.recall == np.mean(pos >= cosine)
    assert decision.positive_share == np.mean(unl >= cosine)


def test_the_scale_of_the_score_is_not_the_concentration():
    pos, unl = np.linspace(0.2, 0.8, 40), np.linspace(-0.6, 0.8, 100)
    small, large = (BayesVMF(d=16, scale=s, prior=0.4).choose(held_of(pos, unl, s)) for s in (2.0, 16.0))
    assert large.threshold == pytest.approx(8 * small.threshold)


@pytest.mark.parametrize(("scale", "message"), [(1.0, "must be cosines, got 2.4"), (3.0, "point away")])
def test_scores_that_are_no_such_cosines_are_refused(scale, message):
    with pytest.raises(DataError, match=message):
        BayesVMF(d=16, scale=scale, prior=0.4).choose(held_of([-0.5, 0.1], [0.8, 0.0]))


def test_a_threshold_that_no_cosine_reaches_is_told():
    held = held_of(np.linspace(-0.09, 0.1, 50), np.linspace(-0.1, 0.1, 90))
    decision = BayesVMF(d=128, scale=3.0, prior=0.3).choose(held)
    assert "beyond [-1, 1]" in decision.notes[-1]
    assert decision.recall == 0
    assert decision.precision is None


def test_when_the_paper_s_model_holds_the_rule_is_the_most_accurate():
    rng = np.random.default_rng(0)
    y = rng.random(20_000) < 0.3
    vmf, uniform = (sample_cosine(kappa, 16, n=20_000, generator=rng) for kappa in (12.0, 0.0))
    cosine = np.where(y, vmf, uniform)
    held = held_of(sample_cosine(12.0, 16, n=2000, generator=rng), cosine)
    threshold = BayesVMF(d=16, scale=3.0, prior=0.3).choose(held).threshold / 3
    accuracy = [np.mean((cosine > cut) == y) for cut in np.linspace(-0.9, 0.9, 181)]
    assert np.mean((cosine > threshold) == y) > max(accuracy) - 0.003
