"""Compare every PU metric with the truth, in both scenarios and for both targets, and show pulearn's beside it.

    python benchmarks/pu_metrics.py [--draws 60] [--repeats 100] [--seed 0] [--estimated] [--quick] [--json]

A sample has 100,000 rows: 10,000 labelled positives and 90,000 unlabelled rows, each of them positive with the known
chance alpha. Scores are normal with variance 1 around 2 (positives) and 0 (negatives). The truth is measured with true
labels on a fresh draw of two million rows from the target. A deviation is counted in bootstrap standard errors; if one
is beyond three, the exit code is 1. The average precision takes longer than all else together, so its standard error
rests on a quarter of the draws: 15 give it to within a fifth. With two samples both targets are the same rows.
With ``--estimated`` alpha is BBE's estimate from the same scores: the deviations then are those of the estimate, and
there is no bar for them, nor for the few rows of ``--quick``. Then, alpha known, bias, its standard error and spread of
every metric at held-out sizes as they are in practice, and how often the plain sum of (R_j - R_(j-1)) rho R_j/P_j(+),
"ap by counts", leaves [0, 1].

pulearn is no dependency; to see its numbers, install it somewhere and say where:

    pip install --no-deps --target DIR pulearn six && PYTHONPATH=DIR python benchmarks/pu_metrics.py
"""

import json
import sys
import warnings
from dataclasses import replace
from typing import Any

import numpy as np
from command_line import make_parser, parse, print_header, print_row
from numpy.typing import NDArray
from scipy.special import expit

from angularpu.metrics.evaluation import evaluate
from angularpu.metrics.pu_average_precision import estimate_average_precision
from angularpu.metrics.pu_curves import trace_curve
from angularpu.metrics.pu_evaluation import evaluate_pu, evaluate_without_ap
from angularpu.metrics.pu_intervals import bootstrap_intervals
from angularpu.metrics.pu_risk import upu_risk
from angularpu.metrics.ranking import auc
from angularpu.priors.bbe import estimate_bbe
from angularpu.scenario.proportions import Proportions
from angularpu.scenario.sample import Truth

SCENARIOS = ("one-sample", "two-sample")
TARGETS = ("population", "unlabelled")
FULL = {
    "draws": 60,
    "seed": 0,
    "alphas": (0.1, 0.3, 0.5),
    "size": (10_000, 90_000),  # positives and unlabelled rows
    "fresh": 2_000_000,
    "repeats": 100,
}
QUICK = {"repeats": 3, "draws": 5, "alphas": (0.3,), "size": (500, 2_000), "fresh": 10_000}
SEPARATION, THRESHOLD = 2.0, 1.2
NEEDED_Z = 3.0
HELD_OUT = ((30, 400), (100, 4_900), (1_000, 9_000))
USUAL_ALPHA = 0.3
AP_PART = 4  # of the draws, one in so many is for the average precision

Array = NDArray[np.float64]


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--draws", type=int, help="bootstrap draws behind each standard error")
    parser.add_argument("--repeats", type=int, help="samples of each held-out size")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--estimated", action="store_true", help="have BBE estimate alpha")
    arguments = parse(parser, full=FULL, quick=QUICK)
    rows = [
        row
        for i, scenario in enumerate(SCENARIOS)
        for j, alpha in enumerate(arguments.alphas)
        for row in compare(
            scenario,
            alpha,
            size=arguments.size,
            fresh=arguments.fresh,
            draws=arguments.draws,
            rng=np.random.default_rng([arguments.seed, i, j]),
            estimated=arguments.estimated,
        )
    ]
    sizes = [] if arguments.estimated else repeat_sizes(arguments.repeats, fresh=arguments.fresh, seed=arguments.seed)
    if arguments.json:
        print(json.dumps({"large": rows, "held out": sizes}, indent=1))
    else:
        show(rows)
        show_sizes(sizes)
    barred = not arguments.estimated and not arguments.quick
    sys.exit(barred and any(abs(row["z"]) > NEEDED_Z for row in rows))


