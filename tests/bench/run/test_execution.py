import json

import numpy as np
import pytest

from angularpu.methods.table import METHODS
from angularpu_bench.run import epochs
from angularpu_bench.run.collect import COLUMNS, IDENTITY
from angularpu_bench.run.execution import run_cell
from angularpu_bench.run.measure import Scored, measure, measure_again
from angularpu_bench.run.rows import Places
from angularpu_bench.run.store import HISTORY, Store

TIMING = {"seconds", "memory_mb"}


def run(cell, folder):
    return run_cell(cell, Places(None, folder))


def read_history(cell, folder):
    return json.loads((Store(folder).path(cell) / HISTORY).read_text())


def drop_timing(figures):
    return {name: value for name, value in figures.items() if name not in TIMING}


def test_every_column_of_the_table_is_measured(cell, tmp_path):
    assert set(run(cell, tmp_path)) == set(COLUMNS) - set(IDENTITY) - {"status"}


def test_the_figures_follow_from_the_stored_scores(cell, tmp_path):
    figures = run(cell, tmp_path)
    store = Store(tmp_path)
    record = store.read(cell)
    scored = Scored.restore(store.read_scores(cell), record["scored"])
    again = measure(scored, threshold=cell.threshold, **record["told"])
    assert again.items() <= figures.items()
    store.rewrite(cell, {**record, "figures": {**record["figures"], "auc": 0.0}})
    measure_again(cell, store)
    assert store.read(cell) == record


def test_the_epoch_that_is_kept_has_the_test_auc_of_the_row(cell, tmp_path):
    figures = run(cell, tmp_path)
    history = read_history(cell, tmp_path)
    kept = history[figures["best_epoch"] - 1]
    assert {"pu_auc", "proxy_accuracy", "pu_risk", "oracle_auc", "objective"} <= set(kept)
    assert kept["test_auc"] == pytest.approx(figures["auc"], abs=1e-12)
    assert history[-1]["test_auc"] == figures["auc_last"]


def test_the_best_epoch_by_true_classes_is_scored_after_the_others(make_cells, tmp_path):
    budget = {"epochs": 6, "learning_rate": 0.1, "encoder": "linear", "selection": "last"}
    (cell,) = make_cells(budget=budget)
    figures = run(cell, tmp_path)
    history = read_history(cell, tmp_path)
    best = max(reversed(history), key=lambda entry: entry["oracle_auc"])["epoch"]
    assert best < 6, "this trial should be one that gets worse"
    assert [entry["epoch"] for entry in history if entry["test_auc"] is not None] == [best, 6]
    (shorter,) = make_cells(budget={**budget, "epochs": best})
    assert figures["auc_oracle_epoch"] == run(shorter, tmp_path)["auc_last"]


@pytest.mark.parametrize(("method", "scenario"), [("nnpu", "two-sample"), ("oracle_pn", "one-sample")])
def test_where_unlabelled_rows_are_left_out_the_others_stand_for_the_population(make_cells, tmp_path, method, scenario):
    datasets = [{"name": "gaussians", "track": "table", "unlabelled": 300, "labelled": 200}]
    (cell,) = make_cells(methods=[method], datasets=datasets, prior="true")
    figures = run(cell, tmp_path)
    assert Store(tmp_path).read(cell)["scored"]["scenario"] == scenario
    share = (
        figures["alpha_true"] if scenario == "two-sample" else figures["n_pos"] / (figures["n_pos"] + figures["n_unl"])
    )
    assert figures["prior"] == pytest.approx(share)


def test_watching_changes_nothing(cell, tmp_path, monkeypatch):
    watched = run(cell, tmp_path / "a")
    monkeypatch.setattr("angularpu_bench.run.trial.Trial.watch", lambda self, directory: None)
    unwatched = run(cell, tmp_path / "b")
    differ = {name for name in watched if watched[name] != unwatched[name]} - TIMING
    assert differ == {"auc_last", "auc_oracle_epoch"}


