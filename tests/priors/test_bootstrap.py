import functools

import numpy as np
import pytest

from angularpu.errors import SettingError
from angularpu.priors.alpha import Alpha
from angularpu.priors.bbe import estimate_bbe
from angularpu.priors.bootstrap import bootstrap_alpha
from angularpu.priors.km2 import estimate_km2
from angularpu.priors.tice import estimate_tice


def test_the_same_state_gives_the_same_interval(draw_scores):
    scores = draw_scores(0.3, n_pos=200, n_unl=800)
    first, second = (bootstrap_alpha(estimate_bbe, *scores, draws=20, rng=np.random.default_rng(5)) for _ in range(2))
    assert first == second
    assert first != bootstrap_alpha(estimate_bbe, *scores, draws=20, rng=np.random.default_rng(6))


def test_the_interval_of_a_mean_is_the_binomial_one():
    unl = np.repeat([0.0, 1.0], [700, 300])
    low, high = bootstrap_alpha(
        lambda _, each: Alpha(float(each.mean())), np.ones(10), unl, draws=2000, rng=np.random.default_rng(0)
    )
    width = 1.645 * np.sqrt(0.3 * 0.7 / 1000)
    assert low == pytest.approx(0.3 - width, abs=0.003)
    assert high == pytest.approx(0.3 + width, abs=0.003)


def test_a_higher_level_is_wider(draw_scores):
    scores = draw_scores(0.3, n_pos=200, n_unl=800)
    ends = [
        bootstrap_alpha(estimate_bbe, *scores, draws=50, level=at, rng=np.random.default_rng(0)) for at in (0.5, 0.95)
    ]
    assert ends[1][0] < ends[0][0] < ends[0][1] < ends[1][1]


def test_rows_are_drawn_whole(draw_rows):
    estimate = functools.partial(estimate_tice, splits=20)
    low, high = bootstrap_alpha(estimate, *draw_rows(0.3), draws=5, rng=np.random.default_rng(0))
    assert 0 <= low <= high <= 1


@pytest.mark.parametrize("seed", range(3))
def test_tice_s_interval_holds_its_estimate_though_copies_of_rows_mislead_it(draw_rows, seed):
    rows = draw_rows(0.5, separation=2.83, n_pos=500, n_unl=2000, seed=seed)
    low, high = bootstrap_alpha(estimate_tice, *rows, draws=10, rng=np.random.default_rng(0))
    assert 0 <= low <= estimate_tice(*rows).alpha <= high <= 1


@pytest.mark.parametrize("seed", range(3))
def test_km2_s_interval_holds_its_estimate_of_few_rows(draw_rows, seed):
    rows = draw_rows(0.5, seed=seed)

    def make_estimate():
        return functools.partial(estimate_km2, rng=np.random.default_rng(seed), most=60)

    low, high = bootstrap_alpha(make_estimate(), *rows, draws=5, level=0.5, rng=np.random.default_rng(0))
    assert 0 <= low <= make_estimate()(*rows).alpha <= high <= 1


def test_an_interval_of_rows_is_as_wide_as_the_draws_are():
    rows, at = np.arange(40.0)[:, None], [0.5]  # the estimate, then draws around another middle
    alphas = iter([*at, *np.linspace(0.1, 0.3, 21)])
    low, high = bootstrap_alpha(
        lambda *_: Alpha(float(next(alphas))), rows, rows, draws=21, rng=np.random.default_rng(0)
    )
    assert (low, high) == pytest.approx((0.41, 0.59))


@pytest.mark.parametrize("settings", [{"draws": 0}, {"draws": 2.5}, {"level": 0.0}, {"level": 1.0}])
def test_settings_without_sense_are_refused(settings):
    with pytest.raises(SettingError, match=f"{next(iter(settings))} must"):
        bootstrap_alpha(estimate_bbe, np.ones(10), np.ones(10), rng=np.random.default_rng(0), **settings)
