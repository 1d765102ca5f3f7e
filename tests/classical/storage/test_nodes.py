"""A forged tree is refused before a row walks down it."""

import numpy as np
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier

from angularpu.classical.storage.parts import dump_parts, load_parts
from angularpu.errors import ModelError

every_forest = pytest.mark.parametrize(
    "base",
    [
        RandomForestClassifier(3, min_samples_leaf=5, random_state=0),
        HistGradientBoostingClassifier(max_iter=3, min_samples_leaf=5, random_state=0),
    ],
    ids=["forest", "boosting"],
)


@pytest.fixture
def forge(rows):
    """Change one number of some stored trees and read them."""

    def forge(base, array, place, value):
        structure, arrays = dump_parts({"classifier": base.fit(*rows)})
        arrays[f"classifier/{array}"][place] = value
        return load_parts(structure, arrays, columns=4)

    return forge


@every_forest
@pytest.mark.parametrize(
    ("array", "value", "sentence"),
    [
        ("left", 0, "not a later node"),
        ("right", 0, "not a later node"),
        ("left", -2, "not a later node"),
        ("right", -1, "not a later node"),
        ("left", 10_000, "not a later node"),
        ("right", 2**31 - 1, "not a later node"),
        ("left", -1, "a leaf with a child"),
        ("feature", 4, "a column that is none of 4"),
        ("feature", -1, "a column that is none of 4"),
        ("feature", 2**31 - 1, "a column that is none of 4"),
        ("threshold", np.nan, "not finite"),
        ("threshold", np.inf, "not finite"),
        ("value", np.nan, "not finite"),
        ("sizes", 0, "do not add up"),
        ("sizes", -5, "do not add up"),
        ("sizes", 2**62, "do not add up"),
    ],
)
def test_a_tree_that_no_fit_gives_is_refused(base, array, value, sentence, forge):
    with pytest.raises(ModelError, match=sentence):
        forge(base, array, 0, value)


@every_forest
def test_a_child_may_not_stand_in_the_next_tree(base, rows, forge):
    structure, arrays = dump_parts({"classifier": base.fit(*rows)})
    size = int(arrays["classifier/sizes"][0])
    assert structure["classifier"]["nodes"] > size
    with pytest.raises(ModelError, match="not a later node of the tree"):
        forge(base, "right", 0, size)
    forge(base, "right", 0, size - 1)


@every_forest
def test_the_last_tree_may_not_end_early(base, forge):
    with pytest.raises(ModelError, match="do not add up"):
        forge(base, "sizes", -1, 1)


def test_sizes_that_overflow_when_they_are_added_up_are_refused(rows):
    structure, arrays = dump_parts({"classifier": RandomForestClassifier(3, random_state=0).fit(*rows)})
    arrays["classifier/sizes"][:] = [2**63 - 1, 2**63 - 1, 2 + structure["classifier"]["nodes"]]
    with pytest.raises(ModelError, match="do not add up"):
        load_parts(structure, arrays, columns=4)