@pytest.mark.parametrize("method", ["angular", "pubn"])
def test_a_cell_that_was_killed_ends_as_if_it_had_not_been(make_cells, tmp_path, monkeypatch, method):
    (cell,) = make_cells(methods=[method], budget={"epochs": 3, "encoder": "linear"})
    whole = run(cell, tmp_path / "a")
    look, seen = epochs.Watch._look, []

    def look_and_die(self):
        seen.append(1)
        if len(seen) == 2:
            raise KeyboardInterrupt  # after the checkpoint of the second epoch, before a look at it
        look(self)

    monkeypatch.setattr(epochs.Watch, "_look", look_and_die)
    with pytest.raises(KeyboardInterrupt):
        run(cell, tmp_path / "b")
    assert not Store(tmp_path / "b").is_finished(cell)
    resumed = run(cell, tmp_path / "b")
    assert drop_timing(resumed) == drop_timing(whole)
    assert read_history(cell, tmp_path / "b") == read_history(cell, tmp_path / "a")
    assert not Store(tmp_path / "b").part(cell).exists()


def test_a_checkpoint_of_other_settings_is_thrown_away(cell, tmp_path):
    part = Store(tmp_path).part(cell)
    part.mkdir(parents=True)
    (part / "run.json").write_text('{"key": "another"}')
    assert run(cell, tmp_path)["epochs"] == 2


def test_a_fit_that_keeps_its_last_epoch_is_cut_by_rows_it_has_not_seen(make_cells, tmp_path):
    (cell,) = make_cells(budget={"epochs": 2, "encoder": "linear", "selection": "last"})
    figures = run(cell, tmp_path)
    record = Store(tmp_path).read(cell)
    assert record["scored"] == {"n_pos": 500, "n_unl": 3500, "scenario": "one-sample", "source": "held out"}
    scores = Store(tmp_path).read_scores(cell)
    assert (len(scores["held_pos"]), len(scores["held_unl"])) == (50, 350)
    assert figures["auc"] == pytest.approx(figures["auc_last"], abs=1e-12)


def test_few_positives_are_cross_fitted(make_cells, tmp_path):
    (cell,) = make_cells(
        budget={"epochs": 1, "encoder": "linear"},
        datasets=[{"name": "gaussians", "track": "table", "labelled": 40, "unlabelled": 500}],
    )
    figures = run(cell, tmp_path)
    assert (figures["n_pos"], figures["n_unl"], figures["auc_last"]) == (40, 500, None)
    assert len(Store(tmp_path).read_scores(cell)["held_unl"]) == 500


@pytest.mark.parametrize("scenario", ["one-sample", "two-sample"])
def test_the_true_share_of_positives_is_told_where_it_is_asked_for(make_cells, tmp_path, scenario):
    (cell,) = make_cells(methods=["nnpu"], budget={"epochs": 1, "encoder": "linear"}, scenario=scenario)
    figures = run(cell, tmp_path)
    told = Store(tmp_path).read(cell)["told"]
    assert told["alpha"] == pytest.approx(figures["alpha_true"], abs=1e-9)


def test_a_supervised_fit_knows_all_labels(make_cells, tmp_path):
    (cell,) = make_cells(methods=["oracle_pn"], budget={"epochs": 1, "encoder": "linear"})
    figures = run(cell, tmp_path)
    assert figures["alpha_true"] == 0
    assert figures["n_pos"] + figures["n_unl"] == 4000


def test_a_classical_method_stands_around_the_rounds_of_the_spec(make_cells, tmp_path):
    few, many = (make_cells(methods=["elkan_noto"], boosting_rounds=rounds)[0] for rounds in (1, 20))
    first, second = run(few, tmp_path), run(many, tmp_path)
    assert first["epochs"] == second["epochs"] == 0
    assert first["auc"] < second["auc"]
    assert np.isfinite(second["brier"])


@pytest.mark.parametrize("method", METHODS)
def test_every_method_runs_as_a_cell(make_cells, tmp_path, method):
    n_pos, n_unl = (300, 600) if METHODS[method].is_neural else (50, 150)
    few = {"name": "gaussians", "track": "table", "labelled": n_pos, "unlabelled": n_unl}
    (cell,) = make_cells(methods=[method], datasets=[few], boosting_rounds=2)
    figures = run(cell, tmp_path)
    assert np.isfinite([figures["auc"], figures["f1_pu"], figures["f1_oracle"], figures["ece"]]).all()
    assert (figures["auc_last"] is None) == (figures["epochs"] == 0)
    assert sum("test_auc" in entry for entry in read_history(cell, tmp_path)) == figures["epochs"]
