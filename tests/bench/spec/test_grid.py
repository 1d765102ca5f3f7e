import hashlib
import inspect
import json

import pytest

from angularpu.errors import SettingError
from angularpu.methods.table import METHODS
from angularpu.nets.mlp import MLP
from angularpu.train.settings import Settings
from angularpu_bench.run.trial import make_method
from angularpu_bench.spec import grid
from angularpu_bench.spec.grid import PROTOCOL, REVISIONS, choose
from angularpu_bench.spec.protocol import SINGLE


def test_the_hash_follows_what_a_cell_is_and_not_what_it_is_called(make_cells):
    plain = make_cells()[0]
    named = make_cells(methods=[], variants=[{"name": "full", "method": "angular"}])[0]
    other = make_cells(methods=[], variants=[{"name": "full", "method": "angular", "options": {"kappa": 5.0}}])[0]
    assert plain.hash == named.hash != other.hash
    assert plain.key != named.key


@pytest.mark.parametrize(
    "keys",
    [
        {"seeds": [1]},
        {"methods": ["naive"]},
        {"scenario": "two-sample"},
        {"threshold": "lee-liu"},
        {"budget": {"epochs": 3, "encoder": "linear"}},
        {"datasets": [{"name": "gaussians", "track": "table", "labelled": 50}]},
        {"datasets": [{"name": "gaussians", "track": "table", "alpha": 0.2}]},
        {"datasets": [{"name": "spam", "track": "table", "labelled": 500}]},
    ],
)
def test_anything_the_numbers_depend_on_changes_the_hash(cell, make_cells, keys):
    assert make_cells(**keys)[0].hash != cell.hash


def test_raising_a_methods_revision_changes_the_hash_of_its_cells_alone(make_cells, monkeypatch):
    cells = make_cells(methods=["angular", "nnpu"])
    hashes = [[cell.hash for cell in cells]]
    for revision in (2, 3):
        monkeypatch.setattr(grid, "REVISIONS", {"nnpu": revision})
        hashes.append([cell.hash for cell in cells])
    angular, nnpu = zip(*hashes, strict=True)
    assert (len(set(angular)), len(set(nnpu))) == (1, 3)


def test_only_methods_have_revisions_and_they_count_from_two():
    assert set(REVISIONS) <= set(METHODS)
    assert all(revision >= 2 for revision in REVISIONS.values())


def test_more_seeds_and_more_methods_leave_finished_cells_as_they_are(cell, make_cells):
    assert cell.key in {other.key for other in make_cells(seeds=5, methods=["nnpu", "angular"])}


def test_the_narrower_setting_wins(make_cells):
    keys = {
        "methods": ["angular", "nnpu", "naive"],
        "budget": {"epochs": 2, "batch_size": 64},
        "datasets": [{"name": "gaussians", "track": "table", "budget": {"epochs": 3}}],
        "options": {"nnpu": {"epochs": 4}},
        "variants": [
            {"name": "longer", "method": "nnpu", "options": {"epochs": 5}},
            {"preset": "COS-WGH-M0.5"},
        ],
    }
    cells = {(cell.method, cell.variant): cell.options for cell in make_cells(**keys)}
    assert {options["batch_size"] for options in cells.values()} == {64}
    assert cells["angular", ""]["epochs"] == cells["naive", ""]["epochs"] == 3
    assert cells["nnpu", ""]["epochs"] == 4
    assert cells["nnpu", "longer"]["epochs"] == 5
    assert cells["angular", "COS-WGH-M0.5"]["epochs"] == 15


def test_only_networks_have_a_budget_and_only_classical_methods_have_trees(make_cells):
    network, classical = make_cells(methods=["angular", "bagging"])
    assert network.options == {"encoder": "linear", "epochs": 2}
    assert network.boosting_rounds is None
    assert classical.options == {}
    assert classical.boosting_rounds == 30


def test_the_true_prior_goes_to_those_who_need_one(make_cells):
    assert [cell.prior for cell in make_cells(methods=["angular", "nnpu", "pu_boosting"])] == [None, "true", "true"]
    assert make_cells(budget={"selection": "pu-risk"})[0].prior == "true"


def test_the_encoder_follows_the_track(make_cells):
    tracks = ("features", "scratch", "finetune")
    datasets = [{"name": "cifar10", "track": track} for track in tracks]
    cells = make_cells(budget={}, datasets=datasets)
    assert [cell.options["encoder"] for cell in cells] == ["mlp", "cnn13", "vgg16"]
    assert [cell.backbone for cell in cells] == ["vgg16", None, None]


def test_a_sweep_reaches_options_and_the_draw_of_rows(make_cells):
    sweeps = [
        {"option": "lambda_", "values": [0.0, 0.1]},
        {"option": "labelled", "values": [50], "methods": ["nnpu"]},
    ]
    first, second, third = make_cells(methods=[], sweeps=sweeps)
    assert (first.variant, first.options["lambda_"]) == ("lambda_=0", 0.0)
    assert (second.variant, second.options["lambda_"]) == ("lambda_=0.1", 0.1)
    assert (third.method, third.variant, third.labelled) == ("nnpu", "labelled=50", 50)


def test_rows_are_one_network_unless_a_spec_says_otherwise_and_the_hash_knows_only_what_it_says(make_cells):
    variants = [
        {"preset": "vpu-paper"},
        {"name": "folds", "method": "angular", "options": {"refit": False, "validation": "folds"}},
    ]
    plain, published, mean = make_cells(methods=["angular"], variants=variants)
    refits = [make_method(cell, prior=0.5, data=None).settings.refit for cell in (plain, published, mean)]
    assert refits == [True, True, False]
    assert [cell.options.get("refit") for cell in (plain, published, mean)] == [None, None, False]


def test_a_row_that_is_asked_for_twice_is_refused(make_cells):
    with pytest.raises(SettingError, match="appears twice"):
        make_cells(methods=["angular", "angular"])


def test_words_of_one_kind_are_alternatives_and_of_several_kinds_all_hold(make_cells):
    cells = make_cells(methods=["angular", "nnpu", "vpu"], seeds=2)
    assert len(choose(cells, [])) == 6
    chosen = choose(cells, ["nnpu", "vpu", "gaussians", "seed=1"])
    assert [(cell.method, cell.seed) for cell in chosen] == [("nnpu", 1), ("vpu", 1)]


def test_a_word_that_no_cell_has_is_refused_with_the_nearest(make_cells):
    with pytest.raises(SettingError, match=r"no cell has 'nnpv'.* did you mean 'nnpu'"):
        choose(make_cells(methods=["nnpu"]), ["nnpv"])


def test_words_that_no_one_cell_has_together_are_refused(make_cells):
    sweeps = [{"option": "kappa", "values": [3.0], "methods": ["angular"]}]
    with pytest.raises(SettingError, match="all of these words together: method nnpu; variant kappa=3"):
        choose(make_cells(methods=["nnpu"], sweeps=sweeps), ["nnpu", "kappa=3"])


def test_a_changed_default_is_noticed():
    """The hash of a cell holds what its spec says, not the defaults: when these change, raise PROTOCOL or
    the method's number in REVISIONS, and run again.
    """
    defaults = {"settings": repr(Settings(**SINGLE)), "mlp": str(inspect.signature(MLP)), "protocol": PROTOCOL}
    for name, card in METHODS.items():
        defaults[name] = str(inspect.signature(card.load()))
    digest = hashlib.sha256(json.dumps(defaults, sort_keys=True).encode()).hexdigest()
    assert digest[:8] == "3ae60749"
