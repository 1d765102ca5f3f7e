"""Networks that learn from the ensemble's own calls, and a guard that should tell when they gain.

    python benchmarks/self_training.py --data DIR --runs RUNS [--sets spam,CIFAR-10]
    python benchmarks/self_training.py --quick

The ensemble's out-of-fold scores call the top alpha of the unlabelled rows positive and the rest negative, alpha by
BBE; a fifth of the smaller part on either side of the cut is left out. Five networks learn from these calls (mixup,
each without its fold), their out-of-fold scores make the next calls, three rounds, each from the start. Then there are
the students, and the mean of students and ensemble ("both").

The guard does the whole of it again five times, each time without one fold of the labelled positives and unlabelled
rows. Neither teacher nor student has seen anything of that fold, so the two are compared on it by labels alone: PU-AUC;
the same with every unlabelled row counted by its chance of being negative; and the part of the positives above the top
alpha of the unlabelled rows. A difference is a mean over the folds, with its standard error over them.

Spambase, letter and Fashion-MNIST (pixels) may choose, CIFAR-10 (frozen features) may not. Results are
in benchmarks/results/self_training.csv, a row a draw; a second run makes what is missing, then prints the table.
"""

import csv
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
import torch
from audit_heaps import load_table
from command_line import print_header, print_row
from further_ideas import Case, load_features, load_pixels, parse_sets
from idea_draw import METRICS, Draw, cross_fit, cross_fit_network, draw_labels, measure
from small_files import data_directory, write_spam
from trial_data import load_spam
from validation import read

from angularpu import files
from angularpu.algorithms.base import PUBatch, Step
from angularpu.algorithms.naive import Naive
from angularpu.losses.logistic import logistic_loss
from angularpu.methods.configure import configure
from angularpu.methods.ensemble import EnsembleMethod, deal_folds
from angularpu.methods.member_weights import find_posterior, weigh, weighted_auc
from angularpu.metrics.pu import pu_auc
from angularpu.priors.bbe import estimate_bbe
from angularpu.scenario.sample import PUSample
from angularpu.train.fold_mean import average

RESULTS = Path(__file__).parent / "results" / "self_training.csv"
MODELS = ("ensemble", "students", "both")
GUARDS = ("pu_auc", "denoised", "recall")
KEY = ("data", "draw")
FIELDS = (
    *KEY,
    *(f"{model} {metric}" for model in MODELS for metric in METRICS),
    *(f"{guard}{end}" for guard in GUARDS for end in ("", " error")),
)
ROUNDS, BAND = 3, 0.2


class Student(Naive):
    """The naive network with mixup: its targets are what the teacher calls its rows."""

    def step(self, batch: PUBatch) -> Step:
        """Return the mean logistic loss of rows mixed with one another, l from Beta(2, 2), at least one half."""
        n = len(batch.x)
        target = (torch.arange(n) < batch.n_pos).to(batch.x.dtype)
        other = torch.randperm(n, generator=batch.generator)
        # The median of three uniform draws follows Beta(2, 2).
        part = float(torch.rand(3, generator=batch.generator).median())
        part = max(part, 1 - part)
        g = self.score(part * batch.x + (1 - part) * batch.x[other])
        mixed = part * target + (1 - part) * target[other]
        loss = batch.reduce((mixed * logistic_loss(g, 1) + (1 - mixed) * logistic_loss(g, -1)).mean())
        return Step(loss, loss)


@dataclass(frozen=True, eq=False)
class Taught:
    """What the ensemble and the students say of the test rows, and the share of positives that the calls rest on."""

    ensemble: np.ndarray
    students: np.ndarray
    alpha: float


def self_train(draw: Draw, members: Sequence[str]) -> Taught:
    """Fit the ensemble, then the students of every round."""
    for name in members:
        draw.hear(name, cross_fit(draw, name))
    held = [draw.voices[name].held for name in members]
    weight = weigh(held, draw.sample).weight
    pos, unl = (weight @ np.stack(part) for part in zip(*held, strict=True))
    alpha = estimate_bbe(pos, unl).alpha
    test = np.empty(0)
    for _ in range(ROUNDS):
        unl, test = teach(draw, unl, alpha=alpha)
    return Taught(draw.mix(members), test, alpha)


def teach(draw: Draw, score: np.ndarray, *, alpha: float) -> tuple[np.ndarray, np.ndarray]:
    """Train five students on the calls of these scores; return their scores of unlabelled rows and of test rows."""
    unl = draw.sample.unl
    count = round(alpha * len(unl))
    band = int(BAND * min(count, len(unl) - count))
    order = unl[np.argsort(-score, kind="stable")]
    called, refused = order[: count - band], order[count + band :]
    kept = np.sort(np.concatenate([draw.sample.pos, called, refused]))
    sample = PUSample(draw.sample.take(kept).rows, (~np.isin(kept, refused)).astype(np.int8), "one-sample")
    folds, _ = deal_folds(sample, seed=draw.seed)
    mean, scores = average(cross_fit_network(replace(draw, sample=sample, folds=folds, voices={}), Student))
    whole = np.zeros(len(draw.sample.s))
    whole[unl] = mean.score(draw.x[unl])  # of the rows near the cut, which no student has learnt from
    whole[kept[sample.pos]], whole[kept[sample.unl]] = scores.join(folds)
    return whole[unl], mean.score(draw.x_test)


