"""The methods' pages name code and defaults that exist."""

import importlib
import re
from dataclasses import fields
from operator import attrgetter
from pathlib import Path

import pytest

from angularpu.classical.bagging import Bagging
from angularpu.classical.boosting import PUBoosting
from angularpu.classical.complement_nb import ComplementNB
from angularpu.classical.elkan_noto import ElkanNoto
from angularpu.classical.extra_trees import ExtraTrees
from angularpu.classical.gradient_boosting import GradientBoosting
from angularpu.classical.logistic_regression import LogisticRegression
from angularpu.classical.random_forest import RandomForest
from angularpu.classical.rank_pruning import RankPruning
from angularpu.classical.spy import Spy
from angularpu.classical.weighted_elkan_noto import WeightedElkanNoto

PAGES = {
    "elkan_noto": ElkanNoto,
    "weighted_elkan_noto": WeightedElkanNoto,
    "bagging": Bagging,
    "spy": Spy,
    "rank_pruning": RankPruning,
    "pu_boosting": PUBoosting,
    "extra_trees": ExtraTrees,
    "random_forest": RandomForest,
    "gradient_boosting": GradientBoosting,
    "logistic_regression": LogisticRegression,
    "complement_nb": ComplementNB,
}
FOLDER = Path(__file__).parents[2] / "docs" / "methods"


@pytest.mark.parametrize("name", PAGES)
def test_every_place_in_the_code_exists(name):
    places = re.findall(r"`(\w+)/(\w+)\.py:([\w.]+)`", (FOLDER / f"{name}.md").read_text(encoding="utf-8"))
    assert places
    for package, module, member in places:
        attrgetter(member)(importlib.import_module(f"angularpu.{package}.{module}"))


@pytest.mark.parametrize(("name", "method"), PAGES.items())
def test_every_option_is_named_with_its_default(name, method):
    page = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
    stated = re.search(r"^Options: .*?(?=\n\n)", page, re.MULTILINE | re.DOTALL).group()
    for option in fields(method):
        if option.init:
            assert f"`{option.name}`" in stated
            if isinstance(option.default, int | float):
                assert re.search(rf"`{option.name}` \([^)]*{re.escape(str(option.default))}", stated)
