"""How often an audit's 90 % intervals hold the truth, and how wide they are beside those of a simple random sample.

    python benchmarks/audits.py --data DIR --features CIFAR.npy [--audits 500] [--picture FILE.svg] [--json]
    python benchmarks/audits.py --quick

AngularPU with default settings is fitted once on every set, one-sample: spam, letter, Alzheimer, 20 Newsgroups and
20,000 rows of CIFAR-10's frozen features (CIFAR.npy, as `angularpu embed cifar10` writes it for the training images).
Its unlabelled rows are thinned, positives or negatives at random, until a share alpha is positive; pu-f1 with BBE cuts.
Then rows are drawn and answered by the truth again and again. An entry is the coverage of the interval and, in
brackets, its mean width over that of a simple random sample of n rows, whose intervals are made in the same way.
"chosen" is the worst coverage of precision, recall and F1 at the cut that the answers themselves choose (n 50, 200
audits), "false alarms" how often random labels are refuted. Sets with fewer than n rows are left out. Needed: coverage
at least .86; width at most .8 where the AUC is .9 or more and n 50 or more.
"""

import dataclasses
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
from command_line import make_parser, parse, print_header, print_row
from small_files import data_directory, write_newsgroups, write_spam
from trial_data import LABELLED, Population, load_newsgroups, load_spam

from angularpu import AngularPUClassifier, Truth
from angularpu.audit.answers import Answers
from angularpu.audit.cells import Cells, count_cells
from angularpu.audit.choice import find_cut
from angularpu.audit.curve import draw_base, fit_correction
from angularpu.audit.draw import Audit, draw_rows
from angularpu.audit.estimates import Estimates, Known, estimate
from angularpu.audit.labelling import check_answers
from angularpu.data.sources import as_rows
from angularpu.decide.calibrate import Calibration, fit_calibration
from angularpu.decide.decision import Decision
from angularpu.decide.default import decide_again
from angularpu.decide.held_out import HeldOut
from angularpu.decide.rules import parse_rule
from angularpu.metrics.ranking import auc
from angularpu.scenario.one_sample import one_sample
from angularpu_bench.catalogue.datasets import load_dataset

FIGURES = ("alpha", "precision", "recall", "f1")
NOBODY = Known(0, 0, 0)
COVERAGE, WIDTH = 0.86, 0.8
CIFAR_ROWS = 20_000
CHOSEN = 50
CHOSEN_AUDITS = 200


def load_table(name: str) -> Callable[[Path], Population]:
    """Return a loader of a table of the catalogue, both parts together."""

    def load(directory: Path) -> Population:
        found = load_dataset(name, directory)
        x = pa.concat_tables([found.x_train, found.x_test])
        return Population(x, np.concatenate([found.y_train, found.y_test]))

    return load


LOADERS: dict[str, Callable[[Path], Population]] = {
    "spam": load_spam,
    "letter": load_table("letter"),
    "Alzheimer": load_table("alzheimer"),
    "20 Newsgroups": load_newsgroups,
}
FULL = {
    "audits": 500,
    "alphas": (0.02, 0.1, 0.3, 0.6),
    "sizes": (30, 50, 100, 200),
    "labelled": {**LABELLED, "letter": 1000, "Alzheimer": 30, "CIFAR-10": 1000},
    "sets": ",".join(LOADERS),
    "epochs": "preset",
}
QUICK = {
    "audits": 3,
    "alphas": (0.3,),
    "sizes": (30, 50),
    "labelled": {"spam": 30, "20 Newsgroups": 20},
    "sets": "spam,20 Newsgroups",
    "epochs": 2,
}


@dataclass(frozen=True)
class Heap:
    """Unlabelled rows with their truth, as a model has left them."""

    score: np.ndarray
    y: np.ndarray
    held: HeldOut
    held_y: np.ndarray

    def thin(self, alpha: float) -> "Heap":
        """Leave out positives or negatives at random until a share alpha is positive."""
        kept, held_kept = (_thin(y, alpha, rng=np.random.default_rng(0)) for y in (self.y, self.held_y))
        held = dataclasses.replace(self.held, score_unl=self.held.score_unl[held_kept], n_unl=len(kept))
        return Heap(self.score[kept], self.y[kept], held, self.held_y[held_kept])


