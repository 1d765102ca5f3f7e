"""Whether other ways to read alpha off P and U come nearer to the truth than BBE of one classifier's scores.

    python benchmarks/better_bounds.py [--data DIR] [--features CIFAR.npy] [--json]
    python benchmarks/better_bounds.py --quick

Synthetic rows have three scorers, Gaussian, that separate the classes by `apart`, .9 and .8 of it. With --data, real
sets: 3000 rows, 200 labelled (or half of the positives), two draws, scores cross-fitted by the default classifier,
logistic regression, extra trees (naive Bayes for text), AngularPU and TED^n; U is then thinned to the alphas. Bounds:

- today: BBE of the default classifier's scores; "by AngularPU" and tedn of those networks' scores.
- ensemble: BBE of the mean of all scorers' ranks; dedpul of the default's scores and of the ensemble's.
- least: the least BBE over all scorers, raised by what choosing scorer and cut gains on draws with replacement;
  "uncorrected" without that; "cross-fitted" counts each fifth of the rows by the scorer and cut that the rest chooses.
- isotonic: f_U/f_P as a falling step function, at the best tenth of P, of the ensemble's scores.
- concave: log f_P/f_U rising and concave over the upper four fifths of P, at the best tenth of P, likewise.
- asymptote: f_U/f_P = a + (1 - a) exp(-(b + c s)), fitted by likelihood; a is where it would end.

"error" is the mean absolute error of alpha, "bias" the mean error, "below" how often a bound lies under the true alpha
by more than a tenth of it: a bound should not, however well it does on average.
"""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
from audit_heaps import LOADERS, load_features
from bound_scores import DEFAULT, ENSEMBLE, TEDN, Scored, draw_gaussians, score_population, thin
from command_line import make_parser, parse, print_header, print_row
from scipy.optimize import minimize
from scipy.special import expit
from sklearn.isotonic import IsotonicRegression
from small_files import data_directory, write_spam

from angularpu.priors.bbe import estimate_bbe
from angularpu.priors.bbe_interval import measure_gain
from angularpu.priors.dedpul import estimate_dedpul
from angularpu.scenario.split import FOLDS

DRAWS = 40
TOP = 0.9  # quantile of P where a ratio at the top is read: beyond it there are too few rows
KNOTS = np.linspace(0.2, 0.95, 8)  # quantiles of P
UNDER = 0.9
FULL = {
    "aparts": (1.0, 1.5, 2.0, 2.83),
    "alphas": (0.02, 0.1, 0.3, 0.6),
    "size": (200, 2000),
    "draws": 5,
    "labels": 2,
    "rows": 3000,
    "labelled": 200,
    "epochs": None,
    "sets": ",".join(LOADERS),
}
QUICK = {
    "aparts": (2.0,),
    "alphas": (0.3,),
    "size": (60, 300),
    "draws": 1,
    "labels": 1,
    "rows": 200,
    "labelled": 30,
    "epochs": 2,
    "sets": "spam",
}


def find_least(scored: Scored, *, draws: int) -> float:
    """Return the least BBE over all scorers, raised by what the choice gains on draws with replacement."""
    best = _choose(scored.pos, scored.unl, names=[*scored.members, ENSEMBLE])[1].alpha
    rng, gains = np.random.default_rng(0), []
    n_pos, n_unl = len(scored.pos[DEFAULT]), len(scored.unl[DEFAULT])
    for _ in range(draws):
        at_pos, at_unl = rng.integers(n_pos, size=n_pos), rng.integers(n_unl, size=n_unl)
        pos = {name: score[at_pos] for name, score in scored.pos.items()}
        unl = {name: score[at_unl] for name, score in scored.unl.items()}
        name, found = _choose(pos, unl, names=[*scored.members, ENSEMBLE])
        gains.append(measure_gain(found, scored.pos[name], scored.unl[name]))
    return min(1.0, float(best * np.exp(max(0.0, np.mean(gains) if gains else 0.0))))