def guard(draw: Draw, members: Sequence[str]) -> dict[str, str]:
    """Compare students with their teacher on folds that neither has seen."""
    found = []
    for train, held in draw.folds.splits:
        sample = draw.sample.take(train)
        folds, _ = deal_folds(sample, seed=draw.seed)
        inner = replace(draw, sample=sample, x=draw.x[train], x_test=draw.x[held], folds=folds, voices={})
        found.append(compare(self_train(inner, members), draw.sample.take(held)))
    difference = np.array(found)
    error = difference.std(axis=0, ddof=1) / np.sqrt(len(difference))
    return {
        f"{name}{end}": f"{value:.5f}"
        for end, values in (("", difference.mean(axis=0)), (" error", error))
        for name, value in zip(GUARDS, values, strict=True)
    }


def compare(taught: Taught, held: PUSample) -> list[float]:
    """Return by how much students are better than the ensemble, by each of the guard's measures."""
    pairs = [(score[held.pos], score[held.unl]) for score in (taught.ensemble, taught.students)]
    negative = 1 - find_posterior(pairs, held)
    measured = [
        (
            pu_auc(pos, unl),
            weighted_auc(pos, unl, negative),
            float(np.mean(pos > np.quantile(unl, 1 - taught.alpha))),
        )
        for pos, unl in pairs
    ]
    teacher, student = np.array(measured)
    return list(student - teacher)


def list_cases(runs: Path | None) -> dict[str, Case]:
    """Return the data sets of the trial."""
    return {
        "spam": Case(load_spam, True, 200, 2_601, 2_000, 2),
        "letter": Case(load_table("letter"), True, 1_000, 6_000, 8_000, 1),
        "Fashion-MNIST": Case(load_pixels, True, 1_000, 5_000, 10_000, 1),
        "CIFAR-10": Case(partial(load_features, "cifar10", runs), False, 1_000, 5_000, 10_000, 1),
    }


QUICK = {"spam": Case(load_spam, True, 60, 200, 100, 1)}


def run(case: Case, name: str, *, directory: Path, results: Path, epochs: int | None) -> None:
    """Fit what is missing of one data set, a draw at a time, and write it down."""
    population = None
    for seed in range(case.draws):
        rows = read(results)
        if any((row["data"], row["draw"]) == (name, str(seed)) for row in rows):
            continue
        population = population or case.load(directory)
        draw = draw_labels(
            population,
            labelled=case.labelled,
            train=case.train,
            test=case.test,
            seed=seed,
            network={"epochs": epochs} if epochs else {},
        )
        ensemble = configure(method="ensemble", options=draw.network)
        assert isinstance(ensemble, EnsembleMethod)
        members = list(ensemble.choose_members(draw.sample.rows, draw.preparation))
        taught = self_train(draw, members)
        scores = (taught.ensemble, taught.students, (taught.ensemble + taught.students) / 2)
        measured = {
            f"{model} {metric}": f"{value:.5f}"
            for model, score in zip(MODELS, scores, strict=True)
            for metric, value in measure(draw, score).items()
        }
        rows.append({"data": name, "draw": str(seed), **measured, **guard(draw, members)})
        with files.atomic_file(results) as temporary, temporary.open("w", newline="") as file:
            writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)


def show(rows: list[dict[str, str]], cases: dict[str, Case]) -> None:
    """Print what students gain on the test rows, and what the guard says of it, a row a draw."""
    print_header("data set", "may choose", "draw", *MODELS, *(f"guard: {guard}" for guard in GUARDS))
    for row in rows:
        if row["data"] not in cases:
            continue
        base = [float(row[f"ensemble {metric}"]) for metric in METRICS]
        gains = []
        for model in MODELS[1:]:
            auc, f1 = (float(row[f"{model} {metric}"]) - was for metric, was in zip(METRICS, base, strict=True))
            gains.append(f"{auc:+.4f} / {f1:+.3f}")
        said = [f"{float(row[name]):+.4f} ± {float(row[f'{name} error']):.4f}" for name in GUARDS]
        chooses = "yes" if cases[row["data"]].chooses else "no"
        print_row(row["data"], chooses, row["draw"], f"{base[0]:.4f} / {base[1]:.3f}", *gains, *said)


def main() -> None:
    """Make what is missing, one draw after the other, and print."""
    arguments = parse_sets(__doc__)
    cases = QUICK if arguments.quick else list_cases(arguments.runs)
    asked = arguments.sets.split(",") if arguments.sets else list(cases)
    with data_directory(arguments, write_spam) as directory:
        results = directory / RESULTS.name if arguments.quick else RESULTS
        for name in asked:
            run(cases[name], name, directory=directory, results=results, epochs=arguments.epochs)
        show(read(results), {name: cases[name] for name in asked})


if __name__ == "__main__":
    main()
