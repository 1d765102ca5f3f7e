import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from angularpu.errors import DataError, SettingError
from angularpu.scenario import split as module
from angularpu.scenario.sample import make_sample
from angularpu.scenario.split import folds, hold_out, plan_validation


def sample_of(n_pos, n_unl, scenario="one-sample"):
    s = np.random.default_rng(0).permutation(np.arange(n_pos + n_unl) < n_pos)
    return make_sample(np.zeros((n_pos + n_unl, 1), np.float32), s, scenario=scenario)


def held_counts(sample, split):
    n_pos = int(sample.s[split.held].sum())
    return n_pos, len(split.held) - n_pos


@pytest.mark.parametrize(
    ("n_pos", "n_unl", "share", "expected"),
    [(1000, 5000, 0.1, (100, 500)), (100, 5000, 0.1, (30, 500)), (31, 2, 0.1, (30, 1)), (400, 600, 0.25, (100, 150))],
)
def test_a_hold_out_takes_its_share_of_both_and_at_least_thirty_positives(n_pos, n_unl, share, expected):
    sample = sample_of(n_pos, n_unl)
    split = hold_out(sample, share=share, rng=np.random.default_rng(0))
    assert held_counts(sample, split) == expected
    np.testing.assert_array_equal(np.sort(np.concatenate(split)), np.arange(n_pos + n_unl))


@pytest.mark.parametrize(("n_pos", "n_unl"), [(30, 100), (100, 1)])
def test_a_hold_out_that_leaves_nothing_to_train_on_is_refused(n_pos, n_unl):
    with pytest.raises(DataError, match="use folds"):
        hold_out(sample_of(n_pos, n_unl), rng=np.random.default_rng(0))


@pytest.mark.parametrize("share", [0, 1, -0.5, float("nan")])
def test_a_share_outside_its_range_is_refused(share):
    with pytest.raises(SettingError, match="share"):
        hold_out(sample_of(100, 100), share=share, rng=np.random.default_rng(0))


@given(st.integers(2, 40), st.integers(2, 40), st.data())
def test_folds_hold_every_row_out_once_and_spread_both_kinds_evenly(n_pos, n_unl, data):
    k = data.draw(st.integers(2, min(n_pos, n_unl)))
    sample = sample_of(n_pos, n_unl)
    splits = folds(sample, k, rng=np.random.default_rng(0))
    np.testing.assert_array_equal(np.sort(np.concatenate([held for _, held in splits])), np.arange(n_pos + n_unl))
    for split in splits:
        assert len(np.intersect1d(*split)) == 0
        assert len(split.train) + len(split.held) == n_pos + n_unl
    for counts in zip(*(held_counts(sample, split) for split in splits), strict=True):
        assert min(counts) >= 1
        assert max(counts) - min(counts) <= 1


@pytest.mark.parametrize(("n_pos", "n_unl", "k"), [(3, 10, 4), (10, 3, 4), (10, 10, 1)])
def test_folds_that_cannot_be_dealt_are_refused(n_pos, n_unl, k):
    with pytest.raises(SettingError, match="into"):
        folds(sample_of(n_pos, n_unl), k, rng=np.random.default_rng(0))


@pytest.mark.parametrize(
    ("n_pos", "n_unl", "kind", "n_splits"),
    [
        (1000, 4000, "hold-out", 1),
        (999, 4000, "folds", 5),
        (3, 4000, "folds", 3),
        (50, 2, "folds", 2),
        (1, 4000, "none", 0),
        (500, 1, "none", 0),
    ],
)
def test_the_plan_follows_the_number_of_positives(n_pos, n_unl, kind, n_splits):
    plan = plan_validation(sample_of(n_pos, n_unl), rng=np.random.default_rng(0))
    assert plan.kind == kind
    assert len(plan.splits) == n_splits
    assert plan.note


def test_a_plan_holds_out_a_tenth_and_at_least_thirty_positives():
    sample = sample_of(310, 4000)
    plan = plan_validation(sample, rng=np.random.default_rng(0), validation="hold-out")
    assert held_counts(sample, plan.splits[0]) == (31, 400)
    assert "31 labelled positives and 400 unlabelled rows" in plan.note


def test_without_validation_the_plan_says_so():
    plan = plan_validation(sample_of(1, 9), rng=np.random.default_rng(0))
    assert plan.note == "no validation: 1 labelled positive(s) and 9 unlabelled row(s) cannot be split in two"


def test_either_plan_may_be_asked_for():
    rng = np.random.default_rng(0)
    assert plan_validation(sample_of(5000, 400), rng=rng, validation="folds").kind == "folds"
    with pytest.raises(DataError, match="use folds"):
        plan_validation(sample_of(20, 400), rng=rng, validation="hold-out")


@pytest.mark.parametrize("n_pos", [50, 1400])
def test_a_plan_depends_on_seed_and_labels_alone(n_pos):
    plans = [
        plan_validation(sample_of(n_pos, 600, scenario), rng=np.random.default_rng(seed))
        for scenario, seed in (("one-sample", 7), ("two-sample", 7), ("one-sample", 8))
    ]
    first, again, other = ([split.held for split in plan.splits] for plan in plans)
    assert all(np.array_equal(a, b) for a, b in zip(first, again, strict=True))
    assert not np.array_equal(first[0], other[0])


@pytest.mark.parametrize("validation", ["folds", "hold-out"])
def test_a_plan_holds_out_a_draw_of_very_many_unlabelled_rows_and_never_trains_on_the_rest(validation, monkeypatch):
    monkeypatch.setattr(module, "MOST_HELD", 100)
    sample = make_sample(np.zeros((5000, 1)), np.arange(5000) < 400, scenario="one-sample")
    plan = plan_validation(sample, rng=np.random.default_rng(0), validation=validation)
    unthinned = (
        folds(sample, 5, rng=np.random.default_rng(0))
        if validation == "folds"
        else [hold_out(sample, rng=np.random.default_rng(0))]
    )
    for (train, held), (train_of_all, held_of_all) in zip(plan.splits, unthinned, strict=True):
        assert (train == train_of_all).all()
        assert (sample.s[held] == 0).sum() == 100 // len(plan.splits)
        assert sample.s[held].sum() == sample.s[held_of_all].sum()
        assert np.isin(held, held_of_all).all()
        assert (np.diff(held) > 0).all()
