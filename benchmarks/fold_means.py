"""What the mean of the folds' networks does to decisions and to time, beside one network trained again on all rows.

    python benchmarks/fold_means.py --data DIR [--seeds 4] [--json]
    python benchmarks/fold_means.py --quick

AngularPU with default settings, five folds, the true prior given: two ten-dimensional Gaussians 2.83 apart (100 of
1,000 rows labelled), spam (200 of 2,601) and Fashion-MNIST (300 of 3,000). "refit" is one network trained on all rows,
"mean" the mean of the folds' networks, "mean, as it came" the same mean with out-of-fold scores that were not brought
to its spread. F1 is that of the cut by pu-f1. "covered" is how often the 90 % interval of recall=0.8, 0.9 and 0.95
holds the recall of the test rows, "above" and "below" how often that lies beyond it; "error" is the recall stated minus
that of the test rows. ECE and Brier score are those of predict_proba. Test rows: 10,000, 2,000 and 10,000.

Seconds of the processor, on one thread, compare five folds with five folds and one more training; the folds side by
side on two cores are compared with one fold by the clock, which means little while the machine does anything else.
"""

import json
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from command_line import make_parser, parse, print_header, print_row
from decisions import draw_gaussians
from small_files import data_directory, write_fashion, write_spam
from trial_data import Population, Size, load_fashion, load_spam

from angularpu import AngularPUClassifier, Truth
from angularpu.data.assembly import subset
from angularpu.data.sources import as_rows
from angularpu.methods.fitted import Fitted, score_in_blocks
from angularpu.metrics.calibration import expected_calibration_error
from angularpu.metrics.evaluation import evaluate
from angularpu.scenario.proportions import Proportions
from angularpu.scenario.sample import PUSample
from angularpu.scenario.split import plan_validation
from angularpu.train.cross_fitted import Folds, join
from angularpu.train.fold_mean import FoldMean

LOADERS = {"Gaussians": draw_gaussians, "spam": load_spam, "Fashion-MNIST": load_fashion}
SIZES = {
    "Gaussians": Size(100, (1_000, 0, 10_000)),
    "spam": Size(200, (2_601, 0, 2_000)),
    "Fashion-MNIST": Size(300, (3_000, 0, 10_000)),
}
QUICK_SIZES = {name: Size(30, (150, 0, 100), epochs=2) for name in SIZES}
TARGETS = ("recall=0.8", "recall=0.9", "recall=0.95")
KINDS = ("refit", "mean", "mean, as it came")
FIGURES = ("auc", "best_f1", "f1", "covered", "above", "below", "error", "ece", "brier")
FULL = {"seeds": 4, "sizes": SIZES, "rows": 20_000, "epochs": 30}
QUICK = {"seeds": 1, "sizes": QUICK_SIZES, "rows": 200, "epochs": 2}


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--seeds", type=int)
    arguments = parse(parser, full=FULL, quick=QUICK)
    torch.set_num_threads(1)
    rows = []
    with data_directory(arguments, write_fashion, write_spam) as directory:
        for name, load in LOADERS.items():
            population = load(directory)
            for seed in range(arguments.seeds):
                runs = try_both(population, size=arguments.sizes[name], seed=seed)
                rows += [{"data": name, "seed": seed, **run} for run in runs]
    times = time_cores(arguments.rows, epochs=arguments.epochs)
    if arguments.json:
        print(json.dumps({"decisions": rows, "times": times}, indent=1))
    else:
        show(rows, times)


def try_both(population: Population, *, size: Size, seed: int) -> Iterator[dict[str, Any]]:
    """Fit both kinds on the same labels, and measure them on the test rows."""
    rng = np.random.default_rng(seed)
    train, _, test = population.split(size.rows, rng=rng)
    sample, alpha = train.sample(size.labelled, rng=rng)
    prior = Proportions(sample.n_pos, sample.n_unl, sample.scenario, alpha).prior
    for kind, refit in (("refit", True), ("mean", False)):
        model = AngularPUClassifier(validation="folds", refit=refit, prior=prior, epochs=size.epochs, random_state=seed)
        started = time.process_time()
        fitted = model.fit(sample).fitted_
        seconds = time.process_time() - started
        yield {"kind": kind, "seconds": seconds, **measure(fitted, test)}
        if not refit:
            yield {"kind": KINDS[2], "seconds": seconds, **measure(undo_spread(fitted, sample, seed=seed), test)}


