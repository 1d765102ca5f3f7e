"""Whether another allocation of an audit's rows makes the intervals of recall and F1 narrower, and what it costs.

    python benchmarks/audit_allocations.py --data DIR [--sets spam,letter] [--audits 200] [--json]
    python benchmarks/audit_allocations.py --quick

Heaps, cuts, answers and simple random samples are those of audits.py. A row's variance counts by what it adds to the
variance of each figure, measured in that of a simple random sample: with A positives above the cut, B below and C rows
called, recall moves by B/(A + B)^2 for a positive above and by -A/(A + B)^2 for one below, F1 by
2 (C + B)/(C + A + B)^2 and by -2 A/(C + A + B)^2. The allocations:

- today: alpha and precision, chances pulled into [.05, .95];
- all four: alpha, precision, recall and F1, each once; "recall twice": recall counts two times;
- sharper: today's, chances pulled into [.02, .98] only; "all four, sharper": both.
"""

import json
from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

import numpy as np
from audit_heaps import LOADERS, fit_heap
from audits import COVERAGE, FIGURES, FULL, QUICK, WIDTH, Trial, measure, prepare
from command_line import make_parser, parse, print_header, print_row
from small_files import data_directory, write_spam

from angularpu.audit import strata
from angularpu.metrics.ranking import auc

SHARPER = (0.02, 0.98)
Weigh = Callable[[np.ndarray, np.ndarray], np.ndarray]


def weigh_all(p: np.ndarray, above: np.ndarray, *, recall: float = 1.0) -> np.ndarray:
    """Return what a row's variance counts in all four figures."""
    spread = p * (1 - p)
    hits, missed, called = p[above].sum(), p[~above].sum(), np.count_nonzero(above)
    whole, both = hits + missed, called + hits + missed
    slopes = {
        "alpha": (1 / len(p), 1 / len(p)),
        "precision": (1 / max(1, called), 0.0),
        "recall": (missed / whole**2, hits / whole**2),
        "f1": (2 * (called + missed) / both**2, 2 * hits / both**2),
    }
    weight = np.zeros(len(p))
    for name, (up, down) in slopes.items():
        slope = np.where(above, up, down)
        total = float(np.sum(slope**2 * spread))  # of a simple random sample, but for a factor that all four share
        if total > 0:  # nothing lies above the cut, or everything does
            weight += (recall if name == "recall" else 1.0) * slope**2 / total
    return weight


ALLOCATIONS: dict[str, tuple[Weigh, tuple[float, float]]] = {
    "today": (strata._weigh, (strata.LEAST, strata.MOST)),
    "all four": (weigh_all, (strata.LEAST, strata.MOST)),
    "recall twice": (lambda p, above: weigh_all(p, above, recall=2.0), (strata.LEAST, strata.MOST)),
    "sharper": (strata._weigh, SHARPER),
    "all four, sharper": (weigh_all, SHARPER),
}


def compare(trial: Trial, n: int, *, audits: int) -> list[dict]:
    """Measure audits of n rows under every allocation."""
    rows = []
    for name, (weigh, (least, most)) in ALLOCATIONS.items():
        with patch.multiple(strata, _weigh=weigh, LEAST=least, MOST=most):
            rows.append({"allocation": name, **measure(trial, n, audits=audits)})
    return rows


def show(rows: list[dict]) -> None:
    print_header("allocation", *(f"{name}: coverage, least; width" for name in FIGURES), f"entries above {WIDTH}")
    for name in ALLOCATIONS:
        here = [row for row in rows if row["allocation"] == name]
        entries, wide = [], 0
        for figure in FIGURES:
            coverage, ratio = ([row[f"{figure} {what}"] for row in here] for what in ("coverage", "ratio"))
            wide += sum(each > WIDTH for each in ratio)
            entries.append(f"{np.mean(coverage):.3f}, {min(coverage):.3f}; {np.mean(ratio):.2f}")
        print_row(name, *entries, f"{wide} of {len(here) * len(FIGURES)}")
    print(f"\nneeded: coverage {COVERAGE} at least, width {WIDTH} of a simple random sample's at most")


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--sets", metavar="NAMES", help="of spam, letter, Alzheimer and 20 Newsgroups; commas between")
    parser.add_argument("--audits", type=int)
    full = {**FULL, "sets": "spam,letter", "audits": 200, "sizes": (50, 100)}
    arguments = parse(parser, full=full, quick=QUICK)
    rows = []
    with data_directory(arguments, write_spam) as directory:
        populations = {name: LOADERS[name](directory) for name in arguments.sets.split(",")}
    for name, population in populations.items():
        heap = fit_heap(population, labelled=arguments.labelled[name], epochs=arguments.epochs)
        for alpha in arguments.alphas:
            trial = prepare(heap, alpha)
            area = auc(trial.heap.score[trial.heap.y == 1], trial.heap.score[trial.heap.y == 0])
            for n in (n for n in arguments.sizes if n < len(trial.heap.y)):
                found = compare(trial, n, audits=arguments.audits)
                rows += [{"data": name, "alpha": alpha, "auc": area, **each} for each in found]
    if arguments.json:
        print(json.dumps(rows, indent=1))
        return
    show(rows)


if __name__ == "__main__":
    main()
