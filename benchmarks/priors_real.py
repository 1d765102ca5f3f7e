"""How far the estimates of alpha lie from the truth on real rows: one-sample, labels at random, default classifier.

    python benchmarks/priors_real.py --data DIR [--seeds 3] [--rows 12000] [--json]

The classifier is the one that score_out_of_fold takes by itself: our encoder for images, boosting for the table,
logistic regression for sparse text. Populations beyond --rows rows are drawn down to it, anew for every seed.
"""

import argparse
import json
import time
from pathlib import Path

import numpy as np
from trial_data import POPULATIONS, Population

from angularpu.fit.out_of_fold import score_out_of_fold
from angularpu.priors.table import ESTIMATORS

NAMES = ("bbe", "dedpul", "elkan_noto", "pulscar")
BAR = 0.05


def estimate(population: Population, *, rows: int, seed: int) -> dict[str, float]:
    """Return the truth, every estimate's error, and how many seconds the scores took."""
    rng = np.random.default_rng(seed)
    part = population.split((min(rows, len(population.y)),), rng=rng)[0]
    sample, alpha = part.sample(rng=rng)
    start = time.perf_counter()
    made = score_out_of_fold(sample, seed=seed)
    seconds = time.perf_counter() - start
    counts = {"elkan_noto": {"n_pos": sample.n_pos, "n_unl": sample.n_unl}}
    errors = {
        name: ESTIMATORS[name].load()(made.score_pos, made.score_unl, **counts.get(name, {})).alpha - alpha
        for name in NAMES
    }
    return {"rows": len(part.y), "alpha": alpha, **errors, "seconds": seconds}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--rows", type=int, default=12_000)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    results = []
    if not arguments.json:
        print("| data set | rows | labelled | seed | alpha |", " | ".join(NAMES), "| seconds |")
        print("|---" * (6 + len(NAMES)) + "|")
    for name, load in POPULATIONS.items():
        population = load(arguments.data)
        for seed in range(arguments.seeds):
            found = estimate(population, rows=arguments.rows, seed=seed)
            results.append({"data": name, "seed": seed, **found})
            if not arguments.json:
                errors = " | ".join(f"{found[estimator]:+.3f}" for estimator in NAMES)
                print(
                    f"| {name} | {found['rows']} | {population.labelled} | {seed} | {found['alpha']:.3f} | {errors} | "
                    f"{found['seconds']:.0f} |",
                    flush=True,
                )
    if arguments.json:
        print(json.dumps(results, indent=1))
        return
    mean = {name: np.mean([abs(result[name]) for result in results]) for name in NAMES}
    print("| **mean absolute error** | | | | |", " | ".join(f"{mean[name]:.3f}" for name in NAMES), "| |")
    print(f"\nthe default, bbe: {mean['bbe']:.3f}, {'within' if mean['bbe'] <= BAR else 'MISSES'} {BAR}")


if __name__ == "__main__":
    main()
