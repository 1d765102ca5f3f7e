import csv
from pathlib import Path

import numpy as np
import pytest

from angularpu_bench.run.rows import Places
from angularpu_bench.run.trial import prepare_trial
from angularpu_bench.spec.grid import expand
from angularpu_bench.spec.spec_file import read_spec

EXPERIMENTS = Path(__file__).parents[3] / "experiments"


def prepare(make_cells, tmp_path, *, labelled=500, selection="pu-auc", **keys):
    datasets = [{"name": "gaussians", "track": "table", "labelled": labelled, "unlabelled": 800}]
    budget = {"epochs": 1, "encoder": "linear", "selection": selection}
    (cell,) = make_cells(datasets=datasets, budget=budget, **keys)
    return prepare_trial(cell, Places(None, tmp_path))


@pytest.mark.parametrize("labelled", [400, 1200])
def test_a_cell_that_keeps_its_last_epoch_is_judged_by_the_rows_that_others_hold_out(make_cells, tmp_path, labelled):
    held = [
        prepare(make_cells, tmp_path, labelled=labelled, selection=selection).fit().held_rows
        for selection in ("pu-auc", "last")
    ]
    assert all(np.array_equal(one, other) for one, other in zip(*held, strict=True))
    assert len(held[0][0]) == labelled // 10


@pytest.mark.parametrize(
    ("labelled", "selection", "source"),
    [
        (300, "pu-auc", "held out"),
        (299, "pu-auc", "cross-fitted"),
        (299, "last", "held out"),
        (61, "last", "held out"),
        (60, "last", "training"),
    ],
)
def test_where_the_scores_of_a_cell_come_from(make_cells, tmp_path, labelled, selection, source):
    trial = prepare(make_cells, tmp_path, labelled=labelled, selection=selection)
    fitted = trial.fit()
    assert fitted.held.source == source
    scored = trial.score(fitted)
    assert len(scored.held.score_unl) == len(scored.y_unl) == len(fitted.held_rows[1])
    assert np.array_equal(scored.y_unl, trial.truth.y[fitted.held_rows[1]])


def test_a_spec_may_say_how_its_cells_are_validated(make_cells, tmp_path):
    trial = prepare(make_cells, tmp_path, options={"angular": {"validation": "folds"}})
    assert trial.method.settings.validation == "folds"


def test_the_hashes_of_all_committed_results_are_those_of_their_specs():
    tables = sorted(
        path for path in (EXPERIMENTS / "results").glob("*.csv") if (EXPERIMENTS / f"{path.stem}.toml").exists()
    )
    assert len(tables) >= 8
    for table in tables:
        hashes = {cell.hash for cell in expand(read_spec(EXPERIMENTS / f"{table.stem}.toml"))}
        with table.open(newline="") as file:
            assert {row["hash"] for row in csv.DictReader(file)} <= hashes, table.name