def cross_least(scored: Scored) -> float:
    """Count each fifth of the rows above the cut, and by the scorer, that the other four fifths choose."""
    rng = np.random.default_rng(0)
    fold_pos, fold_unl = (rng.permutation(len(group[DEFAULT])) % FOLDS for group in (scored.pos, scored.unl))
    counts = np.array([0.5, 0.5])
    for fold in range(FOLDS):
        pos = {name: score[fold_pos != fold] for name, score in scored.pos.items()}
        unl = {name: score[fold_unl != fold] for name, score in scored.unl.items()}
        name, found = _choose(pos, unl, names=[*scored.members, ENSEMBLE])
        cut = found.diagnostics["threshold"]
        counts += [
            np.count_nonzero(group[name][of == fold] >= cut)
            for group, of in ((scored.pos, fold_pos), (scored.unl, fold_unl))
        ]
    return min(1.0, float(counts[1] / len(fold_unl) / (counts[0] / len(fold_pos))))


def _choose(pos: dict, unl: dict, *, names: list[str]) -> tuple:
    found = {name: estimate_bbe(pos[name], unl[name]) for name in names}
    name = min(found, key=lambda each: found[each].alpha)
    return name, found[name]


def read_isotonic(pos: np.ndarray, unl: np.ndarray) -> float:
    """Return f_U/f_P at the best tenth of P, if the ratio never rises with the score."""
    score, s = _join(pos, unl)
    share = IsotonicRegression(out_of_bounds="clip").fit(score, s).predict([np.quantile(pos, TOP)])[0]
    return _to_alpha(share, pos, unl)


def read_concave(pos: np.ndarray, unl: np.ndarray) -> float:
    """Return f_U/f_P at the best tenth of P, if log f_P/f_U is concave and rises: linear between quantiles of P."""
    score, s = _join(pos, unl)
    knots = np.unique(np.quantile(pos, KNOTS))
    above = score >= knots[0]
    scale = knots[-1] - knots[0] or 1.0

    def bend(at: np.ndarray) -> np.ndarray:
        return (np.minimum(at[:, None], knots[1:]) - knots[0]) / scale

    x, s = bend(score[above]), s[above]

    def miss(theta: np.ndarray) -> tuple[float, np.ndarray]:
        logit = theta[0] + x @ theta[1:]
        rest = expit(logit) - s
        return float(np.logaddexp(0, logit).sum() - logit @ s), np.append(rest.sum(), rest @ x)

    bounds = [(None, None)] + [(0, None)] * x.shape[1]
    theta = minimize(miss, np.zeros(1 + x.shape[1]), jac=True, bounds=bounds, method="L-BFGS-B").x
    logit = theta[0] + bend(np.array([np.quantile(pos, TOP)])) @ theta[1:]
    return _to_alpha(float(expit(logit[0])), pos, unl)


def read_asymptote(pos: np.ndarray, unl: np.ndarray) -> float:
    """Return where f_U/f_P = a + (1 - a) exp(-(b + c s)) ends, by the likelihood of which rows are labelled."""
    score, s = _join(pos, unl)
    score = (score - np.median(pos)) / np.std(score)
    base = np.log(len(unl) / len(pos))

    def miss(theta: np.ndarray) -> float:
        a = expit(theta[0])
        ratio = a + (1 - a) * np.exp(np.clip(-(theta[1] + np.exp(theta[2]) * score), -30, 30))
        logit = -base - np.log(ratio)
        return float(np.logaddexp(0, logit).sum() - logit @ s)

    starts = [minimize(miss, [start, 0.0, 0.5], method="L-BFGS-B") for start in (-3.0, 0.0)]
    return float(expit(min(starts, key=lambda each: each.fun).x[0]))


