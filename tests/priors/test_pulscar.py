import numpy as np
import pytest

from angularpu.priors.pulscar import estimate_pulscar


@pytest.mark.parametrize("alpha", [0.1, 0.3, 0.5, 0.7])
def test_it_comes_near_the_share_of_well_separated_scores(draw_scores, alpha):
    estimates = [estimate_pulscar(*draw_scores(alpha, seed=seed)).alpha for seed in range(3)]
    assert abs(np.mean(estimates) - alpha) < 0.08


def test_the_smallest_gap_bends_where_p_no_longer_fits_below_u(monkeypatch):
    # U holds 0.2 of P's density in both halves, and more where P is thin: 0.4 - alpha 2 and 1.6 - alpha 0.
    pos, unl = np.array([2.0, 0.0]), np.array([0.4, 1.6])
    given = iter([pos, unl])
    monkeypatch.setattr("angularpu.priors.pulscar.smooth_beta", lambda *_: next(given))
    # min(0.4 - 2 alpha, 1.6) has no bend in [0, 1] but at its end; a third, empty, place makes one at 0.2.
    given = iter([np.append(pos, 0.0), np.append(unl, 0.0)])
    found = estimate_pulscar(np.arange(20.0), np.arange(20.0) - 9)
    assert found.alpha == pytest.approx(0.2)
    assert found.diagnostics["bend"] == pytest.approx(0.002)
