from functools import partial

import numpy as np
import pytest

from angularpu.errors import DataError, SettingError
from angularpu.scenario.labelling import label_at_random, label_by_score, label_by_subclass

POSITIVES = np.arange(5, 405, 2)
FEATURES = np.random.default_rng(0).normal(size=(405, 3))
KIND = np.arange(405) % 3
CHOOSERS = {
    "at random": label_at_random,
    "by score": partial(label_by_score, features=FEATURES),
    "by subclass": partial(label_by_subclass, subclass=KIND, weights={0: 1.0, 1: 2.0, 2: 5.0}),
}


@pytest.mark.parametrize("chooser", CHOOSERS.values(), ids=CHOOSERS)
@pytest.mark.parametrize("n", [1, 50, 200])
def test_exactly_n_distinct_positives_get_a_label(chooser, n):
    chosen = chooser(POSITIVES, n, rng=np.random.default_rng(1))
    assert len(chosen) == n
    assert np.isin(chosen, POSITIVES).all()
    assert (np.diff(chosen) > 0).all()


@pytest.mark.parametrize("chooser", CHOOSERS.values(), ids=CHOOSERS)
def test_one_seed_gives_one_choice(chooser):
    first, again, other = (chooser(POSITIVES, 50, rng=np.random.default_rng(seed)) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, other)


@pytest.mark.parametrize("chooser", CHOOSERS.values(), ids=CHOOSERS)
@pytest.mark.parametrize("n", [-1, 0, 201])
def test_more_labels_than_positives_are_refused(chooser, n):
    with pytest.raises(SettingError, match="from 1 to 200"):
        chooser(POSITIVES, n, rng=np.random.default_rng(1))


def test_at_random_every_positive_is_as_likely_as_any_other():
    rng = np.random.default_rng(0)
    times = np.bincount(np.concatenate([label_at_random(np.arange(10), 3, rng=rng) for _ in range(4000)]))
    np.testing.assert_allclose(times / 4000, 0.3, atol=0.03)


def test_the_first_draw_by_score_follows_the_stated_formula():
    x = np.array([[-1.0], [0.0], [1.0], [4.0]])
    t = (x[:, 0] - x.mean()) / x.std()
    weight = 1 / (1 + np.exp(-2 * t))
    choose = partial(label_by_score, features=x, direction=np.array([3.0]), rng=np.random.default_rng(0))
    times = np.bincount(np.concatenate([choose(np.arange(4), 1) for _ in range(2000)]), minlength=4)
    np.testing.assert_allclose(times / 2000, weight / weight.sum(), atol=0.04)


def test_by_score_labels_lie_further_in_the_direction_and_the_opposite_way_for_its_opposite():
    means = [
        FEATURES[
            label_by_score(POSITIVES, 80, features=FEATURES, direction=direction, rng=np.random.default_rng(3)), 1
        ].mean()
        for direction in np.array([[0, 1, 0], [0, 0, 0], [0, -1, 0]])
    ]
    assert means[0] > means[1] + 0.2
    assert means[1] > means[2] + 0.2


def test_without_steepness_the_score_does_not_matter():
    by_score = label_by_score(
        POSITIVES, 50, features=FEATURES, direction=np.ones(3), steepness=0, rng=np.random.default_rng(4)
    )
    np.testing.assert_array_equal(by_score, label_at_random(POSITIVES, 50, rng=np.random.default_rng(4)))


def test_subclasses_are_labelled_in_proportion_to_their_weights():
    kind = np.arange(3000) % 3
    rng = np.random.default_rng(0)
    chosen = label_by_subclass(np.arange(3000), 160, subclass=kind, weights={0: 0, 1: 1, 2: 3}, rng=rng)
    share = np.bincount(kind[chosen], minlength=3) / 160
    assert share[0] == 0
    assert share[2] == pytest.approx(0.75, abs=0.1)


def test_a_subclass_without_weight_offers_no_labels():
    with pytest.raises(SettingError, match="from 1 to 2"):
        label_by_subclass(
            np.arange(4), 3, subclass=np.array([0, 0, 1, 1]), weights={0: 0, 1: 1}, rng=np.random.default_rng(0)
        )


@pytest.mark.parametrize(("weights", "message"), [({0: 1.0}, "lacks the subclass 1"), ({0: 1.0, 1: -1.0}, "zero or")])
def test_weights_must_be_complete_and_not_negative(weights, message):
    with pytest.raises(SettingError, match=message):
        label_by_subclass(np.arange(2), 1, subclass=np.array([0, 1]), weights=weights, rng=np.random.default_rng(0))


def test_features_must_be_numbers_and_match_the_direction():
    holed = np.array([[1.0], [np.nan]])
    with pytest.raises(DataError, match="finite"):
        label_by_score(np.arange(2), 1, features=holed, rng=np.random.default_rng(0))
    with pytest.raises(SettingError, match="each of 3 columns"):
        label_by_score(POSITIVES, 1, features=FEATURES, direction=np.ones(2), rng=np.random.default_rng(0))