def _thin(y: np.ndarray, alpha: float, *, rng: np.random.Generator) -> np.ndarray:
    pos, neg = rng.permutation(np.flatnonzero(y == 1)), rng.permutation(np.flatnonzero(y == 0))
    n_pos = min(len(pos), max(1, round(alpha / (1 - alpha) * len(neg))))
    n_neg = min(len(neg), max(1, round((1 - alpha) / alpha * n_pos)))
    return np.sort(np.concatenate([pos[:n_pos], neg[:n_neg]]))


def fit_heap(population: Population, *, labelled: int, epochs: int | str) -> Heap:
    sample, truth = one_sample(
        as_rows(population.x), Truth(population.y), n_labelled=labelled, rng=np.random.default_rng(0)
    )
    fitted = AngularPUClassifier(random_state=0, epochs=epochs).fit(sample).fitted_
    score = fitted.score(sample.rows)[sample.unl]
    return Heap(score, truth.y[sample.unl], fitted.held, truth.y[fitted.held_rows[1]])


def remember(cells: Cells) -> Estimates:
    """Estimate, or take what the same counts gave before."""
    key = (cells.size.tobytes(), cells.n.tobytes(), cells.yes.tobytes(), cells.above.tobytes())
    if key not in KEPT:
        KEPT[key] = estimate(cells, NOBODY)
    return KEPT[key]


KEPT: dict[tuple[bytes, ...], Estimates] = {}


@dataclass(frozen=True)
class Trial:
    """A heap with its PU decision and PU curve."""

    heap: Heap
    decision: Decision
    curve: Calibration

    def draw(self, n: int, seed: int) -> Audit:
        """Draw rows as the command does."""
        heap, cut = self.heap, self.decision.threshold
        chance = self.curve.apply(heap.score)
        return draw_rows(heap.score, chance, cut=cut, n=n, seed=seed, model=heap.held.fingerprint())

    def truth(self, cut: float) -> dict[str, float]:
        """Return the true figures of a cut."""
        above, y = self.heap.score > cut, self.heap.y
        hits, called, positives = int(y[above].sum()), int(above.sum()), int(y.sum())
        precision = hits / max(1, called)
        values = (positives / len(y), precision, hits / positives, 2 * hits / (called + positives))
        return dict(zip(FIGURES, values, strict=True))

    def sample_simply(self, n: int, *, rng: np.random.Generator) -> Estimates:
        """Estimate from a simple random sample: alpha as one cell, all else by the side of the cut."""
        above, y = self.heap.score > self.decision.threshold, self.heap.y
        drawn = rng.choice(len(y), size=n, replace=False)

        def count(side: np.ndarray) -> Cells:
            bins = int(side.max()) + 1
            size, seen = np.bincount(side, minlength=bins), np.bincount(side[drawn], minlength=bins)
            yes = np.bincount(side[drawn], weights=y[drawn], minlength=bins).astype(np.int64)
            overall = np.full(bins, y[drawn].mean())
            return Cells(size, seen, yes, np.zeros(bins, np.int64), np.arange(bins) == bins - 1, overall)

        alpha = remember(count(np.zeros(len(y), np.int64))).alpha
        return dataclasses.replace(remember(count(above.astype(np.int64))), alpha=alpha)


def prepare(heap: Heap, alpha: float) -> Trial:
    thinned = heap.thin(alpha)
    decision, _ = decide_again("pu-f1", thinned.held, prior="bbe", alpha=None)
    return Trial(thinned, decision, fit_calibration(thinned.held, decision.alpha, target="unlabelled"))


