import json

import numpy as np
import pytest

from angularpu.errors import DataError
from angularpu_bench.run.store import Store

SCORES = {"test": np.arange(3, dtype=np.float32)}


def write(store, cell):
    store.write(cell, {"metrics": {"auc": 0.9}}, history=[{"epoch": 1}], scores=SCORES)


def test_a_finished_cell_lies_where_its_name_says(tmp_path, cell, make_cells):
    store = Store(tmp_path)
    write(store, cell)
    directory = tmp_path / "table" / "gaussians" / "angular" / f"0-{cell.hash}"
    assert sorted(path.name for path in directory.iterdir()) == ["cell.json", "history.json", "scores.npz"]
    assert json.loads((directory / "history.json").read_text()) == [{"epoch": 1}]
    (variant,) = make_cells(methods=[], sweeps=[{"option": "kappa", "values": [0.1]}])
    assert store.path(variant).parent.name == "angular-kappa=0.1"


def test_what_was_written_can_be_read(tmp_path, cell):
    store = Store(tmp_path)
    write(store, cell)
    record = store.read(cell)
    assert record["metrics"] == {"auc": 0.9}
    assert record["cell"]["options"] == {"encoder": "linear", "epochs": 2}
    assert record["hash"] == cell.hash
    assert np.array_equal(store.read_scores(cell)["test"], SCORES["test"])


def test_a_cell_that_was_cut_short_is_not_finished(tmp_path, cell):
    store = Store(tmp_path)
    with pytest.raises(TypeError):
        store.write(cell, {"metrics": object()}, history=[], scores=SCORES)
    assert not store.is_finished(cell)
    assert list(store.path(cell).parent.iterdir()) == []
    write(store, cell)
    assert store.is_finished(cell)


def test_a_failure_is_kept_until_the_cell_is_finished(tmp_path, cell):
    store = Store(tmp_path)
    assert store.failure(cell) is None
    store.fail(cell, "training diverged", details="a\nb")
    assert store.failure(cell) == "training diverged"
    assert not store.is_finished(cell)
    write(store, cell)
    assert store.failure(cell) is None
    assert [path.name for path in store.path(cell).parent.iterdir()] == [f"0-{cell.hash}"]


def test_checkpoints_go_when_the_cell_is_finished(tmp_path, cell):
    store = Store(tmp_path)
    store.part(cell).mkdir(parents=True)
    (store.part(cell) / "checkpoint.safetensors").touch()
    write(store, cell)
    assert not store.part(cell).exists()


def test_a_cell_of_an_earlier_version_whose_metrics_were_called_figures_is_read(tmp_path, cell):
    store = Store(tmp_path)
    store.write(cell, {"figures": {"auc": 0.9}}, history=[], scores=SCORES)
    assert store.read(cell)["metrics"] == {"auc": 0.9}
    assert "figures" not in store.read(cell)


@pytest.mark.parametrize("content", ["{", "[" * 200_000, "[]", "{}", '{"metrics": []}'])
def test_a_damaged_record_is_told(tmp_path, cell, content):
    store = Store(tmp_path)
    write(store, cell)
    (store.path(cell) / "cell.json").write_text(content)
    with pytest.raises(DataError, match=r"cell\.json is damaged.*; remove its directory, and run the cell again"):
        store.read(cell)
