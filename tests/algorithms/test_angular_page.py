"""The page about AngularPU says what the code does."""

import dataclasses
import re
from pathlib import Path

import pytest

from angularpu.methods.configure import algorithm_options
from angularpu.methods.encoder_choice import EncoderChoice
from angularpu.methods.neural import NeuralMethod
from angularpu.methods.presets import PRESETS
from angularpu.train.settings import Settings

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def page() -> str:
    return (ROOT / "docs/methods/angular.md").read_text(encoding="utf-8")


def test_every_option_is_listed_with_the_default_of_the_code(page):
    section = page.partition("## Options")[2].partition("## ")[0]
    listed = dict(re.findall(r"^\| `(\w+)` \|.*?\| `([^`]+)` \|", section, re.MULTILINE))
    defaults = {**algorithm_options("angular"), **dataclasses.asdict(Settings()), **dataclasses.asdict(EncoderChoice())}
    defaults["threshold"] = NeuralMethod("angular").threshold
    left_out = {"device", "weights"}  # nothing the paper could have a word on
    assert listed == {name: repr(value) for name, value in defaults.items() if name not in left_out}


def test_every_preset_is_described(page):
    section = page.partition("## Presets")[2].partition("## ")[0]
    own = {name for name, preset in PRESETS.items() if preset.method in {"angular", "euclidean"}}
    assert set(re.findall(r"`([\w.-]+)`", section)) == own


def test_every_place_in_the_code_exists(page):
    places = re.findall(r"`(\w+/\w+\.py)(?::([\w.]+))?`", page)
    assert len(places) == 10
    for path, name in places:
        assert not name or f"def {name.split('.')[-1]}(" in (ROOT / "src/angularpu" / path).read_text(encoding="utf-8")


def test_its_example_runs(page, capsys):
    (block,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    exec(compile(block, "docs/methods/angular.md", "exec"), {})
    assert capsys.readouterr().out.strip().endswith("[1 1 1]")
