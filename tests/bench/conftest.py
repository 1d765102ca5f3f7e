import csv

import pytest

from angularpu_bench.report.results import WORDS, Result, Results
from angularpu_bench.spec.columns import METRICS
from angularpu_bench.spec.grid import expand
from angularpu_bench.spec.spec_file import parse_spec

TINY = {
    "seeds": 1,
    "methods": ["angular"],
    "budget": {"epochs": 2, "encoder": "linear"},
    "datasets": [{"name": "gaussians", "track": "table"}],
}


@pytest.fixture
def make_cells():
    """A function that returns the cells of a tiny spec, with some keys set otherwise."""

    def make(**keys):
        return expand(parse_spec({**TINY, **keys}, name="tiny"))

    return make


@pytest.fixture
def cell(make_cells):
    """One cell: AngularPU with a linear encoder, two epochs, on Gaussians."""
    return make_cells()[0]


@pytest.fixture(scope="session")
def make_rows():
    return rows_of


def rows_of(aucs_by_method, *, spec="main", track="table", dataset="spam", variant="", **metrics):
    """Make one result per seed and method, from the AUC of every seed."""
    rows = []
    for method, values in aucs_by_method.items():
        for seed, auc in enumerate(values):
            made = {"auc": auc, "ap": auc - 0.01, "f1_pu": auc - 0.1, "f1_oracle": auc - 0.05, "seconds": 2.0}
            made |= {
                "precision_pu": 0.8,
                "recall_pu": 0.8,
                "precision_oracle": 0.8,
                "recall_oracle": 0.9,
                "accuracy_pu": 0.9,
                "accuracy_oracle": 0.92,
                "auc_last": auc - 0.02,
                "memory_mb": 300.0,
                "n_pos": 200.0,
            }
            made |= {"n_unl": 3000.0, "prior": 0.4, "epochs": 5.0, "recall_at_p90": 0.7, "recall_at_p95": 0.5}
            rows.append(Result(spec, track, dataset, method, variant, seed, {**made, **metrics}))
    return Results(tuple(rows))


@pytest.fixture(scope="session")
def write_rows():
    return write_csv


def write_csv(path, results):
    """Write results as the bench does."""
    columns = [*WORDS[:-1], "seed", "hash", *METRICS, "warnings", "status"]
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns, restval="")
        writer.writeheader()
        for row in results:
            words = {name: getattr(row, name) for name in (*WORDS, "seed", "warnings")}
            writer.writerow({**words, "hash": "0" * 8, **(row.metrics if row.status == "ok" else {})})
