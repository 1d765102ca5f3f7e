"""Three ideas for the ensemble, each beside what there is, on the same labels and folds.

    python benchmarks/further_ideas.py --data DIR --runs RUNS [--sets spam,letter] [--json]
    python benchmarks/further_ideas.py --quick

1. Extra trees and boosting get AngularPU's cross-fitted score as a column: once; once, with the trees' scores averaged
   over the five networks' columns of a new row; or sqrt(d) times, so that most splits of extra trees see it.
2. AngularPU's terms and VPU's in one network: one angular head for both, or an angular and a linear head.
3. Members weighed by the scores of epochs that their own fold did not choose; equal weights beside it.

Spambase, Fashion-MNIST (pixels) and SVHN (frozen features) may choose; letter, Alzheimer and CIFAR-10 (features) do not. A draw is a
draw of training rows, test rows and labels. The first figures of a table are test AUC and best F1 on the test rows;
behind them stand the differences of both to the first column, mean over the draws, and in how many draws the AUC rose.

DIR is the data directory, RUNS/cache keeps the features. Results are in benchmarks/results/further_ideas.csv, one row
a draw and model; a second run makes what is missing, then prints the tables.
"""

import csv
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import torch
from audit_heaps import load_table
from command_line import make_parser, parse, print_header, print_row
from idea_trials import draw_labels, try_ideas
from small_files import data_directory, write_fashion, write_spam
from trial_data import Population, load_fashion, load_spam

from angularpu import files
from angularpu_bench.catalogue.datasets import load_dataset
from angularpu_bench.catalogue.features import embed_dataset
from angularpu_bench.spec.protocol import find_weights

RESULTS = Path(__file__).parent / "results" / "further_ideas.csv"
KEY = ("data", "labelled", "unlabelled", "draw")
METRICS = ("auc", "best_f1")
TABLES = {
    "the ensemble, with a column for its trees": ("ensemble", "column", "in turn", "columns"),
    "extra trees alone": ("extra trees", "column", "in turn", "columns"),
    "fold means": ("mean of both", "AngularPU", "VPU", "one head", "two heads"),
    "the ensemble, with one network for AngularPU": ("ensemble", "one head", "two heads"),
    "the ensemble, with other weights": ("ensemble", "weights, unchosen", "equal weights"),
}


@dataclass(frozen=True)
class Case:
    """A data set, whether it may choose, and how much of it a draw takes."""

    load: Callable[[Path], Population]
    chooses: bool
    labelled: int
    train: int
    test: int
    draws: int


def load_flat_fashion(directory: Path) -> Population:
    """Read Fashion-MNIST as rows of 784 numbers."""
    found = load_fashion(directory)
    return Population(found.x.reshape(len(found.y), -1).astype(np.float32), found.y)


def load_features(name: str, runs: Path | None, directory: Path) -> Population:
    """Read the frozen features of a set of images, both parts together."""
    if runs is None:
        raise SystemExit("no directory for the features is named; pass --runs RUNS")
    found = embed_dataset(load_dataset(name, directory), weights=find_weights("vgg16", directory), cache=runs / "cache")
    kept = slice(0, 20_000)
    x = np.concatenate([found.x_train[kept], found.x_test])
    return Population(x, np.concatenate([found.y_train[kept], found.y_test]))


def list_cases(runs: Path | None) -> dict[str, Case]:
    """Return the data sets of the trial."""
    return {
        "spam": Case(load_spam, True, 200, 2_601, 2_000, 3),
        "Fashion-MNIST": Case(load_flat_fashion, True, 1_000, 5_000, 10_000, 2),
        "SVHN": Case(partial(load_features, "svhn", runs), True, 1_000, 5_000, 10_000, 2),
        "letter": Case(load_table("letter"), False, 1_000, 12_000, 8_000, 2),
        "Alzheimer": Case(load_table("alzheimer"), False, 30, 233, 100, 6),
        "CIFAR-10": Case(partial(load_features, "cifar10", runs), False, 1_000, 11_000, 10_000, 2),
    }


