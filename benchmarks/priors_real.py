"""How far the estimates of alpha lie from the truth on real rows: one-sample, labels at random, default classifier.

    python benchmarks/priors_real.py --data DIR [--seeds 3] [--rows 12000] [--json]
    python benchmarks/priors_real.py --quick

The classifier is the one that score_out_of_fold takes by itself: our encoder for images, boosting for the table,
logistic regression for sparse text. Populations beyond --rows rows are drawn down to it, anew for every seed.
"""

import json
import time
from pathlib import Path

import numpy as np
from command_line import make_parser, parse, print_header, print_row
from small_files import data_directory, write_fashion, write_newsgroups, write_spam
from trial_data import LABELLED, LOADERS, QUICK_LABELLED, Population

from angularpu.fit.out_of_fold import score_out_of_fold
from angularpu.priors.table import ESTIMATORS

NAMES = ("bbe", "dedpul", "elkan_noto", "pulscar")
BAR = 0.05


def estimate(population: Population, *, rows: int, labelled: int, seed: int) -> dict[str, float]:
    """Return the truth, every estimate's error, and how many seconds the scores took."""
    rng = np.random.default_rng(seed)
    part = population.split((min(rows, len(population.y)),), rng=rng)[0]
    sample, alpha = part.sample(labelled, rng=rng)
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
    parser = make_parser(__doc__)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--seeds", type=int)
    parser.add_argument("--rows", type=int)
    full = {"seeds": 3, "rows": 12_000, "labelled": LABELLED}
    arguments = parse(parser, full=full, quick={"seeds": 1, "rows": 200, "labelled": QUICK_LABELLED})
    results = []
    if not arguments.json:
        print_header("data set", "rows", "labelled", "seed", "alpha", *NAMES, "seconds")
    with data_directory(arguments, write_fashion, write_spam, write_newsgroups) as directory:
        for name, load in LOADERS.items():
            population, labelled = load(directory), arguments.labelled[name]
            for seed in range(arguments.seeds):
                found = estimate(population, rows=arguments.rows, labelled=labelled, seed=seed)
                results.append({"data": name, "seed": seed, **found})
                if not arguments.json:
                    errors = [f"{found[estimator]:+.3f}" for estimator in NAMES]
                    counts = (name, found["rows"], labelled, seed, f"{found['alpha']:.3f}")
                    print_row(*counts, *errors, f"{found['seconds']:.0f}")
    if arguments.json:
        print(json.dumps(results, indent=1))
        return
    mean = {name: np.mean([abs(result[name]) for result in results]) for name in NAMES}
    print_row("**mean absolute error**", "", "", "", "", *(f"{mean[name]:.3f}" for name in NAMES), "")
    print(f"\nthe default, bbe: {mean['bbe']:.3f}, {'within' if mean['bbe'] <= BAR else 'MISSES'} {BAR}")


if __name__ == "__main__":
    main()
