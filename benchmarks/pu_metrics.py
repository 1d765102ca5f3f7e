"""Hold every PU metric against the truth, in both scenarios and for both targets, and pulearn's beside them.

A sample has 100,000 rows: 10,000 labelled positives and 90,000 unlabelled rows, each of them positive with the known
chance alpha. Scores are normal with variance 1 around 2 (positives) and 0 (negatives). The truth is measured with true
labels on a fresh draw of two million rows from the target. A deviation is counted in bootstrap standard errors; needed:
none beyond three. With ``--estimated`` alpha is BBE's estimate from the same scores: the deviations then are those of
the estimate, reported apart and held against no bar. pulearn is no dependency; to see its figures, install it somewhere
and say where:

    pip install --no-deps --target DIR pulearn six && PYTHONPATH=DIR python benchmarks/pu_metrics.py
"""

import argparse
import json
import sys
import warnings
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from angularpu.metrics.evaluation import evaluate
from angularpu.metrics.pu_evaluation import evaluate_pu
from angularpu.metrics.pu_intervals import bootstrap_intervals
from angularpu.metrics.pu_risk import upu_risk
from angularpu.metrics.ranking import auc
from angularpu.priors.bbe import estimate_bbe
from angularpu.scenario.proportions import Proportions
from angularpu.scenario.sample import Truth

SCENARIOS = ("one-sample", "two-sample")
TARGETS = ("population", "unlabelled")
ALPHAS = (0.1, 0.3, 0.5)
N_POS, N_UNL, N_FRESH = 10_000, 90_000, 2_000_000
SEPARATION, THRESHOLD = 2.0, 1.2
NEEDED_Z = 3.0

Array = NDArray[np.float64]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=60, help="bootstrap draws behind each standard error")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--estimated", action="store_true", help="have BBE estimate alpha")
    parser.add_argument("--json", action="store_true", help="print JSON")
    arguments = parser.parse_args()
    rows = [
        row
        for i, scenario in enumerate(SCENARIOS)
        for j, alpha in enumerate(ALPHAS)
        for row in compare(
            scenario,
            alpha,
            draws=arguments.draws,
            rng=np.random.default_rng([arguments.seed, i, j]),
            estimated=arguments.estimated,
        )
    ]
    if arguments.json:
        print(json.dumps(rows, indent=1))
    else:
        show(rows)
    sys.exit(not arguments.estimated and any(abs(row["z"]) > NEEDED_Z for row in rows))


def compare(
    scenario: Any, alpha: float, *, draws: int, rng: np.random.Generator, estimated: bool
) -> list[dict[str, Any]]:
    """Estimate all figures on one sample, and measure them on fresh rows of either target."""
    shares = Proportions(n_pos=N_POS, n_unl=N_UNL, scenario=scenario, alpha=alpha)
    score_pos, score_unl = draw(np.ones(N_POS), rng=rng), draw(rng.random(N_UNL) < alpha, rng=rng)
    used = replace(shares, alpha=estimate_bbe(score_pos, score_unl).alpha) if estimated else shares
    intervals = bootstrap_intervals(measure, (score_pos, score_unl), shares=used, rng=rng, draws=draws)
    rivals = ask_pulearn(score_pos, score_unl, prior=used.prior)
    rows = []
    for target in TARGETS:
        for figure, truth in measure_truth(shares.share(target), rng=rng).items():
            found = intervals[f"{target} {figure}"]
            rows.append({
                "scenario": scenario, "target": target, "alpha": alpha, "alpha used": used.alpha, "figure": figure,
                "truth": truth, "estimate": found.value, "se": found.se, "z": (found.value - truth) / found.se,
                "pulearn": rivals.get(figure) if target == "population" else None,
            })  # fmt: skip
    return rows


def draw(y: NDArray[Any], *, rng: np.random.Generator) -> Array:
    return rng.normal(SEPARATION * y)


def measure(score_pos: Array, score_unl: Array, shares: Proportions) -> dict[str, float]:
    """Estimate everything, for both targets, from positives and unlabelled rows."""
    figures = {}
    margins = score_pos - THRESHOLD, score_unl - THRESHOLD
    for target in TARGETS:
        found = evaluate_pu(score_pos, score_unl, threshold=THRESHOLD, shares=shares, target=target)
        found["upu_logistic"] = upu_risk(*margins, shares=shares, target=target, loss="logistic")
        figures |= {f"{target} {figure}": value for figure, value in found.items()}
    return figures


def measure_truth(share: float, *, rng: np.random.Generator) -> dict[str, float]:
    """Measure everything with the true labels of fresh rows, a given share of them positive."""
    y = (np.arange(N_FRESH) < round(share * N_FRESH)).astype(np.int8)
    score = draw(y, rng=rng)
    figures = evaluate(Truth(y), score, threshold=THRESHOLD)
    called = score > THRESHOLD
    margin = np.where(y == 1, 1, -1) * (score - THRESHOLD)
    sigmoid, logistic = float(expit(-margin).mean()), float(np.logaddexp(0, -margin).mean())
    return {figure: figures[figure] for figure in ("recall", "precision", "f1", "accuracy", "auc", "ap")} | {
        "fpr": float(called[y == 0].mean()),
        "share_called": float(called.mean()),
        "proxy_accuracy": float(np.mean(called == y)) + share,
        "aul": auc(score[y == 1], score),
        "upu_risk": sigmoid,
        "nnpu_risk": sigmoid,
        "upu_logistic": logistic,
    }


def ask_pulearn(score_pos: Array, score_unl: Array, *, prior: float) -> dict[str, Any]:
    """Return pulearn's figures, which know neither scenario nor target, given the population's prior it asks for."""
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
    """Print one block for each scenario and target, one line for each figure, four columns for each alpha."""
    for scenario in SCENARIOS:
        for target in TARGETS:
            block = [row for row in rows if row["scenario"] == scenario and row["target"] == target]
            alphas = ", ".join(f"{alpha:.4f}" for alpha in dict.fromkeys(row["alpha used"] for row in block))
            print(f"\n{scenario}, {target}; alpha {alphas} used")
            print(f"{'':<15}" + "".join(f"  alpha {alpha:g}: truth  found     z  pulearn" for alpha in ALPHAS))
            for figure in dict.fromkeys(row["figure"] for row in block):
                cells = [row for row in block if row["figure"] == figure]
                print(f"{figure:<15}" + "".join(show_cell(row) for row in cells))
    z = np.array([row["z"] for row in rows])
    off = max(abs(row["estimate"] - row["truth"]) for row in rows)
    print(f"\n{len(z)} figures, greatest difference {off:.4f}, in standard errors {abs(z).max():.2f}")
    print(f"{sum(abs(z) > NEEDED_Z)} beyond three standard errors")
    if all(row["pulearn"] is None for row in rows):
        print("pulearn: not installed")


def show_cell(row: dict[str, Any]) -> str:
    rival = "-" if row["pulearn"] is None else f"{row['pulearn']:.4f}"
    return f"{row['truth']:>18.4f} {row['estimate']:.4f} {row['z']:>5.1f} {rival:>8}"


if __name__ == "__main__":
    main()
