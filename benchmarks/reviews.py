"""What reviews buy and what they bend: fit, review fifty rows, fit again.

    python benchmarks/reviews.py --data DIR [--method ensemble] [--seeds 5] [--reviewed 50] [--quick] [--json]

Spambase: half of the rows to fit on, the other half to measure on; a hundred positives are labelled. A person who is
never wrong reviews rows that are chosen in one of three ways: the highest scores, as ``angularpu next`` proposes, or at
random. "Positives only" leaves out what was found negative. The estimates of recall and of alpha stand beside the
truth: reviews of chosen rows must not bend them. --quick takes Gaussian classes and one seed.
"""

import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import torch
from command_line import make_parser, parse, print_header, print_row
from sklearn.metrics import average_precision_score, roc_auc_score
from trial_data import Population, load_spam

from angularpu import PUClassifier
from angularpu.data.sources import as_rows
from angularpu.model.next_rows import propose

WAYS = ("none", "top", "next", "next, positives only", "at random")


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--data", type=Path, help="directory with spam.csv")
    parser.add_argument("--method", default="ensemble")
    parser.add_argument("--seeds", type=int)
    parser.add_argument("--reviewed", type=int)
    parser.add_argument("--rows", type=int)
    arguments = parse(
        parser,
        full={"seeds": 5, "reviewed": 50, "rows": 2300},
        quick={"seeds": 1, "reviewed": 20, "rows": 300},
    )
    torch.set_num_threads(1)
    warnings.filterwarnings("ignore")
    if not arguments.quick and arguments.data is None:
        raise SystemExit("pass --data DIR, a directory with spam.csv, or --quick")
    population = draw_gaussians() if arguments.quick else load_spam(arguments.data)
    method = "logistic_regression" if arguments.quick else arguments.method
    found: dict[str, list[dict[str, float]]] = {way: [] for way in WAYS}
    for seed in range(arguments.seeds):
        for way, figures in run_seed(population, method, seed=seed, n=arguments.reviewed, rows=arguments.rows).items():
            found[way].append(figures)
    means = {way: {name: np.mean([each[name] for each in own]) for name in own[0]} for way, own in found.items()}
    if arguments.json:
        print(json.dumps([{"way": way, **figures} for way, figures in means.items()]))
        return
    print_header(
        "reviewed", "of them positive", "AUC", "AP", "recall, estimated", "recall", "alpha, estimated", "alpha"
    )
    for way, figures in means.items():
        print_row(way, f"{figures['positive']:.0f}", *(f"{value:.4f}" for value in list(figures.values())[1:]))


def draw_gaussians() -> Population:
    """Draw two classes 1.5 apart in each of four columns."""
    rng = np.random.default_rng(0)
    y = (rng.random(800) < 0.4).astype(np.int8)
    return Population((rng.normal(size=(800, 4)) + 1.5 * y[:, None]).astype(np.float32), y)


def run_seed(population: Population, method: str, *, seed: int, n: int, rows: int) -> dict[str, dict[str, float]]:
    """Fit without reviews, then with reviews of rows that were chosen in every way."""
    rng = np.random.default_rng(seed)
    train, test = population.split((rows, len(population.y) - rows), rng=rng)
    s = np.zeros(rows, int)
    s[rng.choice(np.flatnonzero(train.y), min(100, int(train.y.sum()) // 3), replace=False)] = 1
    first = fit(method, train, s, reviews=None)
    unlabelled = np.flatnonzero(s == 0)
    proposed = propose(first.fitted_, as_rows(train.x), unlabelled, n=n).row
    chosen = {
        "top": unlabelled[np.argsort(-first.score_samples(train.x)[unlabelled], kind="stable")[:n]],
        "next": proposed,
        "next, positives only": proposed[train.y[proposed] == 1],
        "at random": rng.choice(unlabelled, n, replace=False),
    }
    found = {"none": measure(first, train, test, s=s, positive=0)}
    for way, index in chosen.items():
        words = np.full(rows, "", object)
        words[index] = np.where(train.y[index] == 1, "positive", "negative")
        model = fit(method, train, s, reviews=words)
        found[way] = measure(model, train, test, s=s, positive=int(train.y[index].sum()))
    return found


def fit(method: str, train: Population, s: Any, *, reviews: Any) -> Any:
    return PUClassifier(method=method).fit(train.x, s, reviews=reviews)


def measure(model: Any, train: Population, test: Population, *, s: Any, positive: int) -> dict[str, float]:
    """Return how well new rows are ranked, and estimates beside the truth."""
    score = model.score_samples(test.x)
    return {
        "positive": positive,
        "auc": float(roc_auc_score(test.y, score)),
        "ap": float(average_precision_score(test.y, score)),
        "recall estimated": model.decision_.recall,
        "recall": float((score[test.y == 1] > model.threshold_).mean()),
        "alpha estimated": model.decision_.alpha,
        "alpha": float(train.y[s == 0].mean()),
    }


if __name__ == "__main__":
    main()
