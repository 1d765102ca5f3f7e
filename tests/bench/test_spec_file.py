import dataclasses
from pathlib import Path

import pytest

from angularpu.bench.grid import expand
from angularpu.bench.spec import Budget
from angularpu.bench.spec_file import parse_spec, read_spec
from angularpu.errors import SettingError
from angularpu.neural import EncoderChoice
from angularpu.train.settings import Settings

EXPERIMENTS = Path(__file__).parents[2] / "experiments"
SPECS = sorted(EXPERIMENTS.glob("*.toml"))
DATASETS = [{"name": "spam", "track": "table"}]


@pytest.mark.parametrize(
    ("keys", "complaint"),
    [
        ({"sedes": 3}, "the key 'sedes' is unknown; did you mean 'seeds'?"),
        ({"seeds": "three"}, "seeds must be a list, each of it a whole number, got 'three'"),
        ({"prior": "known"}, "prior must be one of 'true', 'bbe', got 'known'"),
        ({"budget": {"epoch": 3}}, "budget: the key 'epoch' is unknown; did you mean 'epochs'?"),
        ({"budget": {"epochs": 2.5}}, "budget: epochs must be a whole number, got 2.5"),
        ({"datasets": [{"name": "spam", "trak": "table"}]}, r"datasets\[0\]: the key 'trak' is unknown; .* 'track'"),
        ({"datasets": [{"name": "spam"}]}, r"datasets\[0\]: the key 'track' is missing"),
        ({"datasets": [{"name": "spma", "track": "table"}]}, r"datasets\[0\]: there is no data set 'spma'; .* 'spam'"),
        ({"datasets": [{"name": "spam", "track": "tabel"}]}, "track must be one of 'features', 'table'"),
        ({"datasets": [{"name": "spam", "track": "table", "alpha": 1.5}]}, r"alpha must lie in \(0, 1\), got 1.5"),
        ({"datasets": [{"name": "spam", "track": "table", "labelled": 2.5}]}, "labelled must be a number of rows"),
        ({"datasets": {"name": "spam"}}, r"datasets must be a list of tables, written \[\[datasets\]\]"),
        ({"methods": ["angluar"]}, "method 'angluar' is unknown; .* did you mean 'angular'?"),
        ({"methods": []}, "a spec needs datasets, seeds, and methods"),
        ({"variants": [{"preset": "papper"}]}, r"variants\[0\]: preset 'papper' is unknown; .* 'paper'"),
        ({"variants": [{"preset": "paper", "method": "nnpu"}]}, "preset 'paper' is one of 'angular', not of 'nnpu'"),
        ({"variants": [{"name": "a/b", "method": "nnpu"}]}, "cannot hold a slash"),
        ({"options": {"nnpv": {"gamma": 1.0}}}, "method 'nnpv' is unknown"),
        ({"name": "other"}, "the key 'name' cannot be set"),
    ],
)
def test_what_does_not_fit_is_named_with_what_would(keys, complaint):
    with pytest.raises(SettingError, match=complaint):
        parse_spec({"seeds": 1, "methods": ["angular"], "datasets": DATASETS, **keys}, name="main")


def test_a_file_that_is_no_toml_is_named(tmp_path):
    path = tmp_path / "main.toml"
    path.write_text("seeds = [")
    with pytest.raises(SettingError, match=r"main\.toml is not TOML"):
        read_spec(path)


def test_seeds_may_be_listed_or_counted():
    listed, counted = (
        parse_spec({"seeds": s, "methods": ["vpu"], "datasets": DATASETS}, name="x") for s in ([0, 1], 2)
    )
    assert listed.seeds == counted.seeds == (0, 1)


def test_none_stands_for_what_toml_lacks():
    variant = {"name": "no-weights", "method": "angular", "options": {"weight": "none"}}
    spec = parse_spec({"seeds": 1, "variants": [variant], "datasets": DATASETS}, name="x")
    assert spec.variants[0].options == {"weight": None}


def test_a_budget_has_every_setting_of_training_and_encoder_that_is_no_matter_of_the_machine():
    known = {field.name for kind in (Settings, EncoderChoice) for field in dataclasses.fields(kind)}
    assert {field.name for field in dataclasses.fields(Budget)} == known - {"device", "weights"}


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_every_committed_spec_can_be_expanded(path):
    cells = expand(read_spec(path))
    assert len({cell.key for cell in cells}) == len(cells) > 0


def test_there_is_a_spec_for_every_experiment_of_the_paper():
    names = ["main", "ablation", "geometry", "sensitivity", "medmnist", "scarcity", "scale", "scratch", "finetune"]
    assert {path.stem for path in SPECS} >= set(names)
