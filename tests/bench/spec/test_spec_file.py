import dataclasses
import datetime
from pathlib import Path

import pytest

from angularpu.decide.rules import parse_rule
from angularpu.errors import SettingError
from angularpu.methods.encoder_choice import EncoderChoice
from angularpu.train.settings import Settings
from angularpu_bench.spec.grid import expand
from angularpu_bench.spec.spec import THRESHOLD, Budget, Spec
from angularpu_bench.spec.spec_file import parse_spec, read_spec

EXPERIMENTS = Path(__file__).parents[3] / "experiments"
SPECS = sorted(EXPERIMENTS.glob("*.toml"))
DATASETS = [{"name": "spam", "track": "table"}]
DAY = datetime.date(2026, 1, 1)
FINETUNE = [{"name": "cifar10", "track": "finetune"}]


def read(**keys) -> Spec:
    return parse_spec({"seeds": 1, "datasets": DATASETS, **keys}, name="main")


@pytest.mark.parametrize(
    ("keys", "complaint"),
    [
        ({"sedes": 3}, "the key 'sedes' is unknown; did you mean 'seeds'?"),
        ({"seeds": "three"}, "seeds must be a list, each item a whole number, got 'three'"),
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
        ({"methods": ["angluar"]}, "method 'angluar' is unknown; did you mean 'angular'?"),
        ({"methods": []}, "a spec needs datasets, seeds, and methods"),
        ({"variants": [{"preset": "papper"}]}, r"variants\[0\]: preset 'papper' is unknown; .* 'paper'"),
        ({"variants": [{"preset": "paper", "method": "nnpu"}]}, "preset 'paper' belongs to 'angular', not to 'nnpu'"),
        ({"variants": [{"name": "a/b", "method": "nnpu"}]}, "cannot contain a slash"),
        ({"options": {"nnpv": {"gamma": 1.0}}}, "method 'nnpv' is unknown"),
        ({"name": "other"}, "the key 'name' cannot be set"),
    ],
)
def test_what_does_not_fit_is_named_with_what_would(keys, complaint):
    with pytest.raises(SettingError, match=complaint):
        parse_spec({"seeds": 1, "methods": ["angular"], "datasets": DATASETS, **keys}, name="main")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        *(("labelled", value) for value in (1000.0, 50.0, 1.0, 0.0, 2.5, 0, -5, True, "many")),
        *(("unlabelled", value) for value in (1, 0, -3, 5000.0, 0.5, True, "all")),
        *(("alpha", value) for value in (0.0, 1.0, 0, 1, -0.2, 1.5, True, "half")),
    ],
)
def test_numbers_of_rows_and_shares_have_their_ranges_in_data_sets_and_sweeps(key, value):
    with pytest.raises(SettingError, match=rf"datasets\[0\]: {key} must .*, got {value!r}"):
        read(methods=["angular"], datasets=[{**DATASETS[0], key: value}])
    with pytest.raises(SettingError, match=rf"sweeps\[0\]: {key} must .*, got {value!r}; "):
        read(sweeps=[{"option": key, "values": [value]}])


@pytest.mark.parametrize(("key", "value"), [("labelled", 1), ("labelled", 0.125), ("unlabelled", 2), ("alpha", 0.5)])
def test_numbers_of_rows_and_shares_in_their_ranges_are_kept_as_they_are(key, value):
    drawn = getattr(read(methods=["angular"], datasets=[{**DATASETS[0], key: value}]).datasets[0], key)
    assert (drawn, type(drawn)) == (value, type(value))


@pytest.mark.parametrize(
    ("keys", "complaint"),
    [
        ({"sweeps": [{"option": "kappa", "values": [[1, 2]]}]}, r"sweeps\[0\]: each value of kappa must .* \[1, 2\]"),
        ({"sweeps": [{"option": "kappa", "values": [DAY]}]}, "each value of kappa must be text, .* got 2026-01-01"),
        ({"sweeps": [{"option": "t", "values": [1], "options": {"kappa": DAY}}]}, r"options\.kappa must be text"),
        (
            {"variants": [{"name": "v", "method": "nnpu", "options": {"beta": DAY}}]},
            r"variants\[0\]: options\.beta must",
        ),
        ({"options": {"nnpu": {"beta": [0.1]}}}, r"options\.nnpu\.beta must be text, a number, or true or false"),
        ({"options": {"nnpu": {"beta": {"a": 1}}}}, r"options\.nnpu\.beta must be text"),
    ],
)
def test_what_is_no_single_value_is_refused_by_its_key(keys, complaint):
    with pytest.raises(SettingError, match=complaint):
        read(methods=["angular"], **keys)


@pytest.mark.parametrize(
    ("name", "track", "complaint"),
    [
        ("spam", "features", "takes image rows, but spam has table rows; use the track 'table'"),
        ("newsgroups20", "scratch", "takes image rows, but newsgroups20 has text rows; use the track 'text'"),
        ("spam", "finetune", "takes image rows"),
        (
            "cifar10",
            "table",
            "takes table rows, but cifar10 has image rows; use the track 'features', 'scratch' or 'finetune'",
        ),
        ("newsgroups20", "table", "takes table rows"),
        ("letter", "text", "takes text rows"),
        ("adni", "features", "adni cannot be in a spec, because it is read from your own files: .*load_adni"),
    ],
)
def test_a_data_set_that_does_not_fit_its_track_is_refused(name, track, complaint):
    with pytest.raises(SettingError, match=rf"datasets\[0\]: .*{complaint}"):
        read(methods=["angular"], datasets=[{"name": name, "track": track}])


