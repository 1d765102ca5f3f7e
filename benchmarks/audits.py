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
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from audit_heaps import LOADERS, Heap, fit_heap, load_features
from command_line import make_parser, parse, print_header, print_row
from small_files import data_directory, write_spam
from trial_data import LABELLED

from angularpu.audit.answers import Answers
from angularpu.audit.cells import Cells, count_cells
from angularpu.audit.choice import find_cut
from angularpu.audit.curve import draw_base, fit_correction
from angularpu.audit.draw import Audit, draw_rows
from angularpu.audit.estimates import Estimates, Known, estimate
from angularpu.audit.labelling import check_answers
from angularpu.decide.calibrate import Calibration, fit_calibration
from angularpu.decide.decision import Decision
from angularpu.decide.default import decide_again
from angularpu.decide.rules import parse_rule
from angularpu.metrics.ranking import auc

FIGURES = ("alpha", "precision", "recall", "f1")
NOBODY = Known(0, 0, 0)
COVERAGE, WIDTH = 0.86, 0.8
CHOSEN = 50
CHOSEN_AUDITS = 200
GRID = 0.02


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
    "labelled": {"spam": 30},
    "sets": "spam",
    "epochs": 2,
}


def remember(cells: Cells) -> Estimates:
    """Estimate, or take what the same counts gave before."""
    key = (cells.size.tobytes(), cells.n.tobytes(), cells.yes.tobytes(), cells.above.tobytes())
    if key not in KEPT:
        KEPT[key] = estimate(cells, NOBODY)
    return KEPT[key]


KEPT: dict[tuple[bytes, ...], Estimates] = {}
CURVES: dict[tuple[int, float], Calibration] = {}


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
    near = round(alpha / GRID) * GRID  # a curve takes far longer than all else
    if (key := (id(trial), near)) not in CURVES:
        CURVES[key] = draw_base(trial.heap.held, said=trial.decision.alpha, found=near, n=len(answers.y))
    base = CURVES[key]
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
    print()
    print_header("n", *(f"{name}, half the width (median)" for name in FIGURES))
    for n in sorted({row["n"] for row in rows}):
        widths = {name: [row[f"{name} width"] / 2 for row in rows if row["n"] == n] for name in FIGURES}
        print_row(n, *(f"{np.median(found):.3f}" for found in widths.values()))


def audit_once(name: str, trial: Trial) -> list[tuple]:
    """Return what one audit of fifty rows says of the share of positives and of the precision, and the truth."""
    audit = trial.draw(CHOSEN, 0)
    answers = Answers(audit, trial.heap.y[audit.row].astype(np.int8))
    at = int(np.flatnonzero(audit.cut == trial.decision.threshold)[0])
    found, truth = estimate(count_cells(answers, at), NOBODY), trial.truth(trial.decision.threshold)
    said = {"alpha": trial.decision.alpha, "precision": trial.decision.unlabelled_precision}
    estimates = {figure: getattr(found, figure) for figure in said}
    return [
        (name, figure, truth[figure], said[figure], each.value, each.low, each.high)
        for figure, each in estimates.items()
    ]


def draw_picture(path: Path, rows: list[tuple]) -> None:
    """Save what one audit of fifty rows says of each set, beside P and U alone and the truth."""
    from angularpu.figures.picture import Picture, save_picture
    from angularpu.figures.style import NEGATIVE, POSITIVE, THRESHOLD

    def draw(canvas) -> None:
        panels = canvas.subplots(1, 2, sharey=True)
        titles = {"alpha": "share of positives", "precision": "precision at the threshold"}
        for axes, figure in zip(panels, titles, strict=True):
            names, _, truth, said, value, low, high = zip(*(row for row in rows if row[1] == figure), strict=True)
            place = np.arange(len(names))
            axes.hlines(place, low, high, color=POSITIVE, linewidth=3, alpha=0.5)
            axes.plot(value, place, "o", color=POSITIVE, label="fifty answers, 90 % interval")
            axes.plot(said, place, "x", color=NEGATIVE, label="no answers: P and U alone")
            axes.plot(truth, place, "|", color=THRESHOLD, markersize=14, label="truth")
            axes.set(xlim=(0, 1.02), xlabel=titles[figure])
            axes.set_yticks(place, names)
        panels[0].invert_yaxis()
        handles, labels = panels[0].get_legend_handles_labels()
        canvas.legend(handles, labels, loc="outside upper center", ncols=3)

    columns = ("data", "figure", "truth", "P and U alone", "answers", "low", "high")
    save_picture(Picture(path.stem, "What fifty answers buy.", (8, 3.8), draw, columns, rows), path.parent)


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--features", type=Path, help="CIFAR-10's frozen features of the training images, .npy")
    parser.add_argument("--sets", metavar="NAMES", help="of spam, letter, Alzheimer and 20 Newsgroups; commas between")
    parser.add_argument("--audits", type=int)
    parser.add_argument("--picture", type=Path)
    arguments = parse(parser, full=FULL, quick=QUICK)
    rows, shown = [], []
    if not arguments.json:
        print_header("data set", "alpha", "AUC", "n", *FIGURES, "chosen", "false alarms", "alpha off, P and U / audit")
    with data_directory(arguments, write_spam) as directory:
        populations = {name: LOADERS[name](directory) for name in arguments.sets.split(",") if name}
        if arguments.features is not None:
            populations["CIFAR-10"] = load_features(directory, arguments.features)
    for name, population in populations.items():
        heap = fit_heap(population, labelled=arguments.labelled[name], epochs=arguments.epochs)
        for alpha in arguments.alphas:
            trial = prepare(heap, alpha)
            if alpha in (0.1, 0.3):
                shown += audit_once(f"{name}, {alpha:g}", trial)
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


if __name__ == "__main__":
    main()
