"""The check as a whole, and what it refuses."""

import numpy as np
import pytest

from angularpu.decide.scar import check_scar
from angularpu.decide.scar_tests import compare_kinds, compare_share
from angularpu.errors import DataError, SettingError


def draw(*, n_pos=200, like=200, negatives=400, apart=4.0):
    rng = np.random.default_rng(0)
    x_pos = rng.normal(apart, 1, (n_pos, 2))
    return x_pos, np.concatenate([rng.normal(apart, 1, (like, 2)), rng.normal(0, 1, (negatives, 2))])


def check(x_pos, x_unl, **options):
    return check_scar(x_pos.sum(1), x_unl.sum(1), x_pos, x_unl, rng=np.random.default_rng(1), **options)


def test_without_a_share_kinds_alone_are_compared():
    x_pos, x_unl = draw()
    kinds = compare_kinds(x_pos.sum(1), x_unl.sum(1), x_pos, x_unl, rng=np.random.default_rng(1))
    assert check(x_pos, x_unl) == kinds


def test_with_a_share_the_more_striking_p_value_counts_twice():
    x_pos, x_unl = draw()
    rng = np.random.default_rng(1)
    kinds = compare_kinds(x_pos.sum(1), x_unl.sum(1), x_pos, x_unl, rng=rng)
    share = compare_share(x_pos.sum(1), x_unl.sum(1), alpha=0.5, rng=rng)
    both = check(x_pos, x_unl, alpha=0.5)
    assert share.p_value < kinds.p_value
    assert both.p_value == pytest.approx(2 * share.p_value)
    assert both.power < 1
    assert "0.5 are said to be" in both.warning()


def test_a_true_share_raises_no_alarm():
    assert check(*draw(), alpha=1 / 3).holds


def test_single_precision_gives_the_same_answer():
    x_pos, x_unl = (x.astype(np.float32) for x in draw())
    single = check(x_pos, x_unl)
    assert single.statistic == pytest.approx(check(x_pos.astype(np.float64), x_unl.astype(np.float64)).statistic)


def test_classes_that_score_alike_are_noted():
    notes = check(*draw(apart=0.0)).notes
    assert any("score alike" in note for note in notes)


@pytest.mark.parametrize("alpha", [0.0, 1.0, -0.2, 1.3, float("nan")])
def test_a_share_outside_the_open_unit_interval_is_refused(alpha):
    with pytest.raises(SettingError, match=r"alpha must lie in \(0, 1\)"):
        check(*draw(), alpha=alpha)


@pytest.mark.parametrize("sizes", [{"n_pos": 12}, {"like": 5, "negatives": 7}])
def test_too_small_a_sample_is_refused(sizes):
    with pytest.raises(DataError, match="takes 13 labelled positives"):
        check(*draw(**sizes))


def test_a_row_without_its_score_is_refused():
    x_pos, x_unl = draw()
    with pytest.raises(DataError, match="every row needs its score, got 200 and 599 rows with 200 and 600 scores"):
        check_scar(x_pos.sum(1), x_unl.sum(1), x_pos, x_unl[1:], rng=np.random.default_rng(0))