QUICK = {
    "spam": Case(load_spam, True, 30, 150, 100, 1),
    "Fashion-MNIST": Case(load_flat_fashion, True, 30, 150, 100, 1),
}


def run(case: Case, name: str, *, directory: Path, results: Path, epochs: int | None) -> None:
    """Fit what is missing of one data set, a draw at a time, and write it down."""
    population = None
    for draw in range(case.draws):
        key = dict(zip(KEY, map(str, (name, case.labelled, case.train - case.labelled, draw)), strict=True))
        rows = read(results)
        if any(row.items() >= key.items() for row in rows):
            continue
        population = population or case.load(directory)
        drawn = draw_labels(
            population,
            labelled=case.labelled,
            train=case.train,
            test=case.test,
            seed=draw,
            network={"epochs": epochs} if epochs else {},
        )
        found = try_ideas(drawn)
        rows += [{**key, "model": model, **{m: f"{v:.5f}" for m, v in metrics.items()}} for model, metrics in found]
        write(results, rows)


def read(path: Path) -> list[dict[str, str]]:
    """Return the rows there are."""
    if not path.exists():
        return []
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def write(path: Path, rows: list[dict[str, str]]) -> None:
    """Write all rows, whole or not at all."""
    with files.atomic_file(path) as temporary, temporary.open("w", newline="") as file:
        writer = csv.DictWriter(file, [*KEY, "model", *METRICS], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def show(rows: list[dict[str, str]], cases: dict[str, Case]) -> None:
    """Print a table for every idea: the first model's AUC and best F1, and what the others differ by."""
    for title, (first, *others) in TABLES.items():
        print_header("data set", "may choose", "draws", title, *others)
        for name, case in cases.items():
            base = take(rows, name, first)
            entries = [describe(take(rows, name, find_model(first, other)) - base) for other in others]
            auc, f1 = base.mean(axis=0)
            print_row(name, "yes" if case.chooses else "no", len(base), f"{auc:.4f} / {f1:.3f}", *entries)
        print()


def find_model(first: str, other: str) -> str:
    """Return the name of a model in the results: a column of trees or a joint network belongs to what has it."""
    within = ("column", "in turn", "columns", "one head", "two heads")
    return f"{first}, {other}" if first in ("ensemble", "extra trees") and other in within else other


def take(rows: list[dict[str, str]], name: str, model: str) -> np.ndarray:
    """Return AUC and best F1 of a model on a data set, one row a draw."""
    chosen = [row for row in rows if (row["data"], row["model"]) == (name, model)]
    return np.array([[float(row[metric]) for metric in METRICS] for row in chosen])


def describe(difference: np.ndarray) -> str:
    """Return the mean differences, and in how many draws the AUC rose."""
    auc, f1 = difference.mean(axis=0)
    return f"{auc:+.4f} / {f1:+.3f} ({(difference[:, 0] > 0).sum()} of {len(difference)})"


def main() -> None:
    """Make what is missing, one draw after the other, and print."""
    parser = make_parser(__doc__)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--runs", type=Path)
    parser.add_argument("--sets", help="names of data sets, with commas")
    arguments = parse(parser, full={"epochs": None, "sets": None}, quick={"epochs": 2})
    torch.set_num_threads(1)
    cases = QUICK if arguments.quick else list_cases(arguments.runs)
    asked = arguments.sets.split(",") if arguments.sets else list(cases)
    with data_directory(arguments, write_fashion, write_spam) as directory:
        results = directory / RESULTS.name if arguments.quick else RESULTS
        for name in asked:
            run(cases[name], name, directory=directory, results=results, epochs=arguments.epochs)
        rows = read(results)
    if arguments.json:
        print(json.dumps(rows, indent=1))
    else:
        show(rows, {name: cases[name] for name in asked})


if __name__ == "__main__":
    main()