def _join(pos: np.ndarray, unl: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return np.concatenate([pos, unl]), np.repeat([1.0, 0.0], [len(pos), len(unl)])


def _to_alpha(share: float, pos: np.ndarray, unl: np.ndarray) -> float:
    """Return f_U/f_P where a share of the rows is labelled."""
    return min(1.0, (1 - share) / max(share, 1e-9) * len(pos) / len(unl))


def _of(read: Callable, scorer: str) -> Callable[[Scored], float]:
    """Read a bound off one scorer's scores."""

    def bound(scored: Scored) -> float:
        found = read(scored.pos[scorer], scored.unl[scorer])
        return found if isinstance(found, float) else found.alpha

    return bound


BOUNDS: dict[str, Callable[[Scored], float]] = {
    "today: bbe": _of(estimate_bbe, DEFAULT),
    "bbe by AngularPU": _of(estimate_bbe, "angular"),
    "tedn": _of(estimate_bbe, TEDN),
    "dedpul": _of(estimate_dedpul, DEFAULT),
    "ensemble: bbe": _of(estimate_bbe, ENSEMBLE),
    "ensemble: dedpul": _of(estimate_dedpul, ENSEMBLE),
    "least, uncorrected": lambda scored: find_least(scored, draws=0),
    "least": lambda scored: find_least(scored, draws=DRAWS),
    "least, cross-fitted": cross_least,
    "isotonic": _of(read_isotonic, ENSEMBLE),
    "concave": _of(read_concave, ENSEMBLE),
    "asymptote": _of(read_asymptote, ENSEMBLE),
}


def measure(scored: Scored) -> list[dict]:
    """Return the error of every bound that these scores allow."""
    rows = []
    for name, bound in BOUNDS.items():
        try:
            found = bound(scored)
        except KeyError:  # synthetic rows have no networks
            continue
        error = found - scored.alpha
        under = found < UNDER * scored.alpha
        rows.append({"data": scored.name, "alpha": scored.alpha, "bound": name, "error": error, "below": under})
    return rows


def show(rows: list[dict]) -> None:
    sets = list(dict.fromkeys(row["data"] for row in rows))
    print_header("bound", *sets, "all: error", "bias", "below")
    for name in dict.fromkeys(row["bound"] for row in rows):
        here = [row for row in rows if row["bound"] == name]
        errors = {data: [abs(row["error"]) for row in here if row["data"] == data] for data in sets}
        means = [f"{np.mean(each):.3f}" if each else "-" for each in errors.values()]
        overall = f"{np.mean([abs(row['error']) for row in here]):.3f}"
        bias = f"{np.mean([row['error'] for row in here]):+.3f}"
        print_row(name, *means, overall, bias, f"{np.mean([row['below'] for row in here]):.2f}")
    print()


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--features", type=Path, help="CIFAR-10's frozen features of the training images, .npy")
    arguments = parse(parser, full=FULL, quick=QUICK)
    drawn = draw_gaussians(arguments.aparts, arguments.alphas, size=arguments.size, draws=arguments.draws)
    synthetic, real = [row for scored in drawn for row in measure(scored)], []
    if arguments.quick or arguments.data is not None:
        with data_directory(arguments, write_spam) as directory:
            populations = {name: LOADERS[name](directory) for name in arguments.sets.split(",")}
            if arguments.features is not None:
                populations["CIFAR-10"] = load_features(directory, arguments.features)
        for name, population in populations.items():
            for seed in range(arguments.labels):
                size = {"rows": arguments.rows, "labelled": arguments.labelled, "epochs": arguments.epochs}
                made = score_population(name, population, **size, seed=seed)
                real += [row for scored in thin(*made, alphas=arguments.alphas) for row in measure(scored)]
    if arguments.json:
        print(json.dumps({"synthetic": synthetic, "real": real}, indent=1, default=float))
        return
    for rows in (synthetic, real):
        if rows:
            show(rows)


if __name__ == "__main__":
    main()
