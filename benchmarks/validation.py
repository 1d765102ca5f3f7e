"""Hold out a tenth or five folds: which gives the better ranking and threshold with few positives, and with many.

    python benchmarks/validation.py --data DIR --runs RUNS [--seeds 6] [--json]
    python benchmarks/validation.py --quick

Frozen features of CIFAR-10 (vehicles) and Fashion-MNIST (tops) as in experiments/scarcity.toml: 5,000 unlabelled rows,
ten epochs at most, the epoch by PU-AUC, the threshold by PU-F1 with BBE; STL-10 (four vehicles) as in
experiments/main.toml. The test set says what came of it. With hundreds of positives the folds choose epoch and
threshold of one network; with 1000 and more their networks' mean is compared with a held-out tenth, two draws each.

DIR is the data directory, RUNS keeps the features. Results are in benchmarks/results/validation.csv, one row a fit; a
second run makes what is missing, then prints the tables. The quick form keeps its features and results in a temporary
directory.
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
LARGE_CASES = [(name, labelled, "angular") for labelled in (1000, 5000) for name in ("cifar10", "fashion-mnist")]
QUICK_CASES = [("cifar10", 40, "angular"), ("fashion-mnist", 40, "nnpu")]
VALIDATIONS = {
    "hold-out": {"validation": "hold-out"},
    "folds": {"validation": "folds"},
    "mean": {"validation": "folds", "refit": False},
}
FEW, LARGE = ("hold-out", "folds"), ("hold-out", "mean")
FIRST_SEED = 10  # the experiments have the first ones
Case = tuple[str, int, str]
KEY = ("dataset", "labelled", "method", "seed", "validation")
METRICS = ("auc", "ap", "f1_pu", "f1_oracle", "best_f1")


def run(row: dict[str, str], places: Places, *, epochs: int | None, unlabelled: int | None) -> dict[str, str]:
    """Fit once and measure on the test set; epochs and unlabelled rows are those of the experiment unless given."""
    spec = read_spec(ROOT.parent / "experiments" / f"{SPECS[row['dataset']]}.toml")
    base = next(cell for cell in expand(spec) if (cell.dataset, cell.method) == (row["dataset"], row["method"]))
    options = {**base.options, **VALIDATIONS[row["validation"]]} | ({"epochs": epochs} if epochs else {})
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


def list_seeds(count: int) -> range:
    """Return the seeds of so many fits."""
    return range(FIRST_SEED, FIRST_SEED + count)


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


def show(rows: list[dict[str, str]], cases: list[Case], *, seeds: int, kinds: tuple[str, str]) -> None:
    """Print the table of means, and of the worst F1 over the seeds."""
    pairs = [text for name in ("AUC", "F1", "worst F1") for text in (f"{name}, tenth", kinds[1])]
    print_header("data set", "labelled", "method", "seeds", *pairs)
    for case in cases:
        name, labelled, method = case
        keys = [[tuple(map(str, (*case, seed, kind))) for seed in list_seeds(seeds)] for kind in kinds]
        chosen = [[row for row in rows if tuple(row[key] for key in KEY) in wanted] for wanted in keys]
        auc, f1 = ([np.array([float(row[key]) for row in each]) for each in chosen] for key in ("auc", "f1_pu"))
        means = [f"{v.mean():.4f}" for v in auc] + [f"{v.mean():.3f}" for v in f1]
        print_row(name, labelled, method, len(auc[0]), *means, *(f"{v.min():.3f}" for v in f1))


def main() -> None:
    """Make what is missing, one fit after the other, and print."""
    parser = make_parser(__doc__)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--runs", type=Path)
    parser.add_argument("--seeds", type=int)
    full = {"seeds": 6, "large": 2, "cases": CASES, "large_cases": LARGE_CASES, "epochs": None, "unlabelled": None}
    quick = {
        "seeds": 1,
        "large": 1,
        "cases": QUICK_CASES,
        "large_cases": QUICK_CASES[:1],
        "epochs": 2,
        "unlabelled": 100,
    }
    arguments = parse(parser, full=full, quick=quick)
    if arguments.runs is None and not arguments.quick:
        parser.error("no directory for the features is named; pass --runs RUNS, or --quick to try it on small files")
    tables = ((arguments.cases, arguments.seeds, FEW), (arguments.large_cases, arguments.large, LARGE))
    with data_directory(arguments, write_cifar, write_fashion, write_vgg16) as data:
        places = Places(data, data if arguments.quick else arguments.runs)
        results = data / RESULTS.name if arguments.quick else RESULTS
        rows = read(results)
        done = {tuple(row[name] for name in KEY) for row in rows}
        asked = [
            (*case, seed, kind)
            for cases, n, kinds in tables
            for case in cases
            for seed in list_seeds(n)
            for kind in kinds
        ]
        for key in (tuple(map(str, each)) for each in asked):
            if key not in done:
                row = dict(zip(KEY, key, strict=True))
                rows.append(run(row, places, epochs=arguments.epochs, unlabelled=arguments.unlabelled))
                write(results, rows)
                done.add(key)
    if arguments.json:
        print(json.dumps(rows, indent=1))
        return
    for cases, seeds, kinds in tables:
        show(rows, cases, seeds=seeds, kinds=kinds)
        print()


if __name__ == "__main__":
    main()
