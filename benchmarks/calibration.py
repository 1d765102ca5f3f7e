"""How far calibrated probabilities lie from the truth (ECE, 15 bins), with alpha known and with BBE's.

    python benchmarks/calibration.py [--data DIR] [--seeds 5] [--fits 3] [--quick] [--json]

Gaussian: scores of two unit normals 2.83 apart, alpha .1, .3, .5 and .7, --seeds draws of each, checked on 50,000 fresh
rows of the target. With --data, also AngularPU's held-out scores on Fashion-MNIST (12,000 rows to fit, 11,200 to check)
and spam (2,601 and 2,000), --fits seeds, target population. "chance" is what a perfect calibration shows on so many
rows. Needed: .03 with alpha known, the error of the share plus .03 with BBE's.
"""

import json
from argparse import Namespace
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
from command_line import make_parser, parse, print_header, print_row
from small_files import data_directory, write_fashion, write_spam
from trial_data import QUICK_SIZES, SIZES, Fit, fit_angular, load_fashion, load_spam

from angularpu.decide.calibrate import fit_calibration
from angularpu.decide.held_out import HeldOut
from angularpu.decide.prior_setting import resolve_prior
from angularpu.metrics.calibration import expected_calibration_error
from angularpu.scenario.proportions import Proportions
from angularpu.scenario.sample import Truth

FULL = {
    "seeds": 5,
    "fits": 3,
    "alphas": (0.1, 0.3, 0.5, 0.7),
    "draws": ((1000, 4000), (100, 900)),  # positives and unlabelled rows
    "fresh": 50_000,
    "sizes": SIZES,
}
QUICK = {"seeds": 1, "fits": 1, "alphas": (0.3,), "draws": ((100, 400),), "fresh": 2_000, "sizes": QUICK_SIZES}
APART = 2.83
SETTINGS = (("one-sample", "population"), ("one-sample", "unlabelled"), ("two-sample", "population"))
LOADERS = {"Fashion-MNIST": load_fashion, "spam": load_spam}
BAR = 0.03


def draw_gaussian(alpha: float, *, size: tuple[int, int], fresh: int, scenario: str, target: str, seed: int) -> Fit:
    n_pos, n_unl = size
    rng = np.random.default_rng(seed)
    unl = rng.standard_normal(n_unl) + APART * (rng.random(n_unl) < alpha)
    held = HeldOut(rng.standard_normal(n_pos) + APART, unl, n_pos, n_unl, scenario, "held out")
    share = Proportions(n_pos, n_unl, scenario, alpha).share(target)
    y = (rng.random(fresh) < share).astype(np.int8)
    score = rng.standard_normal(fresh) + APART * y
    halves = slice(0, fresh // 2), slice(fresh // 2, None)
    return Fit(held, alpha, *((Truth(y[half]), score[half]) for half in halves))


def measure(fit: Fit, *, target: str, seed: int) -> dict[str, float]:
    """Return the error with alpha known, the error with BBE's, BBE's own error, and what chance alone gives."""
    truths, scores = zip(fit.validation, fit.test, strict=True)
    y, score = np.concatenate([truth.y for truth in truths]), np.concatenate(scores)
    held = fit.held
    known = fit_calibration(held, fit.alpha, target=target).apply(score)
    shares = resolve_prior("bbe", held, target=target).shares
    estimated = fit_calibration(held, shares.alpha, target=target).apply(score)
    drawn = (np.random.default_rng(seed).random(len(known)) < known).astype(np.int8)
    truth = Proportions(held.n_pos, held.n_unl, held.scenario, fit.alpha)
    return {
        "known": expected_calibration_error(y, known),
        "estimated": expected_calibration_error(y, estimated),
        "share_error": abs(shares.share(target) - truth.share(target)),
        "chance": expected_calibration_error(drawn, known),
    }


def summarise(name: str, runs: list[dict[str, float]]) -> dict:
    """Give means over runs and the worst run; the limits are on the means."""
    mean = {key: float(np.mean([run[key] for run in runs])) for key in runs[0]}
    worst = max(run["known"] for run in runs)
    met = mean["known"] <= BAR and mean["estimated"] <= mean["share_error"] + BAR
    return {"scores": name, "runs": len(runs), **mean, "worst": worst, "met": met}


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--seeds", type=int)
    parser.add_argument("--fits", type=int)
    arguments = parse(parser, full=FULL, quick=QUICK)
    if not arguments.json:
        print_header(
            "scores",
            "runs",
            "ECE, alpha known",
            "worst",
            "ECE, BBE",
            "BBE's error of the share",
            "chance",
            "within the limit",
        )
    rows = []
    for row in (*measure_gaussians(arguments), *measure_fits(arguments)):
        rows.append(row)
        if not arguments.json:
            show(row)
    if arguments.json:
        print(json.dumps(rows, indent=1))


def measure_gaussians(arguments: Namespace) -> Iterator[dict]:
    for size in arguments.draws:
        for scenario, target in SETTINGS:
            draw = partial(draw_gaussian, size=size, fresh=arguments.fresh, scenario=scenario, target=target)
            runs = [
                measure(draw(alpha, seed=seed), target=target, seed=seed)
                for alpha in arguments.alphas
                for seed in range(arguments.seeds)
            ]
            yield summarise(f"Gaussian {size[0]}/{size[1]}, {scenario}, {target}", runs)


def measure_fits(arguments: Namespace) -> Iterator[dict]:
    if arguments.data is None and not arguments.quick:
        return
    with data_directory(arguments, write_fashion, write_spam) as directory:
        for name, load in LOADERS.items():
            size, population = arguments.sizes[name], load(directory)
            fits = [fit_angular(population, size=size, seed=seed) for seed in range(arguments.fits)]
            runs = [measure(fit, target="population", seed=seed) for seed, fit in enumerate(fits)]
            held = fits[0].held
            yield summarise(f"AngularPU on {name}, {len(held.score_pos)}/{len(held.score_unl)} held out", runs)


def show(row: dict) -> None:
    keys = ("known", "worst", "estimated", "share_error", "chance")
    numbers = [f"{row[key]:.3f}" for key in keys]
    print_row(row["scores"], row["runs"], *numbers, "yes" if row["met"] else "NO")


if __name__ == "__main__":
    main()
