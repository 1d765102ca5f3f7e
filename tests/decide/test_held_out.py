"""Held-out scores count what is called positive as the metrics do."""

import numpy as np
import pytest

from angularpu.decide.held_out import HeldOut
from angularpu.errors import SettingError
from angularpu.metrics.mixture import share_called
from angularpu.scenario.proportions import Proportions

RECALL, UNL_SHARE = np.array([0.0, 0.3, 1.0]), np.array([0.0, 0.1, 0.7])


def make(scenario):
    return HeldOut(np.array([2.0, 3.0]), np.array([1.0, 2.5]), 37, 411, scenario, "held out")


@pytest.mark.parametrize("scenario", ["one-sample", "two-sample"])
@pytest.mark.parametrize("target", ["population", "unlabelled"])
def test_the_share_called_is_that_of_the_metrics(scenario, target):
    shares = Proportions(37, 411, scenario, alpha=0.2)
    np.testing.assert_allclose(
        make(scenario).share_called(RECALL, UNL_SHARE, target=target),
        share_called(RECALL, UNL_SHARE, shares=shares, target=target),
        rtol=1e-15,
    )


@pytest.mark.parametrize(("scenario", "target"), [("two-sample", "population"), ("one-sample", "unlabelled")])
def test_without_labelled_rows_in_the_target_the_share_is_that_of_the_unlabelled_rows_to_the_bit(scenario, target):
    np.testing.assert_array_equal(make(scenario).share_called(RECALL, UNL_SHARE, target=target), UNL_SHARE)


def test_a_target_that_does_not_exist_is_refused():
    with pytest.raises(SettingError, match="target must be"):
        make("one-sample").share_called(0.5, 0.5, target="labelled")
