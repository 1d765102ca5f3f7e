"""Every method has a page that names what it is about, and the places in the code it points to exist."""

import re
from pathlib import Path

import pytest

from angularpu.methods.presets import PRESETS
from angularpu.methods.table import METHODS

ROOT = Path(__file__).parents[2]


@pytest.fixture(params=METHODS)
def method(request) -> str:
    return request.param


@pytest.fixture
def page(method) -> str:
    return (ROOT / "docs/methods" / f"{method}.md").read_text(encoding="utf-8")


def test_it_names_its_method_and_class_its_differences_and_when_to_use_it(method, page):
    assert re.search(rf"Method\s`{method}`,\sclass\s`{METHODS[method].class_name}`", page)
    assert re.search(r"^## .*([Dd]iffer|is not)", page, re.MULTILINE)
    assert re.search(r"^## (When|How it fares)", page, re.MULTILINE)


def test_the_places_it_points_to_exist(page):
    packages = "algorithms|losses|classical|scenario|geometry|train|methods"
    places = re.findall(rf"`((?:{packages})/\w+\.py)(?::([\w.]+))?`", page)
    assert places
    for path, name in places:
        code = (ROOT / "src/angularpu" / path).read_text(encoding="utf-8")
        defined = rf"(def|class) {name.split('.')[-1]}\b|^{name} ="
        assert not name or re.search(defined, code, re.MULTILINE), (path, name)


def test_presets_of_its_source_are_on_its_page(method, page):
    for name in PRESETS:
        if name == f"{method}-paper":
            assert f"`{name}`" in page
