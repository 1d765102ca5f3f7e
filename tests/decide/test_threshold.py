import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from angularpu.decide.threshold import LARGEST, list_thresholds, round_scores
from angularpu.errors import DataError

STEP = np.nextafter(np.float32(1), np.float32(2))
wide = st.floats(allow_nan=False, allow_infinity=False, width=32).filter(lambda x: abs(x) < LARGEST)
crowded = st.integers(0, 6).map(lambda steps: float(np.float32(1) + np.float32(steps) * np.finfo(np.float32).eps))
scores = st.lists(wide | crowded, min_size=1, max_size=20).map(lambda x: np.array(x, dtype=np.float32))


@given(scores, scores)
@example(np.array([1], np.float32), np.array([STEP], np.float32))
@example(np.array([1e38], np.float32), np.array([-3.4e38], np.float32))
@example(np.array([0.0], np.float32), np.array([1e-45], np.float32))
def test_every_threshold_lies_strictly_between_scores_in_float32_too(pos, rest):
    both = np.concatenate([pos, rest])
    assume(len(np.unique(both)) > 1)
    found = list_thresholds(pos, rest)
    assert np.isfinite(found.value).all()
    assert (np.diff(found.value) > 0).all()
    np.testing.assert_array_equal(found.value, found.value.astype(np.float32))
    assert not np.isin(found.value.astype(np.float32), both).any()
    for value, pos_above, rest_above in zip(found.value, found.pos_above, found.rest_above, strict=True):
        for threshold in (value, np.float32(value), float(value)):
            assert np.count_nonzero(pos > threshold) == pos_above
            assert np.count_nonzero(rest > threshold) == rest_above
            assert not (both == threshold).any()
    assert found.pos_above[0] == len(pos)
    assert found.rest_above[0] == len(rest)
    assert found.pos_above[-1] == found.rest_above[-1] == 0


@given(scores, scores)
def test_every_cut_with_room_for_a_threshold_has_one(pos, rest):
    distinct = np.unique(np.concatenate([pos, rest]))
    assume(len(distinct) > 1)
    with np.errstate(over="ignore"):
        roomy = np.nextafter(distinct[:-1], np.float32(np.inf)) < distinct[1:]
    assert len(list_thresholds(pos, rest).value) == np.count_nonzero(roomy) + 2


def test_thresholds_are_midpoints():
    found = list_thresholds(np.array([1, 4], np.float32), np.array([2, 2], np.float32))
    assert found.value[1:-1].tolist() == [1.5, 3.0]


def test_equal_scores_are_refused():
    with pytest.raises(DataError, match=r"all 5 scores equal 0\.5"):
        list_thresholds(np.full(2, 0.5, np.float32), np.full(3, 0.5, np.float32))


@pytest.mark.parametrize(
    ("score", "message"),
    [([1.0, np.nan], "1 of 2 scores are NaN"), ([-np.inf, 1.0], "infinite"), ([1e39, 0.0], "got 1e\\+39")],
)
def test_scores_that_do_not_fit_float32_are_refused(score, message):
    with pytest.raises(DataError, match=message):
        round_scores(np.array(score))
