import numpy as np
import pytest

from angularpu.priors import pulscar
from angularpu.priors.pulscar import _choose_points, _count_points, estimate_pulscar


@pytest.mark.parametrize("alpha", [0.1, 0.3, 0.5, 0.7])
def test_it_comes_near_the_share_of_well_separated_scores(draw_scores, alpha):
    estimates = [estimate_pulscar(*draw_scores(alpha, seed=seed)).alpha for seed in range(3)]
    assert abs(np.mean(estimates) - alpha) < 0.03


def test_alpha_is_where_p_no_longer_fits_below_u(monkeypatch):
    # Above 1/2 the densities of U and P have the ratios 0.5, 0.2 and 0.9; below it a smaller one, which does not count.
    pos, unl = np.array([1.0, 1.0, 1.0, 1.0, 2.0, 1.0, 1.0]), np.array([0.1, 1.0, 1.0, 0.5, 0.4, 0.9, 0.9])
    given = iter([pos, unl])
    monkeypatch.setattr(pulscar, "smooth_beta", lambda *_, **__: next(given))
    monkeypatch.setattr(pulscar, "_choose_bandwidth", lambda *_, **__: 0.1)
    monkeypatch.setattr(pulscar, "_count_points", lambda _: 6)
    found = estimate_pulscar(np.arange(20.0), np.arange(20.0) - 9)
    assert found.alpha == pytest.approx(0.2)
    assert found.diagnostics["gap"] == pytest.approx(0, abs=1e-12)


def test_the_number_of_points_is_scott_s_as_a_power_of_two():
    share = np.linspace(0, 1, 1000)  # 1000^(1/3)/(3.5 * 0.2889) is 9.9
    assert _count_points(share) == 8
    assert _count_points(np.repeat([0.0, 1.0], 6)) == 2  # 1.3, but less than two points would leave none above 1/2
    assert _count_points(np.ones(20)) == 2


@pytest.mark.parametrize(("last", "stop"), [(0.2, 5), (0.6, 6), (0.99, 8), (1.0, 9)])
def test_points_reach_from_a_half_to_the_first_beyond_the_last(last, stop):
    assert _choose_points(8, last=last) == slice(4, stop)


def test_a_million_scores_take_a_second_at_most_and_agree_with_fewer(draw_scores):
    many = estimate_pulscar(*draw_scores(0.3, n_pos=100_000, n_unl=900_000))
    assert many.alpha == pytest.approx(0.3, abs=0.02)
