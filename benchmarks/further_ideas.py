"""Ideas for the ensemble and for AngularPU, each beside what there is, on the same labels and folds.

    python benchmarks/further_ideas.py --data DIR --runs RUNS [--sets spam,letter] [--json]
    python benchmarks/further_ideas.py --quick

1. Extra trees and boosting get AngularPU's cross-fitted score as a column: once ("column"); once, with the trees'
   scores of a new row averaged over the five networks' columns ("in turn"); or sqrt(d) times, so that most splits of
   extra trees see it ("columns").
2. AngularPU's terms and VPU's in one network, with one angular head or with an angular and a linear one; by itself, and
   in AngularPU's place in the ensemble.
3. Members weighed by the scores of epochs that their own fold did not choose; equal weights beside it.
4. Three prototypes for positives of three distant kinds (classes 0, 4 and 7): the cosine is a soft maximum over them,
   or every labelled positive is assigned to one of them, as many to each.
5. Extra trees that learn from at most 5 unlabelled rows per labelled positive, another draw for every fold; and
   boosting as it was, with all unlabelled rows, all columns and 15 leaves. Here letter may choose too: it was looked at
   while the settings of boosting were.
6. A random forest beside the members for tables, and both forests with half the trees. Spambase, letter, the digits and
   the breast-cancer rows of scikit-learn, and fifty principal components of Fashion-MNIST may choose.

Spambase, Fashion-MNIST (pixels) and SVHN (frozen features) may choose; letter, Alzheimer and CIFAR-10 (features) may
not. A draw is one of training rows, test rows and labels. The first figures are test AUC and best F1 on the test rows;
behind them stand the differences of both to these, mean over the draws, and in how many draws the AUC rose.

DIR is the data directory, RUNS/cache keeps the features. Results are in benchmarks/results/further_ideas.csv, one row
a draw and model; a second run makes what is missing, then prints the tables.
"""

import csv
import json
from argparse import Namespace
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import torch
from audit_heaps import load_table
from command_line import make_parser, parse, print_header, print_row
from idea_draw import METRICS, VPU_MEMBER, Draw, cross_fit, draw_labels, measure
from joint_networks import join_losses
from prototypes import score_prototypes
from score_columns import add_columns
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.decomposition import PCA
from small_files import data_directory, write_spam
from tree_members import BEFORE, FORESTS, HALVES, USUAL, WITH_FOREST, score_forests, score_trees
from trial_data import Population, load_fashion, load_spam
from validation import read

from angularpu import files
from angularpu.methods.configure import configure
from angularpu.methods.ensemble import EnsembleMethod
from angularpu.train.cross_fitted import CrossFitted, Folds, join
from angularpu.train.fold_mean import fit_scale
from angularpu_bench.catalogue.datasets import load_dataset
from angularpu_bench.catalogue.features import embed_dataset
from angularpu_bench.spec.protocol import find_weights

RESULTS = Path(__file__).parent / "results" / "further_ideas.csv"
KEY = ("data", "labelled", "unlabelled", "draw")
KINDS = (0, 4, 7)
FEATURES = 20_000  # of the training images; the test images are all there
TABLES = {
    "the ensemble, with a column for its trees": ("ensemble", "column", "in turn", "columns"),
    "extra trees alone": ("extra trees", "column", "in turn", "columns"),
    "AngularPU and VPU, mean of both": ("mean of both", "AngularPU", "VPU", "one head", "two heads"),
    "the ensemble, with one network for AngularPU": ("ensemble", "one head", "two heads"),
    "the ensemble, with other weights": ("ensemble", "weights, unchosen", "equal weights"),
    "the ensemble, with other trees": ("the ensemble", FORESTS, BEFORE),
    "the usual members for tables": (USUAL, WITH_FOREST, HALVES),
    "boosting alone": ("boosting alone", "boosting alone before"),
    "AngularPU, distant kinds": ("one prototype", "soft maximum", "balanced"),
}
ENSEMBLES = ("ensemble", "extra trees")
WITHIN = ("column", "in turn", "columns", "one head", "two heads")  # models that belong to what a table begins with


