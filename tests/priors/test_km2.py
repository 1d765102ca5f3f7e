import numpy as np
import pytest

from angularpu.priors.km2 import _choose_kernel, _Curve, estimate_km2


@pytest.mark.parametrize("alpha", [0.1, 0.5])
def test_it_comes_near_the_share_of_well_separated_rows(draw_rows, alpha):
    found = estimate_km2(*draw_rows(alpha), rng=np.random.default_rng(0), most=300)
    assert found.alpha == pytest.approx(alpha, abs=0.08)


def test_the_slope_is_that_of_the_envelope_theorem(draw_rows):
    # d' = <F_lambda - W, F_U - F_P>/d at the best weights W.
    x_pos, x_unl = draw_rows(0.4, n_pos=40, n_unl=60)
    law, apart = np.repeat([1 / 60, 0.0], [60, 40]), np.repeat([1 / 60, -1 / 40], [60, 40])
    kernel, _ = _choose_kernel(np.concatenate([x_unl, x_pos]), apart)
    curve = _Curve(kernel, law, apart)
    distance = curve.measure(3.0)
    residual = kernel @ (law + 2 * apart - curve.weights)
    assert curve.find_slope(3.0) == pytest.approx(apart @ residual / distance, rel=0.02)


def test_columns_are_taken_as_they_are(draw_rows):
    x_pos, x_unl = draw_rows(0.3)
    loud = np.random.default_rng(0).normal(0, 1000, len(x_pos) + len(x_unl))  # a column that tells nothing drowns all
    rows = np.column_stack([x_pos, loud[: len(x_pos)]]), np.column_stack([x_unl, loud[len(x_pos) :]])
    plain, drowned = (estimate_km2(*each, rng=np.random.default_rng(0)) for each in ((x_pos, x_unl), rows))
    assert not plain.notes
    assert any("not to be relied on" in note for note in drowned.notes)


def test_the_same_rows_are_chosen_from_the_same_state(draw_rows):
    rows = draw_rows(0.3)
    first, second = (estimate_km2(*rows, rng=np.random.default_rng(7), most=100) for _ in range(2))
    assert first == second


def test_a_column_that_never_changes_does_no_harm(draw_rows):
    x_pos, x_unl = draw_rows(0.3)
    wide_pos, wide_unl = (np.column_stack([x, np.full(len(x), 3.0)]) for x in (x_pos, x_unl))
    plain, wide = (
        estimate_km2(*rows, rng=np.random.default_rng(0), most=100).alpha
        for rows in ((x_pos, x_unl), (wide_pos, wide_unl))
    )
    assert plain == pytest.approx(wide)


def test_it_cannot_exceed_its_bound(draw_rows):
    assert estimate_km2(*draw_rows(0.99), rng=np.random.default_rng(0), most=200).alpha <= 0.875


def test_rows_of_one_law_are_not_passed_over_in_silence(draw_rows):
    alike = estimate_km2(*draw_rows(0.5, separation=0.0), rng=np.random.default_rng(0), most=200)
    apart = estimate_km2(*draw_rows(0.5), rng=np.random.default_rng(0), most=200)
    assert any("not to be relied on" in note for note in alike.notes)
    assert not apart.notes