def measure(trial: Trial, n: int, *, audits: int) -> dict[str, object]:
    """Draw and answer audits; return coverage and widths of every figure."""
    truth = trial.truth(trial.decision.threshold)
    seen: dict[str, list[tuple[float, float, float]]] = {name: [] for name in FIGURES}
    chosen, alarms, errors = [], [], []
    first = trial.draw(n, 0)
    for seed in range(audits):
        audit = redraw(first, trial.heap.score, seed)
        answers = Answers(audit, trial.heap.y[audit.row].astype(np.int8))
        at = int(np.flatnonzero(audit.cut == trial.decision.threshold)[0])
        found = remember(count_cells(answers, at))
        simple = trial.sample_simply(n, rng=np.random.default_rng([seed, 1]))
        for name in FIGURES:
            one, other = getattr(found, name), getattr(simple, name)
            held = one.low - 1e-12 <= truth[name] <= one.high + 1e-12
            # Where nothing of the sample lies above the cut, its interval is as wide as can be.
            seen[name].append((held, one.high - one.low, other.high - other.low if other else 1.0))
        errors.append(abs(found.alpha.value - truth["alpha"]))
        alarms.append(not check_answers(answers, trial.heap.held).holds)
        if n == CHOSEN and seed < CHOSEN_AUDITS:
            chosen.append(check_chosen(trial, answers, alpha=found.alpha.value))
    columns = {name: np.array(found, float).mean(axis=0) for name, found in seen.items()}
    return {
        "n": n,
        **{f"{name} coverage": float(found[0]) for name, found in columns.items()},
        **{f"{name} width": float(found[1]) for name, found in columns.items()},
        **{f"{name} ratio": float(found[1] / found[2]) if found[2] else 1.0 for name, found in columns.items()},
        "chosen": float(np.array(chosen).mean(axis=0).min()) if chosen else None,
        "false alarms": float(np.mean(alarms)),
        "alpha error": float(np.mean(errors)),
        "alpha error by P and U": abs(float(trial.decision.alpha or 0) - truth["alpha"]),
    }


def redraw(audit: Audit, score: np.ndarray, seed: int) -> Audit:
    """Draw anew from the same strata, which depend on no seed."""
    rng = np.random.default_rng(seed)
    drawn = np.bincount(audit.stratum, minlength=len(audit.size))
    row = np.concatenate([rng.choice(np.flatnonzero(audit.member == h), n, replace=False) for h, n in enumerate(drawn)])
    return dataclasses.replace(audit, row=row, number=row + 1, score=score[row])


def check_chosen(trial: Trial, answers: Answers, *, alpha: float) -> list[bool]:
    """Say whether the intervals hold the truth at the cut that the answers choose."""
    edge = 0.5 / len(trial.heap.y)
    rule = parse_rule(f"pu-f1,prior={min(1 - edge, max(edge, alpha))!r}")
    base = draw_base(trial.heap.held, said=trial.decision.alpha, found=alpha, n=len(answers.y))
    correction = fit_correction(answers, base)
    at = find_cut(rule, answers, trial.heap.held, chance=lambda score: correction.apply(base.apply(score)), n_known=0)
    found, truth = estimate(count_cells(answers, at), NOBODY), trial.truth(float(answers.audit.cut[at]))
    estimates = [(getattr(found, name), truth[name]) for name in FIGURES[1:]]
    return [each is None or each.low - 1e-12 <= value <= each.high + 1e-12 for each, value in estimates]


def show(row: dict[str, object]) -> None:
    figures = [f"{row[f'{name} coverage']:.3f} ({row[f'{name} ratio']:.2f})" for name in FIGURES]
    chosen = "" if row["chosen"] is None else f"{row['chosen']:.3f}"
    off = f"{row['alpha error by P and U']:.3f} / {row['alpha error']:.3f}"
    print_row(
        row["data"],
        f"{row['alpha']:g}",
        f"{row['auc']:.3f}",
        row["n"],
        *figures,
        chosen,
        f"{row['false alarms']:.3f}",
        off,
    )


def summarise(rows: list[dict]) -> None:
    """Print which bars are met."""
    print()
    print_header(
        "figure", "least coverage", f"rows below {COVERAGE}", "widest, of a simple sample's", f"rows above {WIDTH}"
    )
    sharp = [row for row in rows if row["auc"] >= 0.9 and row["n"] >= 50]
    for name in FIGURES:
        coverage = [row[f"{name} coverage"] for row in rows]
        ratio = [row[f"{name} ratio"] for row in sharp] or [float("nan")]
        below, wide = sum(c < COVERAGE for c in coverage), sum(r > WIDTH for r in ratio)
        print_row(
            name, f"{min(coverage):.3f}", f"{below} of {len(rows)}", f"{max(ratio):.2f}", f"{wide} of {len(sharp)}"
        )


