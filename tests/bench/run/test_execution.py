import json

import numpy as np
import pytest

from angularpu import files
from angularpu.methods.table import METHODS
from angularpu.train.checkpoint import Checkpoint
from angularpu_bench.run.epochs import EpochRecorder, claim_record
from angularpu_bench.run.execution import run_cell
from angularpu_bench.run.measure import Scored, measure, measure_again
from angularpu_bench.run.rows import Places
from angularpu_bench.run.store import HISTORY, Store
from angularpu_bench.run.trial import prepare_trial
from angularpu_bench.spec.columns import COLUMNS, IDENTITY

TIMING = {"seconds", "memory_mb"}


def run(cell, folder):
    return run_cell(cell, Places(None, folder))


def read_history(cell, folder):
    return json.loads((Store(folder).path(cell) / HISTORY).read_text())


def drop_timing(metrics):
    return {name: value for name, value in metrics.items() if name not in TIMING}


def test_every_column_of_the_table_is_measured(cell, tmp_path):
    assert set(run(cell, tmp_path)) == set(COLUMNS) - set(IDENTITY) - {"status"}


def test_the_figures_follow_from_the_stored_scores(cell, tmp_path):
    metrics = run(cell, tmp_path)
    store = Store(tmp_path)
    record = store.read(cell)
    scored = Scored.restore(store.read_scores(cell), record["scored"])
    again = measure(scored, threshold=cell.threshold, **record["told"])
    assert again.items() <= metrics.items()
    store.rewrite(cell, {**record, "metrics": {**record["metrics"], "auc": 0.0}})
    measure_again(cell, store)
    assert store.read(cell) == record


def test_the_epoch_that_is_kept_has_the_test_auc_of_the_row(cell, tmp_path):
    metrics = run(cell, tmp_path)
    history = read_history(cell, tmp_path)
    kept = history[metrics["best_epoch"] - 1]
    assert {"pu_auc", "proxy_accuracy", "pu_risk", "oracle_auc", "objective"} <= set(kept)
    assert kept["test_auc"] == pytest.approx(metrics["auc"], abs=1e-12)
    assert history[-1]["test_auc"] == metrics["auc_last"]


def test_the_best_epoch_by_true_classes_is_scored_after_the_others(make_cells, tmp_path):
    budget = {"epochs": 6, "learning_rate": 0.1, "encoder": "linear", "selection": "last"}
    (cell,) = make_cells(budget=budget)
    metrics = run(cell, tmp_path)
    history = read_history(cell, tmp_path)
    best = max(reversed(history), key=lambda entry: entry["oracle_auc"])["epoch"]
    assert best < 6, "this trial should be one that gets worse"
    assert [entry["epoch"] for entry in history if entry["test_auc"] is not None] == [best, 6]
    (shorter,) = make_cells(budget={**budget, "epochs": best})
    assert metrics["auc_oracle_epoch"] == run(shorter, tmp_path)["auc_last"]


@pytest.mark.parametrize(("method", "scenario"), [("nnpu", "two-sample"), ("oracle_pn", "one-sample")])
def test_where_unlabelled_rows_are_left_out_the_others_stand_for_the_population(make_cells, tmp_path, method, scenario):
    datasets = [{"name": "gaussians", "track": "table", "unlabelled": 300, "labelled": 200}]
    (cell,) = make_cells(methods=[method], datasets=datasets, prior="true")
    metrics = run(cell, tmp_path)
    assert Store(tmp_path).read(cell)["scored"]["scenario"] == scenario
    share = (
        metrics["alpha_true"] if scenario == "two-sample" else metrics["n_pos"] / (metrics["n_pos"] + metrics["n_unl"])
    )
    assert metrics["prior"] == pytest.approx(share)


@pytest.mark.parametrize("method", ["angular", "self_pu"])
def test_recording_changes_nothing(make_cells, tmp_path, method):
    (cell,) = make_cells(methods=[method])
    run(cell, tmp_path)
    trial = prepare_trial(cell, Places(None, tmp_path))
    unseen = trial.score(trial.fit()).arrays()
    recorded = Store(tmp_path).read_scores(cell)
    assert all((recorded[name] == unseen[name]).all() for name in unseen)


class KilledError(Exception):
    """Stands for the moment a process dies."""


def kill(cell, folder, *, saves):
    """Run a cell in a process that dies as soon as its fit and its recorder have saved so many times."""
    save, done = Checkpoint.save, []

    def save_and_die(self, tensors, info):
        save(self, tensors, info)
        done.append(1)
        if len(done) == saves:
            raise KilledError

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Checkpoint, "save", save_and_die)
        with pytest.raises(KilledError):
            run(cell, folder)


# Every epoch is saved twice: first by the recorder, then by the fit.
@pytest.mark.parametrize(
    ("method", "labelled", "saves"),
    [*(("angular", 500, saves) for saves in range(1, 7)), *(("pubn", 500, saves) for saves in (2, 3)), ("vpu", 40, 17)],
)
def test_a_cell_that_was_killed_ends_as_if_it_had_not_been(make_cells, tmp_path, method, labelled, saves):
    datasets = [{"name": "gaussians", "track": "table", "labelled": labelled, "unlabelled": 800}]
    (cell,) = make_cells(methods=[method], budget={"epochs": 3, "encoder": "linear"}, datasets=datasets)
    whole = run(cell, tmp_path / "a")
    kill(cell, tmp_path / "b", saves=saves)
    assert not Store(tmp_path / "b").is_finished(cell)
    resumed = run(cell, tmp_path / "b")
    assert drop_timing(resumed) == drop_timing(whole)
    assert read_history(cell, tmp_path / "b") == read_history(cell, tmp_path / "a")
    assert not Store(tmp_path / "b").part(cell).exists()


