import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from angularpu.errors import SettingError
from angularpu.metrics.classification import Confusion
from angularpu.metrics.prior import implied_prior

# CIFAR-10 in the paper's main table, per cent: accuracy, precision, recall.
PUBLISHED = {
    "uPU": (88.41, 87.21, 83.02),
    "nnPU": (88.91, 86.21, 86.03),
    "PUSB": (88.97, 86.15, 86.22),
    "Dist-PU": (91.88, 89.87, 89.84),
    "WConPU": (97.22, 96.87, 96.02),
}


def imply(accuracy, precision, recall):
    return implied_prior(accuracy=accuracy / 100, precision=precision / 100, recall=recall / 100)


@pytest.mark.parametrize("row", PUBLISHED)
def test_published_cifar_10_rows_imply_four_vehicle_classes_of_ten(row):
    assert imply(*PUBLISHED[row]) == pytest.approx(0.40, abs=0.015)


def test_the_paper_s_own_cifar_10_row_implies_that_animals_were_positive():
    assert imply(91.39, 92.26, 93.49) == pytest.approx(0.600, abs=0.0005)


@given(st.integers(1, 50), st.integers(0, 50), st.integers(0, 50), st.integers(0, 50))
def test_metrics_that_belong_together_imply_the_share_of_positives(tp, fp, fn, tn):
    counts = Confusion(tp=tp, fp=fp, fn=fn, tn=tn)
    implied = implied_prior(accuracy=counts.accuracy, precision=counts.precision, recall=counts.recall)
    if fp + fn:
        assert implied == pytest.approx(counts.prior, rel=1e-9)
    else:
        assert math.isnan(implied)


def test_without_a_right_positive_nothing_is_implied():
    assert math.isnan(implied_prior(accuracy=0.6, precision=0.0, recall=0.0))


def test_per_cent_is_refused():
    with pytest.raises(SettingError, match="divide per cent by 100"):
        implied_prior(accuracy=88.41, precision=87.21, recall=83.02)
