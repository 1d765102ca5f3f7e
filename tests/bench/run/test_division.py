import numpy as np
import pytest

from angularpu.scenario.sample import make_sample
from angularpu_bench.run.division import divide


def make(n_pos, n=2000):
    return make_sample(np.zeros((n, 1)), np.arange(n) < n_pos, scenario="one-sample")


def test_a_fit_that_keeps_its_last_epoch_is_judged_by_the_rows_that_another_fit_holds_out():
    sample = make(400)
    own, ours = (divide(sample, seed=3, keeps_last=last, validation="hold-out") for last in (False, True))
    assert np.array_equal(own.pos, ours.pos)
    assert np.array_equal(own.unl, ours.unl)
    assert len(own.learn) == 2000
    assert len(ours.learn) == 2000 - len(ours.pos) - len(ours.unl)
    assert not np.isin(ours.learn, np.concatenate([ours.pos, ours.unl])).any()


@pytest.mark.parametrize(("n_pos", "keeps_last"), [(100, False), (50, True)])
def test_few_positives_are_all_judged_by(n_pos, keeps_last):
    sample = make(n_pos)
    division = divide(sample, seed=0, keeps_last=keeps_last, validation="folds")
    assert np.array_equal(division.pos, sample.pos)
    assert np.array_equal(division.unl, sample.unl)
    assert not division.is_split
