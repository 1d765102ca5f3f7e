"""From a sample to a check of how its labels fell."""

from functools import partial

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.linear_model import LogisticRegression

from angularpu.errors import SettingError
from angularpu.fit.labelling_check import check_labelling
from angularpu.scenario.labelling import label_at_random, label_by_subclass
from angularpu.scenario.sample import PUSample, make_sample

N, N_POSITIVE, N_LABELLED = 1200, 500, 200
KIND = np.arange(N) % 2


def draw(choose, *, widen=lambda x: x, scale=1.0) -> PUSample:
    rng = np.random.default_rng(0)
    x = rng.standard_normal((N, 4))
    x[:N_POSITIVE, 0] += 4
    x[:N_POSITIVE, 1] += 6 * KIND[:N_POSITIVE] - 3
    labelled = choose(np.arange(N_POSITIVE), N_LABELLED, rng=rng)
    return make_sample(widen(x * [1, scale, 1, 1]), np.isin(np.arange(N), labelled), scenario="one-sample")


by_kind = partial(label_by_subclass, subclass=KIND, weights={0: 4.0, 1: 1.0})
check = partial(check_labelling, classifier=LogisticRegression())


def test_random_labels_pass():
    assert check(draw(label_at_random)).holds


def test_labels_that_favour_a_kind_are_found_out():
    found = check(draw(by_kind))
    assert not found.holds
    assert found.statistic > 3
    assert "kinds of positive" in found.warning()


def test_units_of_a_column_do_not_matter():
    assert check(draw(by_kind, scale=1e-3)).statistic == pytest.approx(check(draw(by_kind)).statistic)


@pytest.mark.parametrize("width", [4, 60])
def test_sparse_rows_are_checked_too(width):
    def widen(x):
        return sp.csr_matrix(np.hstack([x, np.eye(len(x), width - 4)]))

    assert check(draw(label_at_random, widen=widen)).holds
    assert not check(draw(by_kind, widen=widen)).holds


def test_the_default_classifier_makes_the_scores():
    assert not check_labelling(draw(by_kind)).holds


def test_a_share_known_from_outside_is_used():
    assert check(draw(label_at_random), alpha=0.3).holds
    assert "said to be" in check(draw(label_at_random), alpha=0.6).warning()


def test_a_population_of_positives_only_is_refused():
    with pytest.raises(SettingError, match="alpha"):
        check(draw(label_at_random), alpha=1.0)


def test_equal_seeds_give_equal_checks():
    assert check(draw(by_kind), seed=2) == check(draw(by_kind), seed=2)
