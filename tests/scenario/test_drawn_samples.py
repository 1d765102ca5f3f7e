from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from angularpu.data.sources import as_rows
from angularpu.errors import DataError, SettingError
from angularpu.scenario.labelling import label_by_subclass
from angularpu.scenario.one_sample import one_sample
from angularpu.scenario.oracle import supervised_sample
from angularpu.scenario.sample import Truth
from angularpu.scenario.two_sample import two_sample

X = np.arange(1000, dtype=np.float32)[:, None]
TRUTH = Truth((np.arange(1000) % 10 < 3).astype(np.int8))
DRAWS = {
    "one-sample": one_sample,
    "two-sample": two_sample,
    "overlapping": partial(two_sample, overlap=True),
}


def draw(how, n_labelled=100, seed=0, **settings):
    return DRAWS[how](as_rows(X), TRUTH, n_labelled=n_labelled, rng=np.random.default_rng(seed), **settings)


def read(sample):
    return sample.rows.take(np.arange(len(sample.rows)))[:, 0].astype(int)


@pytest.mark.parametrize("how", DRAWS)
def test_the_truth_comes_apart_and_aligned_to_the_rows(how):
    sample, truth = draw(how)
    assert not hasattr(sample, "y")
    assert isinstance(truth, Truth)
    np.testing.assert_array_equal(truth.y, TRUTH.y[read(sample)])
    assert truth.y[sample.pos].all()
    assert sample.n_pos == 100


@pytest.mark.parametrize("how", DRAWS)
def test_one_seed_gives_one_sample(how):
    prints = [draw(how, seed=seed)[0].fingerprint() for seed in (0, 0, 1)]
    assert prints[0] == prints[1] != prints[2]


def test_one_sample_keeps_the_rows_and_thins_the_unlabelled_positives():
    sample, truth = draw("one-sample")
    np.testing.assert_array_equal(read(sample), np.arange(1000))
    assert sample.scenario == "one-sample"
    assert truth.y[sample.unl].sum() == 200


def test_one_sample_may_label_every_positive():
    sample, truth = draw("one-sample", n_labelled=300)
    assert truth.y[sample.unl].sum() == 0


def test_overlapping_positives_are_copies_beside_the_whole_population():
    sample, _ = draw("overlapping")
    assert sample.scenario == "two-sample"
    np.testing.assert_array_equal(read(sample)[sample.unl], np.arange(1000))
    assert np.isin(read(sample)[sample.pos], np.flatnonzero(TRUTH.y)).all()


@given(st.integers(1, 299), st.integers(0, 5))
def test_disjoint_samples_share_no_row_and_keep_the_population_s_share(n_labelled, seed):
    sample, truth = draw("two-sample", n_labelled=n_labelled, seed=seed)
    assert len(np.unique(read(sample))) == len(sample.rows)
    n_positive = int(truth.y[sample.unl].sum())
    assert n_positive == 300 - n_labelled
    assert abs(sample.n_unl - n_positive / 0.3) <= 0.5 + 1e-9


def test_a_disjoint_sample_needs_a_positive_among_the_unlabelled():
    with pytest.raises(SettingError, match="overlap=True"):
        draw("two-sample", n_labelled=300)
    assert draw("overlapping", n_labelled=300)[0].n_unl == 1000


@pytest.mark.parametrize("how", DRAWS)
def test_the_chooser_decides_who_gets_a_label(how):
    even = partial(label_by_subclass, subclass=np.arange(1000) % 2, weights={0: 1.0, 1: 0.0})
    sample, _ = draw(how, chooser=even)
    assert (read(sample)[sample.pos] % 2 == 0).all()


@pytest.mark.parametrize("how", DRAWS)
def test_rows_and_truth_must_be_equally_many(how):
    with pytest.raises(DataError, match="1 rows but 1000"):
        DRAWS[how](as_rows(X[:1]), TRUTH, n_labelled=1, rng=np.random.default_rng(0))


@pytest.mark.parametrize("how", DRAWS)
def test_the_oracle_labels_exactly_the_true_positives(how):
    sample, truth = draw(how)
    oracle = supervised_sample(sample, truth)
    np.testing.assert_array_equal(oracle.s, truth.y)
    assert oracle.rows is sample.rows
    assert oracle.scenario == sample.scenario


def test_the_oracle_refuses_a_truth_about_other_rows():
    with pytest.raises(DataError, match="true classes"):
        supervised_sample(draw("two-sample")[0], TRUTH)
