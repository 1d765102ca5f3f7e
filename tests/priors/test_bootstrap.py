import functools

import numpy as np
import pytest

from angularpu.errors import SettingError
from angularpu.priors.alpha import Alpha
from angularpu.priors.bbe import estimate_bbe
from angularpu.priors.bootstrap import bootstrap_alpha
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


@pytest.mark.parametrize("settings", [{"draws": 0}, {"draws": 2.5}, {"level": 0.0}, {"level": 1.0}])
def test_settings_without_sense_are_refused(settings):
    with pytest.raises(SettingError, match=f"{next(iter(settings))} must"):
        bootstrap_alpha(estimate_bbe, np.ones(10), np.ones(10), rng=np.random.default_rng(0), **settings)
