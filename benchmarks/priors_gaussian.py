"""What every prior estimator says of two ten-dimensional Gaussians whose mixture is known.

    python benchmarks/priors_gaussian.py [--seeds 5] [--classifier default|logistic|exact] [--estimators bbe,dedpul]
                                         [--sources] [--json]
    python benchmarks/priors_gaussian.py --quick

1000 labelled positives, 4000 unlabelled rows, unit variance, negatives around the origin and positives 2.83 away from
it, along the first column; then half as far. Scores are out of fold, five folds, by the package's default classifier
for vectors or by logistic regression; the truth is only compared with. --classifier exact takes the true log-odds of a
label instead. --sources adds what estimators would say without their differences from their authors' code.
"""

import json

import numpy as np
from command_line import make_parser, parse, print_header, print_row
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from source_rules import SOURCES

from angularpu.fit.out_of_fold import score_out_of_fold
from angularpu.priors.alpha import Alpha
from angularpu.priors.table import ESTIMATORS
from angularpu.scenario.sample import make_sample

D = 10
SEPARATION = 2.83
FULL = {
    "seeds": 5,
    "classifier": "default",
    "sources": False,
    "estimators": ",".join(ESTIMATORS),
    "size": (1000, 4000),
    "separations": (SEPARATION, SEPARATION / 2),
    "alphas": (0.1, 0.3, 0.5, 0.7),
}
QUICK = {"seeds": 1, "sources": True, "size": (100, 400), "separations": (SEPARATION,), "alphas": (0.3,)}
CLASSIFIERS = {"default": None, "logistic": LogisticRegression(), "exact": None}
BARRED, BAR = ("bbe", "dedpul"), 0.03


def draw_rows(
    alpha: float, *, size: tuple[int, int], separation: float, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    n_pos, n_unl = size
    x_pos, x_unl = rng.standard_normal((n_pos, D)), rng.standard_normal((n_unl, D))
    x_pos[:, 0] += separation
    x_unl[: round(alpha * n_unl), 0] += separation
    return x_pos, x_unl


def cross_cosines(x: np.ndarray, s: np.ndarray, folds: StratifiedKFold) -> np.ndarray:
    """Give each row's cosine with the mean direction of the labelled positives of the other folds."""
    z = x / np.linalg.norm(x, axis=1, keepdims=True)
    cosine = np.empty(len(z))
    for train, held in folds.split(z, s):
        mean = z[train][s[train] == 1].mean(axis=0)
        cosine[held] = z[held] @ mean / np.linalg.norm(mean)
    return cosine


def score_exactly(x: np.ndarray, *, alpha: float, size: tuple[int, int], separation: float) -> np.ndarray:
    """Give the true log-odds of a label, log n_P f_P/(n_U f_U)."""
    odds = separation * (x[:, 0] - separation / 2)
    return np.log(size[0] / size[1]) + odds - np.logaddexp(np.log(alpha) + odds, np.log(1 - alpha))


def estimate_all(
    x_pos: np.ndarray, x_unl: np.ndarray, *, names: list[str], classifier: str, sources: bool, seed: int, **truth: float
) -> dict[str, float]:
    size = len(x_pos), len(x_unl)
    x, s = np.concatenate([x_pos, x_unl]), np.repeat([1, 0], [len(x_pos), len(x_unl)])
    if classifier == "exact":
        scores = tuple(score_exactly(each, size=size, **truth) for each in (x_pos, x_unl))
    else:
        sample = make_sample(x, s, scenario="two-sample")
        made = score_out_of_fold(sample, classifier=CLASSIFIERS[classifier], seed=seed)
        scores = made.score_pos, made.score_unl
    cosine = cross_cosines(x, s, StratifiedKFold(5, shuffle=True, random_state=seed))
    given = {
        "scores": scores,
        "cosines": (cosine[s == 1], cosine[s == 0]),
        "rows": (x_pos, x_unl),
    }
    options = {
        "elkan_noto": {"n_pos": size[0], "n_unl": size[1]},
        "vmf": {"d": x.shape[1]},
        "tice": {"seed": seed},
        "km2": {"rng": np.random.default_rng(seed)},
    }
    estimates: dict[str, Alpha] = {
        name: estimator.load()(*given[estimator.needs], **options.get(name, {}))
        for name, estimator in ESTIMATORS.items()
        if estimator.needs in given and name in names
    }
    found = {name: estimate.alpha for name, estimate in estimates.items()}
    for name, (title, estimate) in SOURCES.items() if sources else ():
        if name in names:
            again = {"rng": np.random.default_rng(seed)} if name == "km2" else {}
            found[title] = estimate(*given[ESTIMATORS[name].needs], **again)
    return found


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--seeds", type=int)
    parser.add_argument("--classifier", choices=CLASSIFIERS)
    parser.add_argument("--estimators")
    parser.add_argument("--sources", action="store_true")
    arguments = parse(parser, full=FULL, quick=QUICK)
    names, alphas = arguments.estimators.split(","), arguments.alphas
    results = []
    for separation in arguments.separations:
        found: dict[str, list[list[float]]] = {}
        for alpha in alphas:
            runs = []
            for seed in range(arguments.seeds):
                rng = np.random.default_rng(seed)
                x_pos, x_unl = draw_rows(alpha, size=arguments.size, separation=separation, rng=rng)
                how = {"names": names, "classifier": arguments.classifier, "sources": arguments.sources}
                runs.append(estimate_all(x_pos, x_unl, seed=seed, alpha=alpha, separation=separation, **how))
            for name in runs[0]:
                found.setdefault(name, []).append([run[name] for run in runs])
        rows = [summarise(name, np.array(each), alphas=alphas, separation=separation) for name, each in found.items()]
        results += rows
        if not arguments.json:
            show(rows, alphas=alphas, separation=separation)
    if arguments.json:
        print(json.dumps(results, indent=1))


def summarise(name: str, estimates: np.ndarray, *, alphas: tuple[float, ...], separation: float) -> dict:
    """Give means over seeds at every alpha; the bar is on the mean estimate."""
    truth = np.array(alphas)
    mean = estimates.mean(axis=1)
    summary = {
        "name": name,
        "separation": separation,
        "alphas": list(alphas),
        "means": mean.round(4).tolist(),
        "absolute_errors": np.abs(estimates - truth[:, None]).mean(axis=1).round(4).tolist(),
    }
    if name in BARRED and separation == SEPARATION:
        summary["within_bar"] = bool((np.abs(mean - truth) <= BAR).all())
    return summary


def show(rows: list[dict], *, alphas: tuple[float, ...], separation: float) -> None:
    print_header(f"means {separation:.3g} apart", *(f"alpha {alpha}" for alpha in alphas), f"within {BAR}")
    for row in rows:
        pairs = zip(row["means"], row["absolute_errors"], strict=True)
        bar = {True: "yes", False: "NO"}.get(row.get("within_bar"), "-")
        print_row(row["name"], *(f"{mean:.3f} ({error:.3f})" for mean, error in pairs), bar)
    print(flush=True)


if __name__ == "__main__":
    main()
