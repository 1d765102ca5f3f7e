"""Estimates from answers alone: values by hand, and how often the intervals hold the truth."""

import numpy as np
import pytest

from angularpu.audit.answers import Answers, answer, read_answer
from angularpu.audit.cells import Cells, count_cells
from angularpu.audit.estimates import Known, estimate
from angularpu.errors import DataError

NOBODY = Known(0, 0, 0)


def make_cells(size, n, yes, above, unsure=None):
    size, n, yes = (np.array(each) for each in (size, n, yes))
    unsure = np.zeros_like(n) if unsure is None else np.array(unsure)
    return Cells(size, n, yes, unsure, np.array(above), (yes + unsure / 2) / np.maximum(n, 1))


def test_values_by_hand():
    # 800 below, 1 of 20 yes: 40 positives; 150 and 50 above, 12 of 20 and 9 of 10 yes: 90 + 45 = 135 positives.
    found = estimate(make_cells([800, 150, 50], [20, 20, 10], [1, 12, 9], [False, True, True]), NOBODY)
    assert found.alpha.value == pytest.approx(175 / 1000)
    assert found.precision.value == pytest.approx(135 / 200)
    assert found.recall.value == pytest.approx(135 / 175)
    assert found.f1.value == pytest.approx(2 * 135 / (200 + 175))


def test_known_positives_join_as_a_stratum():
    # 100 known ones of which 30 of 40 scored lie above: 75 more hits, and 25 more misses.
    cells = make_cells([800, 200], [20, 20], [1, 12], [False, True])
    found = estimate(cells, Known(100, 30, 40))
    assert found.alpha.value == pytest.approx((40 + 120) / 1000)
    assert found.precision.value == pytest.approx((120 + 75) / (200 + 75))
    assert found.recall.value == pytest.approx(195 / 260)
    assert found.f1.value == pytest.approx(2 * 195 / (275 + 260))


def test_one_stratum_has_nearly_the_exact_binomial_interval():
    found = estimate(make_cells([10**6], [50], [10], [True]), NOBODY).alpha
    assert found.low == pytest.approx(0.112, abs=0.01)  # Clopper-Pearson: 0.112 to 0.316
    assert found.high == pytest.approx(0.316, abs=0.012)
    assert found.low > 0.111


def test_a_heap_that_was_checked_whole_leaves_nothing_open():
    found = estimate(make_cells([30, 20], [30, 20], [3, 15], [False, True]), NOBODY)
    for each in (found.alpha, found.precision, found.recall, found.f1):
        assert each.low == each.value == each.high


def test_no_yes_leaves_positives_possible_and_no_no_leaves_negatives_possible():
    none = estimate(make_cells([900, 100], [25, 25], [0, 0], [False, True]), NOBODY)
    assert none.alpha.low == none.alpha.value == 0
    assert 0.03 < none.alpha.high < 0.12
    every = estimate(make_cells([900, 100], [25, 25], [25, 25], [False, True]), NOBODY)
    assert every.alpha.high == every.alpha.value == 1
    assert 0.88 < every.alpha.low < 0.97


def test_unsure_answers_count_half_and_open_the_interval_on_both_sides():
    sure = estimate(make_cells([800, 200], [20, 20], [1, 12], [False, True]), NOBODY)
    open_ = estimate(make_cells([800, 200], [20, 20], [1, 12], [False, True], [2, 4]), NOBODY)
    assert open_.precision.value == pytest.approx(14 / 20)
    assert (open_.precision.at_least, open_.precision.at_most) == pytest.approx((12 / 20, 16 / 20))
    assert open_.recall.at_least == pytest.approx(120 / (120 + 120))
    assert open_.recall.at_most == pytest.approx(160 / (160 + 40))
    for name in ("alpha", "precision", "recall", "f1"):
        assert getattr(open_, name).high > getattr(sure, name).high or name == "recall"
        assert getattr(open_, name).high - getattr(open_, name).low > getattr(sure, name).high - getattr(sure, name).low


def test_a_cut_above_all_rows_has_no_precision():
    found = estimate(make_cells([1000], [40], [10], [False]), NOBODY)
    assert found.precision is None
    assert found.recall.value == 0


def test_a_cell_without_answers_is_like_its_stratum_and_as_uncertain_as_can_be(heaps):
    answers, _ = heaps(0.3).audit(n=40)
    audit = answers.audit
    top = int(np.flatnonzero(audit.above.sum(axis=0) > 0)[-1])
    cells = count_cells(answers, top)
    assert cells.n[cells.above].sum() == 0
    found = estimate(cells, NOBODY)
    assert found.precision.value == pytest.approx(cells.rest[cells.above][0])
    assert found.precision.high - found.precision.low > 0.8


def test_cells_hold_every_row_and_every_answer(heaps):
    answers, _ = heaps(0.3).audit(n=60)
    for cut in (0, 100, 300):
        cells = count_cells(answers, cut)
        assert (cells.size.sum(), cells.n.sum(), cells.yes.sum()) == (4000, 60, answers.count(1))
        called = np.count_nonzero(answers.audit.score > answers.audit.cut[cut])
        assert cells.n[cells.above].sum() == called


@pytest.mark.parametrize("alpha", [0.02, 0.3])
@pytest.mark.parametrize("n", [30, 100])
def test_intervals_hold_the_truth_although_the_pu_curve_is_wrong(heaps, alpha, n):
    heap = heaps(alpha)
    y, score, _ = heap.draw()
    hits, called = int(y[score > 1.5].sum()), int((score > 1.5).sum())
    truth = {"alpha": alpha, "precision": hits / called, "recall": hits / y.sum(), "f1": 2 * hits / (called + y.sum())}
    held = dict.fromkeys(truth, 0)
    first, _ = heap.audit(n=n)
    at = int(np.flatnonzero(first.audit.cut == 1.5)[0])
    for seed in range(100):
        answers, _ = heap.audit(n=n, seed=seed) if seed else (first, None)
        found = estimate(count_cells(answers, at), NOBODY)
        for name, value in truth.items():
            held[name] += getattr(found, name).low <= value <= getattr(found, name).high
    assert min(held.values()) >= 84  # of a hundred, nominal 90


def test_answers_are_read_in_any_case_and_others_refused(heaps):
    words = ["yes", " NO ", "Y", "n", "1", "0", "TRUE", "False", "unsure", "", None, True, np.False_, 1.0]
    assert [read_answer(word, 1) for word in words] == [1, 0, 1, 0, 1, 0, 1, 0, -1, -2, -2, 1, 0, 1]
    with pytest.raises(DataError, match="row 7 is 'maybe'; write yes, no or unsure"):
        read_answer("maybe", 7)
    answers, _ = heaps(0.3).audit(n=20)
    with pytest.raises(DataError, match="20 rows, got 19 answers"):
        answer(answers.audit, ["yes"] * 19)
    with pytest.raises(DataError, match="9 of 20 rows are answered"):
        answer(answers.audit, ["yes"] * 9 + [None] * 11)


def test_no_sample_takes_answers(heaps):
    answers, _ = heaps(0.3).audit(n=20)
    assert not isinstance(answers, np.ndarray)
    assert not hasattr(Answers, "rows")
    assert not hasattr(Answers, "s")
