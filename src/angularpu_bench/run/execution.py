"""One cell, from its data set to its directory in the store."""

import platform
import time
from importlib.metadata import version
from typing import Any

import torch
from torch.optim import Adam

from angularpu.methods.table import find_method
from angularpu_bench.run.epochs import find_oracle_epoch
from angularpu_bench.run.measure import measure
from angularpu_bench.run.memory import peak_megabytes, reset_peak
from angularpu_bench.run.projection import project
from angularpu_bench.run.rows import Places
from angularpu_bench.run.store import Store
from angularpu_bench.run.trial import prepare_trial
from angularpu_bench.spec.grid import Cell

PACKAGES = ("angularpu", "numpy", "scikit-learn", "scipy", "torch")


def run_cell(cell: Cell, places: Places) -> dict[str, Any]:
    """Fit a cell, measure it, keep it in the store, and return its figures.

    A network that was killed goes on from its last epoch, unless its rows or settings have changed since.
    """
    store = Store(places.runs)
    trial = prepare_trial(cell, places)
    reset_peak()  # only the cell that comes first loads the data set; its rows count for all
    start = time.process_time()
    watch = trial.watch(store.part(cell))
    fitted = trial.fit(watch)
    seconds = watch.seconds if watch else time.process_time() - start
    if watch:
        watch.complete()
    scored = trial.score(fitted)
    told: dict[str, Any] = {"prior": trial.method.prior, "alpha": fitted.alpha}
    seen = watch.epochs if watch else []
    figures = {
        "n_pos": trial.sample.n_pos,
        "n_unl": trial.sample.n_unl,
        "prior": trial.shares.prior,
        "epochs": len(fitted.history),
        "best_epoch": fitted.best_epoch,
        **measure(scored, threshold=cell.threshold, **told),
        "alpha_true": trial.alpha,
        "auc_last": seen[-1]["test_auc"] if seen else None,
        "auc_oracle_epoch": find_oracle_epoch(seen)["test_auc"] if seen else None,
        "seconds": seconds,
        "memory_mb": peak_megabytes(),
        "warnings": "; ".join(trial.dataset.warnings),
    }
    record = {
        "figures": figures,
        "scored": scored.describe(),
        "told": told,
        "labelling": fitted.labelling,
        "notes": list(fitted.notes),
        "versions": list_versions(),
    }
    history = [{**old, **new} for old, new in zip(seen, fitted.history, strict=True)] if seen else fitted.history
    points = project(fitted, trial.held) if find_method(cell.method).is_neural else {}
    store.write(cell, record, history=history, scores={**scored.arrays(), **points})
    return figures


def warm_up() -> None:
    """Let torch load what it loads with the first optimiser, lest the first cell be charged seconds for it."""
    Adam([torch.zeros(1, requires_grad=True)])


def list_versions() -> dict[str, str]:
    """Return the versions of what computes."""
    return {"python": platform.python_version(), **{package: version(package) for package in PACKAGES}}
