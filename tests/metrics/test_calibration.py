import numpy as np
import pytest

from angularpu.errors import DataError, SettingError
from angularpu.metrics.calibration import calibration_curve, expected_calibration_error


def test_bins_hold_equally_many_rows():
    p = np.random.default_rng(0).random(1000)
    assert calibration_curve(np.zeros(1000), p, bins=10).n.tolist() == [100] * 10


def test_the_error_agrees_with_a_loop_over_sorted_rows():
    rng = np.random.default_rng(0)
    p = rng.random(600)
    y = (rng.random(600) < p**2).astype(np.int8)
    parts = np.array_split(np.argsort(p), 6)
    naive = sum(len(part) / 600 * abs(p[part].mean() - y[part].mean()) for part in parts)
    assert expected_calibration_error(y, p, bins=6) == pytest.approx(naive)


def test_true_probabilities_have_next_to_no_error():
    rng = np.random.default_rng(0)
    p = rng.random(200_000)
    assert expected_calibration_error((rng.random(200_000) < p).astype(np.int8), p) < 0.006


def test_equal_probabilities_share_a_bin_whatever_the_order_of_the_rows():
    y = np.repeat([0, 1], 50)
    assert expected_calibration_error(y, np.full(100, 0.5)) == 0
    assert calibration_curve(y, np.full(100, 0.5)).n.tolist() == [100]


@pytest.mark.parametrize(
    ("y", "p", "message"),
    [([1], [0.1, 0.2], "equally long"), ([], [], "not empty"), ([1], [1.2], r"\[0, 1\]"), ([1], [np.nan], "scores")],
)
def test_what_are_no_probabilities_is_refused(y, p, message):
    with pytest.raises(DataError, match=message):
        expected_calibration_error(np.array(y), np.array(p, float))


def test_no_bin_at_all_is_refused():
    with pytest.raises(SettingError, match="bins"):
        calibration_curve(np.array([1]), np.array([0.5]), bins=0)