def draw_picture(path: Path, trials: dict[str, Trial]) -> None:
    """Save what one audit of fifty rows says, beside P and U alone and the truth."""
    from angularpu.figures.picture import Picture, save_picture
    from angularpu.figures.style import NEGATIVE, POSITIVE, THRESHOLD

    rows = []
    for name, trial in trials.items():
        audit = trial.draw(50, 0)
        answers = Answers(audit, trial.heap.y[audit.row].astype(np.int8))
        at = int(np.flatnonzero(audit.cut == trial.decision.threshold)[0])
        found, truth = estimate(count_cells(answers, at), NOBODY), trial.truth(trial.decision.threshold)
        said = {"alpha": trial.decision.alpha, "precision": trial.decision.unlabelled_precision}
        for figure in ("alpha", "precision"):
            each = getattr(found, figure)
            rows.append((name, figure, truth[figure], said[figure], each.value, each.low, each.high))

    def draw(canvas) -> None:
        panels = canvas.subplots(1, 2, sharey=True)
        titles = {"alpha": "share of positives", "precision": "precision at the cut"}
        for axes, figure in zip(panels, titles, strict=True):
            shown = [row for row in rows if row[1] == figure]
            for place, (_, _, truth, said, value, low, high) in enumerate(shown):
                axes.plot([low, high], [place, place], color=POSITIVE, linewidth=3, alpha=0.5)
                axes.plot(
                    [value], [place], "o", color=POSITIVE, label="50 answers, 90 % interval" if not place else None
                )
                axes.plot([said], [place], "x", color=NEGATIVE, label="P and U alone" if not place else None)
                axes.plot([truth], [place], "|", color=THRESHOLD, markersize=14, label="truth" if not place else None)
            axes.set(xlim=(0, 1), xlabel=titles[figure])
            axes.set_yticks(range(len(shown)), [row[0] for row in shown])
        panels[0].invert_yaxis()
        panels[1].legend(loc="lower left", fontsize=8)

    columns = ("data", "figure", "truth", "P and U alone", "answers", "low", "high")
    save_picture(Picture(path.stem, "What fifty answers buy.", (8, 3.6), draw, columns, rows), path.parent)


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--features", type=Path, help="CIFAR-10's frozen features of the training images, .npy")
    parser.add_argument("--sets", metavar="NAMES", help="of spam, letter, Alzheimer and 20 Newsgroups; commas between")
    parser.add_argument("--audits", type=int)
    parser.add_argument("--picture", type=Path)
    arguments = parse(parser, full=FULL, quick=QUICK)
    rows, shown = [], {}
    if not arguments.json:
        print_header("data set", "alpha", "AUC", "n", *FIGURES, "chosen", "false alarms", "alpha off, P and U / audit")
    with data_directory(arguments, write_spam, write_newsgroups) as directory:
        populations = {name: LOADERS[name](directory) for name in arguments.sets.split(",") if name}
        if arguments.features is not None:
            populations["CIFAR-10"] = load_features(directory, arguments.features)
    for name, population in populations.items():
        heap = fit_heap(population, labelled=arguments.labelled[name], epochs=arguments.epochs)
        for alpha in arguments.alphas:
            trial = prepare(heap, alpha)
            if alpha in (0.1, 0.3):
                shown[f"{name}, {alpha:g}"] = trial
            area = auc(trial.heap.score[trial.heap.y == 1], trial.heap.score[trial.heap.y == 0])
            for n in (n for n in arguments.sizes if n < len(trial.heap.y)):
                rows.append({"data": name, "alpha": alpha, "auc": area, **measure(trial, n, audits=arguments.audits)})
                if not arguments.json:
                    show(rows[-1])
    if arguments.picture is not None:
        draw_picture(arguments.picture, shown)
    if arguments.json:
        print(json.dumps(rows, indent=1))
        return
    summarise(rows)


def load_features(directory: Path, features: Path) -> Population:
    """Take 20,000 of CIFAR-10's training images as their frozen features: vehicles against animals."""
    y = load_dataset("cifar10", directory).y_train
    kept = np.sort(np.random.default_rng(0).permutation(len(y))[:CIFAR_ROWS])
    return Population(np.load(features, mmap_mode="r")[kept], y[kept])


if __name__ == "__main__":
    main()