def test_what_was_trained_before_a_kill_is_not_trained_again_and_its_time_counts(make_cells, tmp_path):
    (cell,) = make_cells(budget={"epochs": 3, "encoder": "linear"})
    kill(cell, tmp_path, saves=4)
    trial = prepare_trial(cell, Places(None, tmp_path))
    part = Store(tmp_path).part(cell)
    recorder, trained = EpochRecorder(trial.judge, claim_record(part, key=trial.key())), []
    assert recorder.seconds > 0
    trial.fit(checkpoint_dir=part / "fit", on_epoch=lambda finished: trained.append(finished.epoch))
    assert trained == [3]


def test_a_checkpoint_of_other_settings_is_thrown_away(cell, tmp_path):
    for own in ("epochs", "fit"):
        Checkpoint(Store(tmp_path).part(cell) / own, key="another").save({}, {"of": "something else"})
    assert run(cell, tmp_path)["epochs"] == 2


def test_a_checkpoint_without_a_record_of_its_epochs_is_thrown_away(make_cells, tmp_path):
    (cell,) = make_cells(budget={"epochs": 3, "encoder": "linear"})
    kill(cell, tmp_path, saves=4)
    files.remove(Store(tmp_path).part(cell) / "epochs")
    run(cell, tmp_path)
    assert [entry["epoch"] for entry in read_history(cell, tmp_path)] == [1, 2, 3]


def test_a_fit_that_keeps_its_last_epoch_is_cut_by_rows_it_has_not_seen(make_cells, tmp_path):
    (cell,) = make_cells(budget={"epochs": 2, "encoder": "linear", "selection": "last"})
    metrics = run(cell, tmp_path)
    record = Store(tmp_path).read(cell)
    assert record["scored"] == {"n_pos": 500, "n_unl": 3500, "scenario": "one-sample", "source": "held out"}
    scores = Store(tmp_path).read_scores(cell)
    assert (len(scores["held_pos"]), len(scores["held_unl"])) == (50, 350)
    assert metrics["auc"] == pytest.approx(metrics["auc_last"], abs=1e-12)


def test_few_positives_are_cross_fitted(make_cells, tmp_path):
    (cell,) = make_cells(
        budget={"epochs": 1, "encoder": "linear"},
        datasets=[{"name": "gaussians", "track": "table", "labelled": 40, "unlabelled": 500}],
    )
    metrics = run(cell, tmp_path)
    assert (metrics["n_pos"], metrics["n_unl"], metrics["auc_last"]) == (40, 500, None)
    assert len(Store(tmp_path).read_scores(cell)["held_unl"]) == 500


@pytest.mark.parametrize("scenario", ["one-sample", "two-sample"])
def test_the_true_share_of_positives_is_told_where_it_is_asked_for(make_cells, tmp_path, scenario):
    (cell,) = make_cells(methods=["nnpu"], budget={"epochs": 1, "encoder": "linear"}, scenario=scenario)
    metrics = run(cell, tmp_path)
    told = Store(tmp_path).read(cell)["told"]
    assert told["alpha"] == pytest.approx(metrics["alpha_true"], abs=1e-9)


def test_a_supervised_fit_knows_all_labels(make_cells, tmp_path):
    (cell,) = make_cells(methods=["oracle_pn"], budget={"epochs": 1, "encoder": "linear"})
    metrics = run(cell, tmp_path)
    assert metrics["alpha_true"] == 0
    assert metrics["n_pos"] + metrics["n_unl"] == 4000


def test_a_classical_method_stands_around_the_rounds_of_the_spec(make_cells, tmp_path):
    few, many = (make_cells(methods=["elkan_noto"], boosting_rounds=rounds)[0] for rounds in (1, 20))
    first, second = run(few, tmp_path), run(many, tmp_path)
    assert first["epochs"] == second["epochs"] == 0
    assert first["auc"] < second["auc"]
    assert np.isfinite(second["brier"])


@pytest.mark.parametrize("method", [name for name in METHODS if name != "complement_nb"])  # which takes counts
def test_every_method_runs_as_a_cell(make_cells, tmp_path, method):
    n_pos, n_unl = (300, 600) if METHODS[method].is_neural else (50, 150)  # an ensemble has networks in five folds
    few = {"name": "gaussians", "track": "table", "labelled": n_pos, "unlabelled": n_unl}
    (cell,) = make_cells(methods=[method], datasets=[few], boosting_rounds=2)
    metrics = run(cell, tmp_path)
    assert np.isfinite([metrics["auc"], metrics["f1_pu"], metrics["f1_oracle"], metrics["ece"]]).all()
    assert (metrics["auc_last"] is None) == (metrics["epochs"] == 0)
    assert sum("test_auc" in entry for entry in read_history(cell, tmp_path)) == metrics["epochs"]
