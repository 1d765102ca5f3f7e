"""Hold out a tenth or five folds: which chooses the better epoch and threshold with hundreds of positives.

    python benchmarks/validation.py --data DIR --runs RUNS [--seeds 6] [--json]
    python benchmarks/validation.py --quick

Frozen features of CIFAR-10 (vehicles) and Fashion-MNIST (tops) as in experiments/scarcity.toml: 5,000 unlabelled rows,
ten epochs at most, the epoch by PU-AUC, the threshold by PU-F1 with BBE; STL-10 (four vehicles) as in
experiments/main.toml. The test set says what came of it. DIR is the data directory, RUNS keeps the features. Results
are in benchmarks/results/validation.csv, one row a fit; a second run makes what is missing, then prints the table. The
quick form keeps its features and results in a temporary directory.
"""

import csv
import dataclasses
import json
import os
from pathlib import Path

os.environ["OMP_NUM_THREADS"] = "1"

import numpy as np
from command_line import make_parser, parse, print_header, print_row
from small_files import data_directory, write_cifar, write_fashion, write_vgg16

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
QUICK_CASES = [("cifar10", 40, "angular"), ("fashion-mnist", 40, "nnpu")]
VALIDATIONS = ("hold-out", "folds")
FIRST_SEED = 10  # the experiments have the first ones
KEY = ("dataset", "labelled", "method", "seed", "validation")
METRICS = ("auc", "ap", "f1_pu", "f1_oracle", "best_f1")


def run(row: dict[str, str], places: Places, *, epochs: int | None, unlabelled: int | None) -> dict[str, str]:
    """Fit once and measure on the test set; epochs and unlabelled rows are those of the experiment unless given."""
    spec = read_spec(ROOT.parent / "experiments" / f"{SPECS[row['dataset']]}.toml")
    base = next(cell for cell in expand(spec) if (cell.dataset, cell.method) == (row["dataset"], row["method"]))
    options = {**base.options, "validation": row["validation"]} | ({"epochs": epochs} if epochs else {})
    cell = dataclasses.replace(
        base,
        seed=int(row["seed"]),
        labelled=int(row["labelled"]),
        unlabelled=unlabelled or base.unlabelled,
        options=options,
    )
    trial = prepare_trial(cell, places)
    fitted = trial.fit()
    measured = measure(trial.score(fitted), threshold=cell.threshold, prior="bbe", alpha=None)
    return {**row, "best_epoch": str(fitted.best_epoch), **{name: f"{measured[name]:.4f}" for name in METRICS}}


def read(path: Path) -> list[dict[str, str]]:
    """Return the rows there are."""
    if not path.exists():
        return []
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def write(path: Path, rows: list[dict[str, str]]) -> None:
    """Write all rows, whole or not at all."""
    with files.atomic_file(path) as temporary, temporary.open("w", newline="") as file:
        writer = csv.DictWriter(file, [*KEY, "best_epoch", *METRICS], lineterminator="\n")
        writer.writeheader()
        writer.writerows(sorted(rows, key=lambda row: [row[name] for name in KEY]))


def show(rows: list[dict[str, str]], cases: list[tuple[str, int, str]]) -> None:
    """Print the table of means, and of the worst F1 over the seeds."""
    pairs = [text for name in ("AUC", "F1", "worst F1") for text in (f"{name}, tenth", "folds")]
    print_header("data set", "labelled", "method", "seeds", *pairs)
    for name, labelled, method in cases:
        chosen = [
            [row for row in rows if [row[key] for key in KEY if key != "seed"] == [name, str(labelled), method, kind]]
            for kind in VALIDATIONS
        ]
        auc, f1 = ([np.array([float(row[key]) for row in each]) for each in chosen] for key in ("auc", "f1_pu"))
        means = [f"{v.mean():.4f}" for v in auc] + [f"{v.mean():.3f}" for v in f1]
        print_row(name, labelled, method, len(auc[0]), *means, *(f"{v.min():.3f}" for v in f1))


def main() -> None:
    """Make what is missing, one fit after the other, and print."""
    parser = make_parser(__doc__)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--runs", type=Path)
    parser.add_argument("--seeds", type=int)
    full = {"seeds": 6, "cases": CASES, "epochs": None, "unlabelled": None}
    quick = {"seeds": 1, "cases": QUICK_CASES, "epochs": 2, "unlabelled": 100}
    arguments = parse(parser, full=full, quick=quick)
    if arguments.runs is None and not arguments.quick:
        parser.error("no directory for the features is named; pass --runs RUNS, or --quick to try it on small files")
    with data_directory(arguments, write_cifar, write_fashion, write_vgg16) as data:
        places = Places(data, data if arguments.quick else arguments.runs)
        results = data / RESULTS.name if arguments.quick else RESULTS
        rows = read(results)
        done = {tuple(row[name] for name in KEY) for row in rows}
        for case in arguments.cases:
            for seed in range(FIRST_SEED, FIRST_SEED + arguments.seeds):
                for validation in VALIDATIONS:
                    key = tuple(map(str, (*case, seed, validation)))
                    if key not in done:
                        row = dict(zip(KEY, key, strict=True))
                        rows.append(run(row, places, epochs=arguments.epochs, unlabelled=arguments.unlabelled))
                        write(results, rows)
    if arguments.json:
        print(json.dumps(rows, indent=1))
    else:
        show(rows, arguments.cases)


if __name__ == "__main__":
    main()
