import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from angularpu.errors import DataError
from angularpu.metrics.cuts import list_cuts

scores = st.lists(st.integers(-5, 5), min_size=1, max_size=20).map(lambda x: np.array(x, dtype=np.float32))


@given(scores, scores)
def test_cuts_count_what_lies_above(pos, rest):
    cuts = list_cuts(pos, rest)
    assert cuts.value.tolist() == sorted({*pos.tolist(), *rest.tolist()})
    below = [-np.inf, *cuts.value]
    assert cuts.pos_above.tolist() == [sum(pos > value) for value in below]
    assert cuts.rest_above.tolist() == [sum(rest > value) for value in below]


@pytest.mark.parametrize("bad", [np.array([1.0, np.nan]), np.array([np.inf, 0.0]), np.array([]), np.zeros((2, 1))])
def test_scores_that_are_no_numbers_in_a_row_are_refused(bad):
    good = np.array([0.0, 1.0])
    for pair in ((bad, good), (good, bad)):
        with pytest.raises(DataError, match="scores"):
            list_cuts(*pair)
