import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from angularpu.priors.bbe import estimate_bbe


def loop_over_cuts(pos, unl, delta=0.1, gamma=0.01):
    spread = math.sqrt(math.log(4 / delta) / 2 / len(unl)) + math.sqrt(math.log(4 / delta) / 2 / len(pos))
    best = None
    for v in sorted({*pos, *unl}):
        q_pos, q_unl = np.mean([s >= v for s in pos]), np.mean([s >= v for s in unl])
        if q_pos > 0:
            value = q_unl / q_pos + (1 + gamma) / q_pos * spread
            if best is None or value < best[0] - 1e-12:
                best = (value, v, min(1, q_unl / q_pos))
    return best


scores = st.lists(st.integers(-5, 5), min_size=10, max_size=40)


@given(scores, scores)
def test_it_agrees_with_a_loop_over_all_cuts(pos, unl):
    if len({*pos, *unl}) == 1:
        return
    found = estimate_bbe(np.array(pos, float), np.array(unl, float))
    _, threshold, alpha = loop_over_cuts(pos, unl)
    assert found.diagnostics["threshold"] == threshold
    assert found.alpha == pytest.approx(alpha)


@given(scores, scores)
def test_only_the_order_of_scores_matters(pos, unl):
    if len({*pos, *unl}) == 1:
        return
    pos, unl = np.array(pos, float), np.array(unl, float)
    assert estimate_bbe(np.exp(pos), np.exp(unl)).alpha == estimate_bbe(pos, unl).alpha


def test_a_pure_top_gives_the_share_exactly():
    pos, unl = np.full(40, 1.0), np.repeat([1.0, 0.0], [30, 70])
    found = estimate_bbe(pos, unl)
    assert found.alpha == pytest.approx(0.3)
    assert found.diagnostics["share_pos"] == 1


def test_a_wider_penalty_moves_the_cut_down(draw_scores):
    pos, unl = draw_scores(0.3, separation=2.0)
    narrow, wide = (estimate_bbe(pos, unl, gamma=gamma).diagnostics["threshold"] for gamma in (0.01, 10.0))
    assert wide < narrow


def test_half_separation_leaves_it_too_high(draw_scores):
    errors = [estimate_bbe(*draw_scores(0.3, separation=1.415, seed=seed)).alpha - 0.3 for seed in range(5)]
    assert 0.03 < np.mean(errors) < 0.13
