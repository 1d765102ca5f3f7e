"""What F1 the thresholds chosen without negatives reach, against a threshold chosen with true labels.

    python benchmarks/decisions.py --data DIR [--seeds 3] [--json]
    python benchmarks/decisions.py --quick

One AngularPU network (refit=True), one-sample, is fitted on 12,000 rows of Fashion-MNIST (1000 labelled), 2,601 of spam
(200) and 5,000 of two ten-dimensional Gaussians 2.83 apart (1000, prior .4). Every rule gets the same held-out scores.
"oracle" chooses on a labelled validation split of as many rows as are held out (1,000 for spam, which is cross-fitted);
F1* is the best F1 of any threshold on the test rows. Test rows: 10,000, 1,000 and 10,000. Needed: pu-f1 at least .97 of
the oracle's F1 on average.
"""

import json
from pathlib import Path

import numpy as np
from command_line import make_parser, parse, print_header, print_row
from small_files import data_directory, write_fashion, write_spam
from trial_data import QUICK_SIZES, SIZES, Fit, Population, Size, fit_angular, load_fashion, load_spam

from angularpu.decide.oracle import oracle_f1
from angularpu.decide.rules import parse_rule
from angularpu.metrics.evaluation import evaluate
from angularpu.scenario.proportions import Proportions

RULES = ("pu-f1", "pu-f1,prior=true", "lee-liu", "proxy-accuracy")
COLUMNS = (*RULES, "oracle", "F1*", "prior error")
APART = 2.83
BAR = 0.97


def draw_gaussians(_: Path) -> Population:
    rng = np.random.default_rng(0)
    y = (rng.random(20_000) < 0.4).astype(np.int8)
    x = rng.standard_normal((20_000, 10))
    x[:, 0] += APART * y
    return Population(x.astype(np.float32), y)


LOADERS = {"Gaussians": draw_gaussians, "spam": load_spam, "Fashion-MNIST": load_fashion}
FULL = {"seeds": 3, "sizes": {**SIZES, "Gaussians": Size(1000, (5_000, 500, 10_000))}}
QUICK = {"seeds": 1, "sizes": {**QUICK_SIZES, "Gaussians": Size(40, (200, 50, 1_000), epochs=2)}}


def measure(fit: Fit) -> dict[str, float]:
    """Return the test F1 of every rule, of the oracle's threshold and of the best one, and BBE's error of the prior."""
    held = fit.held
    prior = Proportions(held.n_pos, held.n_unl, held.scenario, fit.alpha).prior
    decisions = {rule: parse_rule(rule.replace("true", repr(prior))).choose(held) for rule in RULES}
    measured = {rule: evaluate(*fit.test, threshold=decision.threshold) for rule, decision in decisions.items()}
    oracle = evaluate(*fit.test, threshold=oracle_f1(*fit.validation).threshold)
    return {rule: found["f1"] for rule, found in measured.items()} | {
        "oracle": oracle["f1"],
        "F1*": oracle["best_f1"],
        "prior error": decisions["pu-f1"].prior - prior,
    }


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--seeds", type=int)
    arguments = parse(parser, full=FULL, quick=QUICK)
    results = []
    if not arguments.json:
        print_header("data set", "seed", *COLUMNS, "pu-f1 / oracle")
    with data_directory(arguments, write_fashion, write_spam) as directory:
        for name, load in LOADERS.items():
            population = load(directory)
            runs = []
            for seed in range(arguments.seeds):
                runs.append(measure(fit_angular(population, size=arguments.sizes[name], seed=seed)))
                results.append({"data": name, "seed": seed, **runs[-1]})
                if not arguments.json:
                    show(name, str(seed), runs[-1:])
            if not arguments.json:
                show(f"**{name}**", "mean", runs)
    if arguments.json:
        print(json.dumps(results, indent=1))


def show(name: str, seed: str, runs: list[dict[str, float]]) -> None:
    mean = {column: np.mean([run[column] for run in runs]) for column in COLUMNS}
    ratio = mean["pu-f1"] / mean["oracle"]
    verdict = "" if seed != "mean" else f" {'(enough)' if ratio >= BAR else '(TOO LITTLE)'}"
    numbers = [f"{mean[column]:+.3f}" if "error" in column else f"{mean[column]:.3f}" for column in COLUMNS]
    print_row(name, seed, *numbers, f"{ratio:.3f}{verdict}")


if __name__ == "__main__":
    main()
