import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from angularpu.priors.density_ratio import choose_bandwidths, estimate_ratio, roll_median


@given(st.lists(st.integers(0, 9), min_size=1, max_size=30), st.integers(0, 12))
def test_rolling_medians_are_those_of_a_loop_whose_window_shrinks_at_the_ends(values, reach):
    values = np.array(values, float)
    last = len(values) - 1
    sides = [min(reach, place, last - place) for place in range(len(values))]
    naive = [np.median(values[place - side : place + side + 1]) for place, side in enumerate(sides)]
    assert roll_median(values, reach).tolist() == naive


def test_the_ratio_rises_and_stops_at_fifty():
    rng = np.random.default_rng(0)
    ratio = estimate_ratio(rng.normal(9, 1, 500), np.append(rng.normal(9, 1, 30), rng.normal(0, 1, 1970)))
    assert (np.diff(ratio) >= 0).all()
    assert ratio[-1] == 50


def test_u_is_never_smoothed_more_than_p():
    pos, unl = np.array([0.0, 1.0]), np.array([0.0, 100.0])
    assert choose_bandwidths(pos, unl) == (0.05, 0.05)


def test_a_dip_among_rows_that_look_positive_is_filled():
    pos = np.repeat(np.arange(10.0, 20.0), 100) + np.tile(np.linspace(0, 0.99, 100), 10)
    crowd = np.linspace(15, 15.5, 400)  # unlabelled rows only, amid the positives
    ratio = estimate_ratio(pos, np.concatenate([pos, np.linspace(0, 9, 600), crowd]))
    assert np.count_nonzero(ratio > 1.9) > 800