def compare(
    scenario: Any,
    alpha: float,
    *,
    size: tuple[int, int],
    fresh: int,
    draws: int,
    rng: np.random.Generator,
    estimated: bool,
) -> list[dict[str, Any]]:
    """Estimate all metrics on one sample, and measure them on fresh rows of either target."""
    n_pos, n_unl = size
    shares = Proportions(n_pos=n_pos, n_unl=n_unl, scenario=scenario, alpha=alpha)
    score_pos, score_unl = draw(np.ones(n_pos), rng=rng), draw(rng.random(n_unl) < alpha, rng=rng)
    used = replace(shares, alpha=estimate_bbe(score_pos, score_unl).alpha) if estimated else shares
    groups = score_pos, score_unl
    intervals = bootstrap_intervals(measure, groups, shares=used, rng=rng, draws=draws)
    intervals |= bootstrap_intervals(measure_ap, groups, shares=used, rng=rng, draws=max(2, draws // AP_PART))
    rivals = ask_pulearn(score_pos, score_unl, prior=used.prior)
    rows = []
    for target in TARGETS:
        for metric, truth in measure_truth(shares.share(target), rows=fresh, rng=rng).items():
            measured = target if target in list_targets(shares) else TARGETS[0]
            found = intervals[f"{measured} {metric}"]
            rows.append({
                "scenario": scenario, "target": target, "alpha": alpha, "alpha used": used.alpha, "metric": metric,
                "truth": truth, "estimate": found.value, "se": found.se, "z": (found.value - truth) / found.se,
                "pulearn": rivals.get(metric) if target == "population" else None,
            })  # fmt: skip
    return rows


def repeat_sizes(repeats: int, *, fresh: int, seed: int) -> list[dict[str, Any]]:
    """Estimate all metrics of the population on many samples of each held-out size; return their bias and spread."""
    rows = []
    for i, scenario in enumerate(SCENARIOS):
        for n_pos, n_unl in HELD_OUT:
            rng = np.random.default_rng([seed, 9, i, n_pos])
            shares = Proportions(n_pos=n_pos, n_unl=n_unl, scenario=scenario, alpha=USUAL_ALPHA)
            truth = measure_truth(shares.prior, rows=fresh, rng=rng)
            found = [measure_small(n_pos, n_unl, shares=shares, rng=rng) for _ in range(repeats)]
            for metric in found[0]:
                values = np.array([each[metric] for each in found])
                exact = truth[metric.removesuffix(" by counts")]
                rows.append({
                    "scenario": scenario, "size": f"{n_pos:,} / {n_unl:,}", "metric": metric, "truth": exact,
                    "bias": float(values.mean() - exact), "sd": float(values.std()),
                    "se": float(values.std(ddof=1) / repeats**0.5),
                    "outside": float(np.mean((values < 0) | (values > 1))),
                })  # fmt: skip
    return rows


def measure_small(n_pos: int, n_unl: int, *, shares: Proportions, rng: np.random.Generator) -> dict[str, float]:
    """Estimate the population's metrics on one sample, with the AP by counts beside ours."""
    groups = draw(np.ones(n_pos), rng=rng), draw(rng.random(n_unl) < USUAL_ALPHA, rng=rng)
    curve = trace_curve(*groups, shares=shares)
    counted = {"ap by counts": float(np.sum(np.diff(curve.recall) * curve.precision[1:]))}
    return evaluate_pu(*groups, threshold=THRESHOLD, shares=shares) | counted


def show_sizes(rows: list[dict[str, Any]]) -> None:
    """Print one table for each scenario: bias, spread and excesses of each metric by held-out size."""
    for scenario in dict.fromkeys(row["scenario"] for row in rows):
        block = [row for row in rows if row["scenario"] == scenario]
        sizes = dict.fromkeys(row["size"] for row in block)
        print(f"\n{scenario}, population, alpha {USUAL_ALPHA:g} known, held-out positives / unlabelled rows\n")
        heads = [(f"{size}: bias (its standard error)", "sd", "outside [0, 1]") for size in sizes]
        print_header("metric", "truth", *(text for head in heads for text in head))
        for metric in dict.fromkeys(row["metric"] for row in block):
            chosen = [row for row in block if row["metric"] == metric]
            entries = [
                (f"{row['bias']:+.3f} ({row['se']:.3f})", f"{row['sd']:.3f}", f"{row['outside']:.0%}") for row in chosen
            ]
            print_row(metric, f"{chosen[-1]['truth']:.3f}", *(text for each in entries for text in each))


def draw(y: NDArray[Any], *, rng: np.random.Generator) -> Array:
    return rng.normal(SEPARATION * y)


def list_targets(shares: Proportions) -> tuple[Any, ...]:
    """Return the targets that differ: with two samples the unlabelled rows are the population."""
    return TARGETS if shares.scenario == "one-sample" else TARGETS[:1]


def measure(score_pos: Array, score_unl: Array, shares: Proportions) -> dict[str, float]:
    """Estimate all but the AP, for every target, from positives and unlabelled rows."""
    measured = {}
    margins = score_pos - THRESHOLD, score_unl - THRESHOLD
    for target in list_targets(shares):
        found = evaluate_without_ap(score_pos, score_unl, threshold=THRESHOLD, shares=shares, target=target)
        found["upu_logistic"] = upu_risk(*margins, shares=shares, target=target, loss="logistic")
        measured |= {f"{target} {metric}": value for metric, value in found.items()}
    return measured


def measure_ap(score_pos: Array, score_unl: Array, shares: Proportions) -> dict[str, float]:
    """Estimate the AP for every target."""
    return {
        f"{target} ap": estimate_average_precision(score_pos, score_unl, shares=shares, target=target)
        for target in list_targets(shares)
    }


def measure_truth(share: float, *, rows: int, rng: np.random.Generator) -> dict[str, float]:
    """Measure everything with the true labels of fresh rows, a given share of them positive."""
    y = (np.arange(rows) < round(share * rows)).astype(np.int8)
    score = draw(y, rng=rng)
    measured = evaluate(Truth(y), score, threshold=THRESHOLD)
    called = score > THRESHOLD
    margin = np.where(y == 1, 1, -1) * (score - THRESHOLD)
    sigmoid, logistic = float(expit(-margin).mean()), float(np.logaddexp(0, -margin).mean())
    return {metric: measured[metric] for metric in ("recall", "precision", "f1", "accuracy", "auc", "ap")} | {
        "fpr": float(called[y == 0].mean()),
        "share_called": float(called.mean()),
        "proxy_accuracy": float(np.mean(called == y)) + share,
        "aul": auc(score[y == 1], score),
        "upu_risk": sigmoid,
        "nnpu_risk": sigmoid,
        "upu_logistic": logistic,
    }


def ask_pulearn(score_pos: Array, score_unl: Array, *, prior: float) -> dict[str, Any]:
    """Return pulearn's numbers, which know neither scenario nor target, given the population's prior it asks for."""
    try:
        from pulearn import metrics
    except ImportError:
        return {}
    s = np.repeat([1, 0], [len(score_pos), len(score_unl)])
    score = np.concatenate([score_pos, score_unl])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return {
            "recall": metrics.pu_recall_score(s, score, THRESHOLD),
            "precision": metrics.pu_precision_score(s, score, prior, THRESHOLD),
            "f1": metrics.pu_f1_score(s, score, prior, THRESHOLD),
            "auc": float(metrics.pu_roc_auc_score(s, score, prior)),
            "aul": float(metrics.pu_average_precision_score(s, score, prior)),
            "upu_logistic": metrics.pu_unbiased_risk(s, expit(score - THRESHOLD), prior),
        }


def show(rows: list[dict[str, Any]]) -> None:
    """Print one table for each scenario and target, one row for each metric, four columns for each alpha."""
    alphas = dict.fromkeys(row["alpha"] for row in rows)
    for scenario in SCENARIOS:
        for target in TARGETS:
            block = [row for row in rows if row["scenario"] == scenario and row["target"] == target]
            used = ", ".join(f"{alpha:.4f}" for alpha in dict.fromkeys(row["alpha used"] for row in block))
            print(f"\n{scenario}, {target}; alpha {used} used\n")
            heads = [(f"alpha {alpha:g}: truth", "estimate", "z", "pulearn") for alpha in alphas]
            print_header("metric", *(text for head in heads for text in head))
            for metric in dict.fromkeys(row["metric"] for row in block):
                chosen = [row for row in block if row["metric"] == metric]
                print_row(metric, *(text for row in chosen for text in list_entries(row)))
    z = np.array([row["z"] for row in rows])
    off = max(abs(row["estimate"] - row["truth"]) for row in rows)
    print(f"\n{len(z)} numbers, greatest difference {off:.4f}, in standard errors {abs(z).max():.2f}")
    print(f"{sum(abs(z) > NEEDED_Z)} beyond three standard errors")
    if all(row["pulearn"] is None for row in rows):
        print("pulearn: not installed")


def list_entries(row: dict[str, Any]) -> tuple[str, ...]:
    rival = "-" if row["pulearn"] is None else f"{row['pulearn']:.4f}"
    return f"{row['truth']:.4f}", f"{row['estimate']:.4f}", f"{row['z']:.1f}", rival


if __name__ == "__main__":
    main()
