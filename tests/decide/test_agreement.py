"""Where the data cannot tell them apart, probability and decision say the same."""

import numpy as np
import pytest

from angularpu.decide.agreement import reconcile
from angularpu.decide.calibrate import Calibration
from angularpu.decide.held_out import HeldOut

LINE = Calibration(np.linspace(0, 10, 11), np.linspace(0, 1, 11))  # one half at a score of 5


def hold(*unl: float) -> HeldOut:
    score_pos = np.linspace(6.5, 9, 40)
    return HeldOut(score_pos, np.array(unl), n_pos=40, n_unl=len(unl), scenario="two-sample", source="held out")


@pytest.mark.parametrize("threshold", [4.25, 4.0, 6.0, 5.75])
def test_with_few_rows_between_the_probability_passes_one_half_at_the_threshold(threshold):
    held = hold(*np.linspace(0, 3, 60), 5.5, 4.5)
    met = reconcile(LINE, threshold, held=held, target="population")
    score = np.linspace(0, 10, 201)
    np.testing.assert_array_equal(met.apply(score) > 0.5, score > threshold)
    far = np.abs(score - 5) >= 2
    np.testing.assert_allclose(met.apply(score[far]), LINE.apply(score[far]))


def test_with_many_rows_between_they_part():
    held = hold(*np.linspace(0, 3, 60), *np.linspace(4.1, 4.9, 4))
    assert reconcile(LINE, 4.0, held=held, target="population") is LINE


def test_without_a_probability_above_one_half_nothing_changes():
    low = Calibration(np.array([0.0, 10.0]), np.array([0.0, 0.5]))
    assert reconcile(low, 9.99, held=hold(*np.linspace(0, 3, 60)), target="population") is low