def score_ideas(draw: Draw) -> Iterator[tuple[str, np.ndarray]]:
    """Yield the test scores of the ensemble as it is, then those of the three ideas."""
    ensemble = configure(method="ensemble", options=draw.network)
    assert isinstance(ensemble, EnsembleMethod)
    members = list(ensemble.choose_members(draw.sample.rows, draw.preparation))
    cross = {name: cross_fit(draw, name) for name in dict.fromkeys([*members, VPU_MEMBER])}
    fitted = {name: draw.hear(name, each) for name, each in cross.items()}
    yield "ensemble", draw.mix(members)
    yield from add_columns(draw, members, *fitted["angular"])
    yield from join_losses(draw, members)
    yield "weights, unchosen", draw.weigh_by([judge_unchosen(cross[name], draw.folds) for name in members], members)
    yield "equal weights", np.mean([draw.voices[name].test for name in members], axis=0)


def judge_unchosen(cross: CrossFitted, folds: Folds) -> tuple[np.ndarray, np.ndarray]:
    """Return out-of-fold scores of epochs that other folds chose, on the common scale."""
    held = []
    for pos, unl in cross.unchosen:
        scale = fit_scale(pos, unl)
        held.append((scale.apply(pos), scale.apply(unl)))
    return join(held, folds)


@dataclass(frozen=True)
class Case:
    """A data set, whether it may choose, how much of it a draw takes, and what is tried on it."""

    load: Callable[[Path], Population]
    chooses: bool
    labelled: int
    train: int
    test: int
    draws: int
    score: Callable[[Draw], Iterator[tuple[str, np.ndarray]]] = score_ideas


def load_pixels(directory: Path) -> Population:
    """Read Fashion-MNIST as rows of 784 numbers: tops against the rest."""
    found = load_fashion(directory)
    return Population(found.x.reshape(len(found.y), -1).astype(np.float32), found.y)


def load_kinds(directory: Path) -> Population:
    """Read Fashion-MNIST as rows of 784 numbers: T-shirts, coats and sneakers against the rest."""
    found = load_dataset("fashion-mnist", directory)
    x = found.x_train.reshape(len(found.labels_train), -1).astype(np.float32)
    return Population(x, np.isin(found.labels_train, KINDS).astype(np.int8))


def load_components(directory: Path) -> Population:
    """Read Fashion-MNIST as its first fifty principal components: tops against the rest."""
    found = load_pixels(directory)
    return Population(PCA(50, random_state=0).fit_transform(found.x).astype(np.float32), found.y)


def load_digits_below_five() -> Population:
    """Read 1,797 digits of 64 pixels: 0 to 4 against 5 to 9."""
    x, label = load_digits(return_X_y=True)
    return Population(x.astype(np.float32), (label < 5).astype(np.int8))


def load_tumours() -> Population:
    """Read 569 biopsies of 30 columns: malignant against benign."""
    x, benign = load_breast_cancer(return_X_y=True)
    return Population(x.astype(np.float32), (benign == 0).astype(np.int8))


def load_features(name: str, runs: Path | None, directory: Path, *, kinds: tuple[int, ...] | None = None) -> Population:
    """Read the frozen features of a set of images, some of the training images and the test images together."""
    if runs is None:
        raise SystemExit("no directory for the features is named; pass --runs RUNS")
    weights = find_weights("vgg16", directory)
    found = embed_dataset(load_dataset(name, directory), weights=weights, cache=runs / "cache")
    x = np.concatenate([found.x_train[:FEATURES], found.x_test])
    labels = np.concatenate([found.labels_train[:FEATURES], found.labels_test])
    return Population(x, np.isin(labels, sorted(kinds or found.positives)).astype(np.int8))


