import numpy as np
import pytest
from scipy.stats import beta, binom

from angularpu.decide.recall_interval import bound_binomial, bound_order_statistic


@pytest.mark.parametrize(("k", "n"), [(1, 1), (3, 10), (10, 10), (950, 1000)])
def test_a_threshold_at_a_positive_has_the_beta_law_s_bounds(k, n):
    assert bound_order_statistic(k, n) == pytest.approx(beta(k, n + 1 - k).ppf([0.05, 0.95]), abs=1e-9)


@pytest.mark.parametrize(("k", "n"), [(0, 10), (3, 10), (10, 10), (950, 1000)])
def test_at_either_binomial_bound_the_count_is_a_one_in_twenty_surprise(k, n):
    low, high = bound_binomial(k, n)
    assert low == 0 if k == 0 else binom(n, low).sf(k - 1) == pytest.approx(0.05)
    assert high == 1 if k == n else binom(n, high).cdf(k) == pytest.approx(0.05)


@pytest.mark.parametrize("recall", [0.3, 0.9, 0.97])
def test_the_binomial_interval_covers_at_least_nine_times_in_ten(recall):
    k = np.arange(51)
    bounds = np.array([bound_binomial(int(count), 50) for count in k])
    covered = (bounds[:, 0] <= recall) & (recall <= bounds[:, 1])
    assert binom(50, recall).pmf(k)[covered].sum() >= 0.9
