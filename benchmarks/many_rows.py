"""What the bounds on unlabelled rows cost in AUC, tried with bounds so low that small data sets reach them.

    python benchmarks/many_rows.py --data DIR [--sets Gaussians letter spam Fashion-MNIST] [--part 4] [--seeds 3]
        [--quick] [--json]

Where unlabelled rows are many, a model of a fold learns from a draw of them, and a draw of them is held out. Here both
bounds are lowered to one in --part of the unlabelled rows; the real ones are 100,000 rows to learn from, for classical
methods, and 250,000 to hold out. Each member is fitted alone, in five folds whose models' mean scores, with and without
the lowered bounds. AUC is of the unlabelled rows by their true classes, which no fit sees, its mean over the seeds; the
difference has its standard deviation beside it. DIR holds letter.csv, spam.csv and fashion-mnist/*.gz.
"""

import csv
import json
import sys
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
from command_line import make_parser, parse, print_header, print_row
from sklearn.metrics import roc_auc_score
from trial_data import Population, load_fashion, load_spam

from angularpu import PUEnsembleClassifier
from angularpu.classical import base
from angularpu.scenario import split

MEMBERS = ("angular", "extra_trees", "logistic_regression")
FIRST_HALF = "ABCDEFGHIJKLM"


def make_gaussians(rows: int) -> Population:
    """Make rows of 16 columns, three in ten positive, by one seed."""
    rng = np.random.default_rng(0)
    y = (rng.random(rows) < 0.3).astype(np.int8)
    return Population(rng.standard_normal((rows, 16), np.float32) + np.float32(0.4) * y[:, None], y)


def load_letter(directory: Path) -> Population:
    """Read 20,000 letters, 16 columns each: A to M against N to Z."""
    with (directory / "letter.csv").open() as file:
        rows = list(csv.reader(file))[1:]
    return Population(
        np.array([row[1:] for row in rows], np.float32), np.array([row[0] in FIRST_HALF for row in rows], np.int8)
    )


def load_some_fashion(directory: Path) -> Population:
    """Read 12,000 of the images as rows of 784 columns."""
    whole = load_fashion(directory)
    chosen = np.random.default_rng(0).permutation(len(whole.y))[:12_000]
    return Population(whole.x[chosen].reshape(len(chosen), -1).astype(np.float32), whole.y[chosen])


LABELLED = {"Gaussians": 500, "letter": 500, "spam": 200, "Fashion-MNIST": 500}
LOADERS = {"letter": load_letter, "spam": load_spam, "Fashion-MNIST": load_some_fashion}


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--data", type=Path, metavar="DIR")
    parser.add_argument("--sets", nargs="+", choices=list(LABELLED))
    parser.add_argument("--members", nargs="+")
    parser.add_argument("--part", type=int)
    parser.add_argument("--seeds", type=int)
    full = {
        **{"data": None, "sets": list(LABELLED), "members": list(MEMBERS), "part": 4, "seeds": 3},
        **{"gaussians": 20_000, "options": {}},
    }
    quick = {
        **{"sets": ["Gaussians"], "members": ["angular", "logistic_regression"], "seeds": 2},
        **{"gaussians": 700, "options": {"epochs": 1, "encoder": "linear"}},
    }
    arguments = parse(parser, full=full, quick=quick)
    if arguments.data is None and set(arguments.sets) - {"Gaussians"}:
        sys.exit("pass --data DIR, where letter.csv, spam.csv and fashion-mnist/ are, or --sets Gaussians")
    rows: list[dict[str, Any]] = []
    for name in arguments.sets:
        known = name == "Gaussians"
        population = make_gaussians(arguments.gaussians) if known else LOADERS[name](arguments.data)
        for member in arguments.members:
            rows.append({"data": name, "member": member, **compare(population, name, member, arguments)})
            if not arguments.json:
                if len(rows) == 1:
                    print_header(*rows[0])
                print_row(*rows[-1].values())
    if arguments.json:
        print(json.dumps(rows, indent=1))


def compare(population: Population, name: str, member: str, arguments: Any) -> dict[str, Any]:
    found = []
    for seed in range(arguments.seeds):
        labelled = min(LABELLED[name], len(population.y) // 7)
        rng = np.random.default_rng([seed, 1])
        s = np.zeros(len(population.y), np.int8)
        s[rng.choice(np.flatnonzero(population.y), labelled, replace=False)] = 1
        few = (len(s) - labelled) // arguments.part
        options = {"members": [member], **(arguments.options if member == "angular" else {}), "random_state": seed}
        found.append([measure(population, s, bound, options) for bound in (None, few)])
    aucs = np.array(found)
    difference = aucs[:, 1] - aucs[:, 0]
    return {
        "labelled": labelled,
        "unlabelled": len(s) - labelled,
        "bound": few,
        "AUC, all": f"{aucs[:, 0].mean():.4f}",
        "AUC, bounded": f"{aucs[:, 1].mean():.4f}",
        "difference": f"{difference.mean():+.4f} ± {difference.std(ddof=1):.4f}",
    }


def measure(population: Population, s: np.ndarray, bound: int | None, options: dict[str, Any]) -> float:
    huge = len(s)
    with (
        patch.object(base, "MOST_UNLABELLED", bound or huge),
        patch.object(base, "PER_POSITIVE", 1),
        patch.object(split, "MOST_HELD", bound or huge),
    ):
        model = PUEnsembleClassifier(scenario="one-sample", **options).fit(population.x, s)
    return float(roc_auc_score(population.y[s == 0], model.score_samples(population.x[s == 0])))


if __name__ == "__main__":
    main()
