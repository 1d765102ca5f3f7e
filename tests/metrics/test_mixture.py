import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from angularpu.errors import SettingError
from angularpu.metrics.mixture import labelled_part, share_called, solve_fpr, solve_precision
from angularpu.scenario.proportions import Proportions

share = st.floats(0, 1)
below_one = st.floats(0, 0.99)


@settings(deadline=None)
@given(share, share, below_one)
def test_the_fpr_mixes_with_the_recall_to_what_was_counted(recall, fpr, alpha):
    unl_share = alpha * recall + (1 - alpha) * fpr
    assert float(solve_fpr(recall, unl_share, alpha=alpha)) == pytest.approx(fpr, abs=1e-12)


@settings(deadline=None)
@given(share, share, below_one, st.integers(1, 1000), st.integers(1, 1000))
@pytest.mark.parametrize("scenario", ["one-sample", "two-sample"])
@pytest.mark.parametrize("target", ["population", "unlabelled"])
def test_every_target_is_a_mixture_with_its_own_share(scenario, target, recall, unl_share, alpha, n_pos, n_unl):
    shares = Proportions(n_pos=n_pos, n_unl=n_unl, scenario=scenario, alpha=alpha)
    rho, fpr = shares.share(target), float(solve_fpr(recall, unl_share, alpha=alpha))
    called = float(share_called(recall, unl_share, shares=shares, target=target))
    assert called == pytest.approx(rho * recall + (1 - rho) * fpr, abs=1e-9)


def test_labelled_rows_are_part_of_a_one_sample_population_only():
    parts = {
        (scenario, target): labelled_part(Proportions(10, 30, scenario, alpha=0.5), target=target)
        for scenario in ("one-sample", "two-sample")
        for target in ("population", "unlabelled")
    }
    assert parts.pop(("one-sample", "population")) == 0.25
    assert set(parts.values()) == {0.0}


def test_precision_where_no_row_of_the_target_is_called_says_whether_a_positive_is():
    np.testing.assert_array_equal(solve_precision(np.array([0.0, 0.2]), np.zeros(2), share=0.5), [0, 1])


def test_an_alpha_without_negatives_and_an_unknown_target_are_refused():
    with pytest.raises(SettingError, match="alpha"):
        solve_fpr(0.5, 0.5, alpha=1.0)
    with pytest.raises(SettingError, match="target"):
        labelled_part(Proportions(10, 30, "one-sample", alpha=0.5), target="everybody")
