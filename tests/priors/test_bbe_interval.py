import numpy as np
from scipy.stats import norm

from angularpu.priors.bbe import estimate_bbe
from angularpu.priors.bbe_interval import bootstrap_bound


def test_the_interval_holds_the_ratio_at_the_chosen_cut_as_often_as_promised():
    alpha, apart, held = 0.3, 2.0, []
    for seed in range(120):
        rng = np.random.default_rng(seed)
        pos = rng.normal(apart, 1, 200)
        unl = rng.normal(size=1000) + apart * (rng.random(1000) < alpha)
        cut = estimate_bbe(pos, unl).diagnostics["threshold"]
        bound = alpha + (1 - alpha) * norm.sf(cut) / norm.sf(cut - apart)
        low, high = bootstrap_bound(pos, unl, draws=30, rng=rng)
        held.append(low <= bound <= high)
    assert 0.83 <= np.mean(held) <= 0.98


def test_without_the_gain_by_choosing_the_interval_would_lie_too_low():
    rng = np.random.default_rng(0)
    pos, unl = rng.normal(1, 1, 40), rng.normal(size=800)
    found = estimate_bbe(pos, unl)
    low, high = bootstrap_bound(pos, unl, draws=50, rng=rng)
    assert low <= found.alpha < high
    assert high - found.alpha > found.alpha - low