@pytest.mark.parametrize(
    ("keys", "complaint"),
    [
        ({"backbone": "resnet18"}, "backbone must be one of vgg16, vgg11_bn, got 'resnet18'"),
        ({"threshold": "puf1"}, "threshold: there is no rule 'puf1'; .* did you mean pu-f1"),
        (
            {"threshold": "pu-f1,prior=bbee"},
            "threshold: prior must be a number .* did you mean 'bbe'",
        ),
        ({"threshold": "oracle-f1"}, "threshold must be a rule without true classes, got 'oracle-f1'"),
        ({"budget": {"encoder": "resnet18"}}, "budget: encoder must be one of 'linear', 'mlp', .* got 'resnet18'"),
        (
            {"datasets": [{**DATASETS[0], "budget": {"encoder": "mpl"}}]},
            r"datasets\[0\]: budget: encoder must be one of",
        ),
        (
            {"options": {"angular": {"encoder": "mpl"}}},
            "on the track 'table' encoder must be one of linear, .* got 'mpl'",
        ),
        ({"sweeps": [{"option": "encoder", "values": ["mpl"]}]}, "encoder must be one of linear, .* got 'mpl'"),
    ],
)
def test_what_no_cell_could_follow_is_refused_before_any_is_run(keys, complaint):
    with pytest.raises(SettingError, match=complaint):
        expand(read(**{"methods": ["angular"], **keys}))


@pytest.mark.parametrize(
    "threshold", [THRESHOLD, "auto", "lee-liu", "recall=0.95", "pu-f1,prior=0.3,target=unlabelled"]
)
def test_every_rule_that_a_fit_follows_may_be_the_threshold(threshold):
    assert read(methods=["angular"], threshold=threshold).threshold == threshold


def test_the_default_threshold_which_is_not_read_with_the_spec_is_a_rule():
    assert parse_rule(THRESHOLD).prior == "bbe"


@pytest.mark.parametrize(
    "keys",
    [
        {"budget": {"encoder": "cnn13"}},
        {"datasets": [{**FINETUNE[0], "budget": {"encoder": "linear"}}]},
        {"options": {"angular": {"encoder": "mlp"}}},
    ],
)
def test_fine_tuning_without_imagenet_weights_is_refused(keys):
    with pytest.raises(
        SettingError, match="track 'finetune' encoder must be one of those with ImageNet weights, vgg16, "
    ):
        expand(read(**{"methods": ["angular"], "datasets": FINETUNE, **keys}))


def test_the_narrowest_encoder_is_the_one_that_counts():
    chosen = [{**FINETUNE[0], "budget": {"encoder": "vgg11_bn"}}, {"name": "cifar10", "track": "features"}]
    tuned, frozen = expand(read(methods=["angular"], datasets=chosen, budget={"encoder": "mlp"}))
    assert (tuned.options["encoder"], frozen.options["encoder"]) == ("vgg11_bn", "mlp")
    (classical,) = expand(read(methods=["bagging"], datasets=FINETUNE, budget={"encoder": "mlp"}))
    assert "encoder" not in classical.options


@pytest.mark.parametrize(
    "content",
    [
        b"seeds = [",
        b"seeds = " + b"[" * 200_000,
        b"a = " + b"{a=" * 200_000,
        "seeds = 3".encode("utf-16"),
        b"a = '\xff'",
    ],
    ids=["cut", "deep lists", "deep tables", "UTF-16", "Latin-1"],
)
def test_a_file_that_is_no_toml_is_named(tmp_path, content):
    path = tmp_path / "main.toml"
    path.write_bytes(content)
    with pytest.raises(SettingError, match=r"main\.toml is not TOML"):
        read_spec(path)


@pytest.mark.parametrize("keys", [{"seeds": 10**12}, {"seeds": 10**12, "budget": {"epochs": 5}}])
def test_more_seeds_than_anyone_runs_are_refused_at_once(keys):
    with pytest.raises(SettingError, match="seeds must be at most 10,000, got 1000000000000"):
        read(**keys)


@pytest.mark.parametrize("number", ["1e999", "-1e999", "inf", "nan"])
def test_numbers_that_are_not_finite_are_refused_wherever_they_stand(tmp_path, number):
    path = tmp_path / "main.toml"
    path.write_text(f"[budget]\nlearning_rate = [{number}]\n")
    with pytest.raises(SettingError, match=f"main.toml is not TOML: '{number}' is no finite number"):
        read_spec(path)


def test_seeds_may_be_listed_or_counted():
    listed, counted = (
        parse_spec({"seeds": s, "methods": ["vpu"], "datasets": DATASETS}, name="x") for s in ([0, 1], 2)
    )
    assert listed.seeds == counted.seeds == (0, 1)


def test_the_text_none_means_none():
    variant = {"name": "no-weights", "method": "angular", "options": {"weight": "none"}}
    spec = parse_spec({"seeds": 1, "variants": [variant], "datasets": DATASETS}, name="x")
    assert spec.variants[0].options == {"weight": None}


def test_a_budget_has_every_setting_of_training_and_encoder_but_those_of_the_machine_and_of_the_protocol():
    known = {field.name for kind in (Settings, EncoderChoice) for field in dataclasses.fields(kind)}
    places = {"device", "weights", "maps_dir"}
    assert {field.name for field in dataclasses.fields(Budget)} == known - places - {"validation", "refit"}


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_every_committed_spec_can_be_expanded(path):
    cells = expand(read_spec(path))
    assert len({cell.key for cell in cells}) == len(cells) > 0


def test_there_is_a_spec_for_every_experiment_of_the_paper():
    names = ["main", "ablation", "geometry", "sensitivity", "medmnist", "blocks"]
    assert {path.stem for path in SPECS} >= set(names)
