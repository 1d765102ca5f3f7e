"""One cell, from its data set to its directory in the store."""

import platform
from importlib.metadata import version
from typing import Any

import torch
from torch.optim import Adam

from angularpu.data.sources import as_rows
from angularpu.methods.table import find_method
from angularpu_bench.run.epoch_scores import EpochScores
from angularpu_bench.run.epochs import EpochRecorder, claim_record, find_oracle_epoch
from angularpu_bench.run.measure import measure
from angularpu_bench.run.memory import peak_megabytes, reset_peak
from angularpu_bench.run.projection import project
from angularpu_bench.run.rows import Places
from angularpu_bench.run.store import Store
from angularpu_bench.run.trial import prepare_trial
from angularpu_bench.spec.grid import Cell

PACKAGES = ("angularpu", "numpy", "scikit-learn", "scipy", "torch")


def run_cell(cell: Cell, places: Places) -> dict[str, Any]:
    """Fit a cell, measure it, keep it in the store, and return its metrics.

    A network whose training was killed is resumed after its last epoch, unless its rows or settings have changed since.
    """
    store = Store(places.runs)
    trial = prepare_trial(cell, places)
    part = store.part(cell)
    reset_peak()  # only the cell that comes first loads the data set; its rows count for all
    recorder = EpochRecorder(trial.judge, claim_record(part, key=trial.key()))
    fitted = trial.fit(checkpoint_dir=part / "fit", on_epoch=recorder)
    seconds = recorder.seconds
    tested = EpochScores(fitted, as_rows(trial.dataset.x_test), maps_dir=places.cache)
    recorder.test(tested, y=trial.dataset.y_test)
    epochs = recorder.epochs
    scored = trial.score(fitted, tested.score())
    told: dict[str, Any] = {"prior": trial.method.prior, "alpha": fitted.alpha}
    metrics = {
        "n_pos": trial.sample.n_pos,
        "n_unl": trial.sample.n_unl,
        "prior": trial.shares.prior,
        "epochs": len(epochs),
        "best_epoch": fitted.best_epoch,
        **measure(scored, threshold=cell.threshold, **told),
        "alpha_true": trial.alpha,
        "auc_last": epochs[-1]["test_auc"] if epochs else None,
        "auc_oracle_epoch": find_oracle_epoch(epochs)["test_auc"] if epochs else None,
        "seconds": seconds,
        "memory_mb": peak_megabytes(),
        "warnings": "; ".join(trial.dataset.warnings),
    }
    record = {
        "metrics": metrics,
        "scored": scored.describe(),
        "told": told,
        "labelling": fitted.labelling,
        "notes": list(fitted.notes),
        "versions": list_versions(),
    }
    both = zip(epochs, fitted.history, strict=True)
    history = [{**seen, **entry} for seen, entry in both] if epochs else fitted.history
    points = project(fitted, trial.held(fitted)) if find_method(cell.method).is_neural else {}
    store.write(cell, record, history=history, scores={**scored.arrays(), **points})
    return metrics


def warm_up() -> None:
    """Let torch load what it loads with the first optimiser, so that no cell's time includes it."""
    Adam([torch.zeros(1, requires_grad=True)])


def list_versions() -> dict[str, str]:
    """Return the versions of what computes."""
    return {"python": platform.python_version(), **{package: version(package) for package in PACKAGES}}