def list_cases(runs: Path | None) -> dict[str, Case]:
    """Return the data sets of the trial."""
    svhn, cifar = (partial(load_features, name, runs) for name in ("svhn", "cifar10"))
    return {
        "spam": Case(load_spam, True, 200, 2_601, 2_000, 3),
        "Fashion-MNIST": Case(load_pixels, True, 1_000, 5_000, 10_000, 2),
        "SVHN": Case(svhn, True, 1_000, 5_000, 10_000, 2),
        "letter": Case(load_table("letter"), False, 1_000, 6_000, 8_000, 2),
        "Alzheimer": Case(load_table("alzheimer"), False, 30, 233, 100, 6),
        "CIFAR-10": Case(cifar, False, 1_000, 5_000, 10_000, 2),
        "spam (trees)": Case(load_spam, True, 200, 2_601, 2_000, 4, score_trees),
        "letter (trees)": Case(load_table("letter"), True, 1_000, 12_000, 8_000, 3, score_trees),
        "Alzheimer (trees)": Case(load_table("alzheimer"), False, 30, 233, 100, 6, score_trees),
        "spam (forests)": Case(load_spam, True, 200, 2_601, 2_000, 4, score_forests),
        "letter (forests)": Case(load_table("letter"), True, 1_000, 12_000, 8_000, 3, score_forests),
        "digits": Case(lambda _: load_digits_below_five(), True, 100, 1_000, 797, 4, score_forests),
        "breast cancer": Case(lambda _: load_tumours(), True, 40, 300, 269, 4, score_forests),
        "Fashion-MNIST 50 components": Case(load_components, True, 300, 5_000, 10_000, 2, score_forests),
        "Fashion-MNIST 0/4/7": Case(load_kinds, True, 1_000, 5_000, 10_000, 2, score_prototypes),
        "SVHN 0/4/7": Case(partial(svhn, kinds=KINDS), True, 1_000, 5_000, 10_000, 2, score_prototypes),
    }


QUICK = {
    "spam": Case(load_spam, True, 30, 100, 100, 1),
    "spam, prototypes": Case(load_spam, True, 30, 100, 100, 1, score_prototypes),
    "spam (trees)": Case(load_spam, True, 30, 150, 100, 1, score_trees),
    "spam (forests)": Case(load_spam, True, 30, 150, 100, 1, score_forests),
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
        for model, score in case.score(drawn):
            rows.append(
                {**key, "model": model, **{name: f"{value:.5f}" for name, value in measure(drawn, score).items()}}
            )
        write(results, rows)


def write(path: Path, rows: list[dict[str, str]]) -> None:
    """Write all rows, whole or not at all."""
    with files.atomic_file(path) as temporary, temporary.open("w", newline="") as file:
        writer = csv.DictWriter(file, [*KEY, "model", *METRICS], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def show(rows: list[dict[str, str]], cases: dict[str, Case]) -> None:
    """Print a table for every idea: the first model's AUC and best F1, and what the others differ by."""
    for title, (first, *others) in TABLES.items():
        bases = {name: take(rows, name, first) for name in cases}
        bases = {name: base for name, base in bases.items() if len(base)}
        if not bases:
            continue
        models = [f"{first}, {other}" if first in ENSEMBLES and other in WITHIN else other for other in others]
        print_header("data set", "may choose", "draws", title, *others)
        for name, base in bases.items():
            auc, f1 = base.mean(axis=0)
            found = [take(rows, name, model) for model in models]
            entries = [describe(each - base) if len(each) else "-" for each in found]
            print_row(name, "yes" if cases[name].chooses else "no", len(base), f"{auc:.4f} / {f1:.3f}", *entries)
        print()


def take(rows: list[dict[str, str]], name: str, model: str) -> np.ndarray:
    """Return AUC and best F1 of a model on a data set, one row a draw."""
    chosen = [row for row in rows if (row["data"], row["model"]) == (name, model)]
    return np.array([[float(row[metric]) for metric in METRICS] for row in chosen])


def describe(difference: np.ndarray) -> str:
    """Return the mean differences, and in how many draws the AUC rose."""
    auc, f1 = difference.mean(axis=0)
    return f"{auc:+.4f} / {f1:+.3f} ({(difference[:, 0] > 0).sum()} of {len(difference)})"


def parse_sets(description: str | None) -> Namespace:
    """Parse the command line of a trial on data sets by name, and leave torch one thread."""
    parser = make_parser(description)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--runs", type=Path)
    parser.add_argument("--sets", help="names of data sets, with commas")
    torch.set_num_threads(1)
    return parse(parser, full={"epochs": None, "sets": None}, quick={"epochs": 2})


def main() -> None:
    """Make what is missing, one draw after the other, and print."""
    arguments = parse_sets(__doc__)
    cases = QUICK if arguments.quick else list_cases(arguments.runs)
    asked = arguments.sets.split(",") if arguments.sets else list(cases)
    with data_directory(arguments, write_spam) as directory:
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
