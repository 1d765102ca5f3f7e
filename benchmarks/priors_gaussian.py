"""What every prior estimator says of two ten-dimensional Gaussians whose mixture is known.

    python benchmarks/priors_gaussian.py [--seeds 5] [--classifier default|logistic] [--estimators bbe,dedpul] [--json]

1000 labelled positives, 4000 unlabelled rows, unit variance, negatives around the origin and positives 2.83 away from
it, along the first column; then half as far. Scores are out of fold, five folds, by the package's default classifier
for vectors or by logistic regression; the truth is only compared with.
"""

import argparse
import json

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold

from angularpu.fit.out_of_fold import score_out_of_fold
from angularpu.priors.alpha import Alpha
from angularpu.priors.table import ESTIMATORS
from angularpu.scenario.sample import make_sample

N_POS, N_UNL, D = 1000, 4000, 10
SEPARATIONS = (2.83, 2.83 / 2)
ALPHAS = (0.1, 0.3, 0.5, 0.7)
CLASSIFIERS = {"default": None, "logistic": LogisticRegression()}
BARRED, BAR = ("bbe", "dedpul"), 0.03


def draw_rows(alpha: float, *, separation: float, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    x_pos, x_unl = rng.standard_normal((N_POS, D)), rng.standard_normal((N_UNL, D))
    x_pos[:, 0] += separation
    x_unl[: round(alpha * N_UNL), 0] += separation
    return x_pos, x_unl


def cross_cosines(x: np.ndarray, s: np.ndarray, folds: StratifiedKFold) -> np.ndarray:
    """Give each row's cosine with the mean direction of the labelled positives of the other folds."""
    z = x / np.linalg.norm(x, axis=1, keepdims=True)
    cosine = np.empty(len(z))
    for train, held in folds.split(z, s):
        mean = z[train][s[train] == 1].mean(axis=0)
        cosine[held] = z[held] @ mean / np.linalg.norm(mean)
    return cosine


def estimate_all(
    x_pos: np.ndarray, x_unl: np.ndarray, *, names: list[str], classifier: str, seed: int
) -> dict[str, float]:
    x, s = np.concatenate([x_pos, x_unl]), np.repeat([1, 0], [len(x_pos), len(x_unl)])
    sample = make_sample(x, s, scenario="two-sample")
    made = score_out_of_fold(sample, classifier=CLASSIFIERS[classifier], seed=seed)
    cosine = cross_cosines(x, s, StratifiedKFold(5, shuffle=True, random_state=seed))
    given = {
        "scores": (made.score_pos, made.score_unl),
        "cosines": (cosine[s == 1], cosine[s == 0]),
        "rows": (x_pos, x_unl),
    }
    options = {
        "elkan_noto": {"n_pos": len(x_pos), "n_unl": len(x_unl)},
        "vmf": {"d": x.shape[1]},
        "tice": {"seed": seed},
        "km2": {"rng": np.random.default_rng(seed)},
    }
    estimates: dict[str, Alpha] = {
        name: estimator.load()(*given[estimator.needs], **options.get(name, {}))
        for name, estimator in ESTIMATORS.items()
        if estimator.needs in given and name in names
    }
    return {name: estimate.alpha for name, estimate in estimates.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--classifier", choices=CLASSIFIERS, default="default")
    parser.add_argument("--estimators", default=",".join(ESTIMATORS))
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    names = arguments.estimators.split(",")
    results = []
    for separation in SEPARATIONS:
        found: dict[str, list[list[float]]] = {}
        for alpha in ALPHAS:
            runs = []
            for seed in range(arguments.seeds):
                x_pos, x_unl = draw_rows(alpha, separation=separation, rng=np.random.default_rng(seed))
                runs.append(estimate_all(x_pos, x_unl, names=names, classifier=arguments.classifier, seed=seed))
            for name in runs[0]:
                found.setdefault(name, []).append([run[name] for run in runs])
        results += [summarise(name, np.array(each), separation=separation) for name, each in found.items()]
        if not arguments.json:
            print_table(results[-len(found) :], separation=separation)
    if arguments.json:
        print(json.dumps(results, indent=1))


def summarise(name: str, estimates: np.ndarray, *, separation: float) -> dict:
    """Give means over seeds at every alpha; the bar is on the mean estimate."""
    truth = np.array(ALPHAS)
    mean = estimates.mean(axis=1)
    summary = {
        "name": name,
        "separation": separation,
        "alphas": list(ALPHAS),
        "means": mean.round(4).tolist(),
        "absolute_errors": np.abs(estimates - truth[:, None]).mean(axis=1).round(4).tolist(),
    }
    if name in BARRED and separation == SEPARATIONS[0]:
        summary["within_bar"] = bool((np.abs(mean - truth) <= BAR).all())
    return summary


def print_table(rows: list[dict], *, separation: float) -> None:
    print(f"| means {separation:.3g} apart |", " | ".join(f"alpha {alpha}" for alpha in ALPHAS), f"| within {BAR} |")
    print("|---" * (2 + len(ALPHAS)) + "|")
    for row in rows:
        cells = zip(row["means"], row["absolute_errors"], strict=True)
        bar = {True: "yes", False: "NO"}.get(row.get("within_bar"), "-")
        print(f"| {row['name']} |", " | ".join(f"{mean:.3f} ({error:.3f})" for mean, error in cells), f"| {bar} |")
    print(flush=True)


if __name__ == "__main__":
    main()
