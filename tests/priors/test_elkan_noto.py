import numpy as np
import pytest

from angularpu.priors.elkan_noto import estimate_elkan_noto


def test_a_mean_probability_of_a_half_means_as_many_hidden_as_labelled():
    pos, unl = np.tile([np.log(3), -np.log(3)], 50), np.linspace(-5, 0, 400)  # probabilities 3/4 and 1/4
    found = estimate_elkan_noto(pos, unl, n_pos=100, n_unl=400)
    assert found.diagnostics["label_freq"] == pytest.approx(0.5)
    assert found.alpha == pytest.approx(0.25)


def test_a_probability_below_the_base_rate_is_set_to_one_with_a_note():
    found = estimate_elkan_noto(np.full(50, -6.0), np.linspace(-7, 0, 400), n_pos=100, n_unl=400)
    assert found.alpha == 1
    assert any("set to 1" in note for note in found.notes)


def test_certainty_leaves_no_hidden_positives():
    found = estimate_elkan_noto(np.full(50, 800.0), np.linspace(-7, 0, 400), n_pos=100, n_unl=400)
    assert found.alpha == 0


def test_exact_probabilities_of_separated_groups_give_the_share(draw_scores):
    pos, unl = draw_scores(0.3, separation=6.0)
    assert estimate_elkan_noto(pos, unl, n_pos=1000, n_unl=4000).alpha == pytest.approx(0.3, abs=0.01)


def test_overlap_makes_it_too_high(draw_scores):
    pos, unl = draw_scores(0.3, separation=2.0)
    assert estimate_elkan_noto(pos, unl, n_pos=1000, n_unl=4000).alpha > 0.4
