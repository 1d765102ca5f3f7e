"""What a check of the labelling assumption says of itself."""

import dataclasses
import json

import pytest

from angularpu.decide.scar_tests import LEVEL, ScarCheck

UNEVEN = ScarCheck(4.2, 0.001, 0.9, "one kind never gets a label", "one kind has 4.2 times the labels", 500, 2000)


@pytest.mark.parametrize(("p_value", "holds"), [(0.0, False), (LEVEL - 1e-9, False), (LEVEL, True), (1.0, True)])
def test_it_holds_unless_the_p_value_lies_below_the_level(p_value, holds):
    check = dataclasses.replace(UNEVEN, p_value=p_value)
    assert check.holds is holds
    assert (check.warning() is None) is holds


def test_the_warning_says_what_was_found_and_how_surely():
    assert "one kind has 4.2 times the labels (p = 0.001)" in UNEVEN.warning()
    assert "random draw of the positives" in UNEVEN.warning()


def test_it_becomes_json_with_its_verdict():
    content = json.loads(json.dumps(UNEVEN.to_json()))
    assert content["holds"] is False
    assert content["warning"] == UNEVEN.warning()
    assert content["notes"] == []
    assert content["power"] == 0.9
