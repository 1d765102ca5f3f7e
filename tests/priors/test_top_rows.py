"""Counts of the rows with the highest scores."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from angularpu.priors.bbe import LEAST_ROWS, TopRows, count_top_rows, estimate_bbe


def test_alpha_is_the_part_of_u_over_the_part_of_p():
    assert TopRows(pos=50, unl=30, n_pos=100, n_unl=300).alpha == pytest.approx(0.2)


def test_a_gap_between_positives_and_the_rest_is_found():
    score_pos, score_unl = np.ones(40), np.repeat([1.0, 0.0], [60, 140])
    seen = count_top_rows(score_pos, score_unl, rng=np.random.default_rng(0))
    assert (seen.pos, seen.unl, seen.n_pos, seen.n_unl) == (40.5, 60.5, 40, 200)


def test_equal_scores_are_one_region():
    seen = count_top_rows(np.ones(LEAST_ROWS), np.ones(LEAST_ROWS), rng=np.random.default_rng(0))
    assert (seen.pos, seen.unl) == (LEAST_ROWS + 0.5, LEAST_ROWS + 0.5)


@given(st.integers(0, 2**32 - 1))
def test_only_the_order_of_scores_matters(seed):
    rng = np.random.default_rng(seed)
    score_pos, score_unl = rng.normal(1, 1, LEAST_ROWS), rng.normal(0, 1, 2 * LEAST_ROWS)
    plain = count_top_rows(score_pos, score_unl, rng=np.random.default_rng(1))
    assert count_top_rows(np.exp(score_pos), np.exp(score_unl), rng=np.random.default_rng(1)) == plain


def test_cuts_that_other_rows_chose_do_not_lean_downwards():
    """BBE's own share, its cut chosen on the rows it counts, lies below the truth where the cut is chosen by noise."""
    own, others = [], []
    for seed in range(60):
        rng = np.random.default_rng(seed)
        score_pos, score_unl = rng.normal(size=100), rng.normal(size=400)
        own.append(estimate_bbe(score_pos, score_unl).alpha)
        others.append(count_top_rows(score_pos, score_unl, rng=rng).alpha)
    assert np.mean(others) == pytest.approx(1, abs=0.03)
    assert np.mean(own) < np.mean(others)