def undo_spread(fitted: Fitted, sample: PUSample, *, seed: int) -> Fitted:
    """Return a mean whose out-of-fold scores are those of single models on the common scale."""
    plan = plan_validation(sample, rng=np.random.default_rng([seed, 0]), validation="folds")
    folds, mean = Folds.of(sample, plan.splits), fitted.scorer
    assert isinstance(mean, FoldMean)
    held = []
    for rows, model, scale in zip(folds.held, mean.models, mean.scales, strict=True):
        scores = (score_in_blocks(model, subset(sample.rows, index), preparation=fitted.preparation) for index in rows)
        held.append(tuple(scale.apply(score) for score in scores))
    pos, unl = (scores.astype(np.float32) for scores in join(held, folds))
    return replace(fitted, held=replace(fitted.held, score_pos=pos, score_unl=unl))


def measure(fitted: Fitted, test: Population) -> dict[str, float]:
    """Return what its decisions come to on rows that it has not seen."""
    score = fitted.score(as_rows(test.x))
    cut = fitted.decide("pu-f1")
    found = evaluate(Truth(test.y), score, threshold=cut.decision.threshold)
    chance = cut.probability(score)
    decisions = [fitted.decide(rule).decision for rule in TARGETS]
    recalls = [float((score[test.y == 1] > decision.threshold).mean()) for decision in decisions]
    pairs = list(zip(decisions, recalls, strict=True))
    above = np.mean([recall > decision.recall_high for decision, recall in pairs])
    below = np.mean([recall < decision.recall_low for decision, recall in pairs])
    return {
        "auc": found["auc"],
        "best_f1": found["best_f1"],
        "f1": found["f1"],
        "covered": float(1 - above - below),
        "above": float(above),
        "below": float(below),
        "error": float(np.mean([decision.recall - recall for decision, recall in pairs])),
        "ece": expected_calibration_error(test.y, chance),
        "brier": float(np.mean((chance - test.y) ** 2)),
    }


def time_cores(n: int, *, epochs: int) -> dict[str, float]:
    """Return the seconds on the clock of one fold, and of five folds on two cores."""
    population = draw_gaussians(Path())
    rng = np.random.default_rng(0)
    (train,) = population.split((n,), rng=rng)
    sample, _ = train.sample(min(999, n // 8), rng=rng)
    seconds = []
    for threads in (1, 2):
        torch.set_num_threads(threads)
        started = time.perf_counter()
        AngularPUClassifier(validation="folds", patience=100, epochs=epochs, prior=0.4).fit(sample)
        seconds.append(time.perf_counter() - started)
    torch.set_num_threads(1)
    return {"one fold": seconds[0] / 5, "two cores": seconds[1]}


def show(rows: list[dict[str, Any]], times: dict[str, float]) -> None:
    """Print the decisions, then the times."""
    print_header("data set", "fits", "scored by", *FIGURES)
    for name in (*LOADERS, "mean"):
        for kind in KINDS:
            chosen = [row for row in rows if row["kind"] == kind and name in (row["data"], "mean")]
            means = {figure: np.mean([row[figure] for row in chosen]) for figure in FIGURES}
            numbers = [f"{means[figure]:{'+' if figure == 'error' else ''}.3f}" for figure in FIGURES]
            print_row(f"**{name}**" if name == "mean" else name, len(chosen), kind, *numbers)
    print()
    print_header("data set", "seconds, refit", "seconds, mean", "mean / refit")
    for name in LOADERS:
        refit, mean = (
            sum(row["seconds"] for row in rows if (row["data"], row["kind"]) == (name, kind)) for kind in KINDS[:2]
        )
        print_row(name, f"{refit:.1f}", f"{mean:.1f}", f"{mean / refit:.2f}")
    print()
    print_header("seconds of one fold", "of five folds on two cores", "ratio")
    ratio = times["two cores"] / times["one fold"]
    print_row(f"{times['one fold']:.1f}", f"{times['two cores']:.1f}", f"{ratio:.2f}")


if __name__ == "__main__":
    main()
