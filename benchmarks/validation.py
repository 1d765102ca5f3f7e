"""Hold out a tenth or five folds: which chooses the better epoch and threshold with hundreds of positives.

    python benchmarks/validation.py --data DIR --runs RUNS [--seeds 6]

Frozen features of CIFAR-10 (vehicles) and Fashion-MNIST (tops) as in experiments/scarcity.toml: 5,000 unlabelled rows,
ten epochs at most, the epoch by PU-AUC, the threshold by PU-F1 with BBE; STL-10 (four vehicles) as in
experiments/main.toml. The test set says what came of it. DIR is the data directory, RUNS keeps the features. Results
are in benchmarks/results/validation.csv, one row a fit; a second run makes what is missing, then prints the table.
"""

import argparse
import csv
import dataclasses
import os
from pathlib import Path

os.environ["OMP_NUM_THREADS"] = "1"

import numpy as np

from angularpu import files
from angularpu_bench.run.measure import measure
from angularpu_bench.run.rows import Places
from angularpu_bench.run.trial import prepare_trial
from angularpu_bench.spec.grid import expand
from angularpu_bench.spec.spec_file import read_spec

ROOT = Path(__file__).parent
RESULTS = ROOT / "results" / "validation.csv"
SPECS = {"cifar10": "scarcity", "fashion-mnist": "scarcity", "stl10": "main"}
CASES = [
    *((name, labelled, "angular") for labelled in (300, 500, 800, 1000) for name in ("cifar10", "fashion-mnist")),
    ("stl10", 500, "angular"),
    ("cifar10", 500, "nnpu"),
    ("fashion-mnist", 500, "nnpu"),
]
VALIDATIONS = ("hold-out", "folds")
FIRST_SEED = 10  # the experiments have the first ones
KEY = ("dataset", "labelled", "method", "seed", "validation")
FIGURES = ("auc", "ap", "f1_pu", "f1_oracle", "best_f1")


def run(row: dict[str, str], places: Places) -> dict[str, str]:
    """Fit once and measure on the test set."""
    spec = read_spec(ROOT.parent / "experiments" / f"{SPECS[row['dataset']]}.toml")
    base = next(cell for cell in expand(spec) if (cell.dataset, cell.method) == (row["dataset"], row["method"]))
    options = {**base.options, "validation": row["validation"]}
    cell = dataclasses.replace(base, seed=int(row["seed"]), labelled=int(row["labelled"]), options=options)
    trial = prepare_trial(cell, places)
    fitted = trial.fit()
    figures = measure(trial.score(fitted), threshold=cell.threshold, prior="bbe", alpha=None)
    return {**row, "best_epoch": str(fitted.best_epoch), **{name: f"{figures[name]:.4f}" for name in FIGURES}}


def read() -> list[dict[str, str]]:
    """Return the rows there are."""
    if not RESULTS.exists():
        return []
    with RESULTS.open(newline="") as file:
        return list(csv.DictReader(file))


def write(rows: list[dict[str, str]]) -> None:
    """Write all rows, whole or not at all."""
    with files.atomic_file(RESULTS) as temporary, temporary.open("w", newline="") as file:
        writer = csv.DictWriter(file, [*KEY, "best_epoch", *FIGURES], lineterminator="\n")
        writer.writeheader()
        writer.writerows(sorted(rows, key=lambda row: [row[name] for name in KEY]))


def show(rows: list[dict[str, str]]) -> None:
    """Print the table of means, and of the worst F1 over the seeds."""
    print("| data set | labelled | method | seeds | AUC, tenth | folds | F1, tenth | folds | worst F1, tenth | folds |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for name, labelled, method in CASES:
        chosen = [
            [row for row in rows if [row[key] for key in KEY if key != "seed"] == [name, str(labelled), method, kind]]
            for kind in VALIDATIONS
        ]
        auc, f1 = ([np.array([float(row[key]) for row in each]) for each in chosen] for key in ("auc", "f1_pu"))
        cells = [f"{v.mean():.4f}" for v in auc] + [f"{v.mean():.3f}" for v in f1] + [f"{v.min():.3f}" for v in f1]
        print(f"| {name} | {labelled} | {method} | {len(auc[0])} | {' | '.join(cells)} |")


def main() -> None:
    """Make what is missing, one fit after the other, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--runs", type=Path, required=True)
    parser.add_argument("--seeds", type=int, default=6)
    arguments = parser.parse_args()
    rows = read()
    done = {tuple(row[name] for name in KEY) for row in rows}
    for case in CASES:
        for seed in range(FIRST_SEED, FIRST_SEED + arguments.seeds):
            for validation in VALIDATIONS:
                key = tuple(map(str, (*case, seed, validation)))
                if key not in done:
                    rows.append(run(dict(zip(KEY, key, strict=True)), Places(arguments.data, arguments.runs)))
                    write(rows)
    show(rows)


if __name__ == "__main__":
    main()
