"""Whether figures that rest on an estimated share of positives keep what they say, from no overlap to nearly all.

    python benchmarks/bounds.py [--draws 3] [--checks 100] [--picture FILE.svg] [--json]
    python benchmarks/bounds.py --data DIR [--features CIFAR.npy] [--json]
    python benchmarks/bounds.py --quick

Synthetic scores are Gaussian, positives `apart` above negatives, so the density ratio is known; with `twins` that share
of the negatives scores as positives do, which no check of P and U can see. With --data, real scores: out of fold,
logistic regression or extra trees of P against U, three draws of 4000 rows and of 200 labels (or half of the
positives); U is thinned to the alphas. One-sample, target population.

Verdicts, --checks draws: how often the check gives each. "excess" is q_U/q_P over the best half of the positives, as a
multiple of alpha; the bound counts as truly reached up to 1.15. Ranges, --draws draws: how often the stated range holds
the true precision, and its mean width. The bound's interval: how often it holds the bound itself, the true q_U/q_P at
BBE's cut. Fits at chance level state nothing and are left out. Needed: ranges hold the truth in .90 at least, the
bound's interval in .85 to .97.
"""

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from audit_heaps import LOADERS, load_features, thin_rows
from bounds_law import Law
from command_line import make_parser, parse, print_header, print_row
from scipy.stats import norm
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler
from small_files import data_directory, write_spam
from trial_data import Population

from angularpu.decide.decision import Decision
from angularpu.decide.held_out import HeldOut
from angularpu.decide.plateau import find_plateau
from angularpu.decide.rules import parse_rule
from angularpu.errors import BoundError
from angularpu.fit.out_of_fold import score_out_of_fold
from angularpu.priors.bbe import estimate_bbe

RULES = (
    *("pu-f1", "recall=0.9,prior=bbe", "precision=0.9,bound=accept", "prior=bbe", "proxy-accuracy"),
    *("lee-liu,prior=bbe", "pu-f1,target=unlabelled"),
)
VERDICTS = ("reached", "not reached", "cannot tell", "chance")
TOLERANCE = 1.15
TWINS = ((0.3, 4.0, 0.1), (0.3, 4.0, 0.3))
FULL = {
    "draws": 3,
    "checks": 100,
    "check_sizes": ((50, 2000), (50, 10_000), (200, 2000), (200, 10_000), (1000, 2000), (1000, 10_000)),
    "sizes": ((50, 2000), (200, 2000), (1000, 4000)),
    "alphas": (0.02, 0.1, 0.3, 0.6),
    "aparts": (0.25, 0.5, 1.0, 1.5, 2.0, 2.83, 4.0),
    "labels": 3,
    "labelled": 200,
    "rows": 4000,
    "sets": ",".join(LOADERS),
}
QUICK = {
    "draws": 1,
    "checks": 2,
    "check_sizes": ((50, 500),),
    "sizes": ((50, 500),),
    "alphas": (0.3,),
    "aparts": (1.0, 4.0),
    "labels": 1,
    "labelled": 30,
    "rows": 300,
    "sets": "spam",
}


def list_laws(arguments) -> list[Law]:
    plain = [Law(alpha, apart) for alpha in arguments.alphas for apart in arguments.aparts]
    return plain + [Law(*each) for each in TWINS]


def check_verdicts(laws: list[Law], *, sizes: tuple, checks: int) -> Iterator[dict]:
    """Yield how often the check gives each verdict, by size and law."""
    for n_pos, n_unl in sizes:
        for number, law in enumerate(laws):
            rng = np.random.default_rng([n_pos, n_unl, number])
            drawn = (law.draw(n_pos, n_unl, rng=rng) for _ in range(checks))
            seen = [find_plateau(held.score_pos, held.score_unl) for held in drawn]
            yield {
                "n_pos": n_pos,
                "n_unl": n_unl,
                **vars(law),
                "excess": law.excess,
                **{verdict: float(np.mean([each.bound == verdict for each in seen])) for verdict in VERDICTS},
            }


def follow_rules(held: HeldOut) -> Iterator[Decision]:
    """Decide by every rule that states a precision of such scores."""
    for rule in RULES:
        try:
            decision = parse_rule(rule).choose(held)
        except BoundError:  # at chance level precision= has nothing to say
            continue
        if decision.precision is not None:
            yield decision


def make_row(decision: Decision, *, data: str, truth: float, alpha: float) -> dict:
    return {
        "data": data,
        "alpha": alpha,
        "rule": decision.rule,
        "bound": decision.bound,
        "held": decision.precision_low - 1e-9 <= truth <= decision.precision_high + 1e-9,
        "width": decision.precision_high - decision.precision_low,
        "truth": truth,
        "most": decision.precision,
    }


def measure_laws(laws: list[Law], *, sizes: tuple, draws: int) -> Iterator[dict]:
    """Yield one row for every decision: whether its range holds the truth."""
    for n_pos, n_unl in sizes:
        for number, law in enumerate(laws):
            rng = np.random.default_rng([n_pos, n_unl, number, 1])
            for _ in range(draws):
                held = law.draw(n_pos, n_unl, rng=rng)
                bound = min(1.0, law.ratio(estimate_bbe(held.score_pos, held.score_unl).diagnostics["threshold"]))
                for decision in follow_rules(held):
                    truth = law.precision(decision, n_pos=n_pos, n_unl=n_unl)
                    name = "twins" if law.twins else f"apart {law.apart:g}"
                    row = make_row(decision, data=name, truth=truth, alpha=law.alpha)
                    covered = decision.alpha_low <= bound <= decision.alpha_high
                    yield {**row, "n_pos": n_pos, "bound held": covered, "plain": not law.twins}


def measure_real(populations: dict[str, Population], arguments) -> Iterator[dict]:
    """Yield the same rows for out-of-fold scores of real sets."""
    forest = ExtraTreesClassifier(200, min_samples_leaf=3, random_state=0)
    logistic = make_pipeline(MaxAbsScaler(), LogisticRegression(max_iter=300))
    for name, population in populations.items():
        for seed in range(arguments.labels):
            rng = np.random.default_rng(seed)
            kept = np.sort(rng.permutation(len(population.y))[: arguments.rows])
            rows = population.x.take(kept) if hasattr(population.x, "column_names") else population.x[kept]
            labelled = min(arguments.labelled, int(population.y[kept].sum()) // 2)
            sample, _ = Population(rows, population.y[kept]).sample(labelled, rng=rng)
            y = population.y[kept][sample.unl]
            for classifier in (logistic, forest) if sample.rows.kind != "sparse" else (logistic,):
                made = score_out_of_fold(sample, classifier=classifier, seed=seed)
                for alpha in arguments.alphas:
                    yield from _measure_thinned(name, made, y=y, alpha=alpha, n_pos=sample.n_pos)


def _measure_thinned(name: str, made, *, y: np.ndarray, alpha: float, n_pos: int) -> Iterator[dict]:
    thinned = thin_rows(y, alpha, rng=np.random.default_rng(0))
    held = HeldOut(made.score_pos, made.score_unl[thinned], n_pos, len(thinned), "one-sample", "cross-fitted")
    y = y[thinned]
    for decision in follow_rules(held):
        above = held.score_unl > decision.threshold
        known = 0 if "unlabelled" in decision.rule else np.count_nonzero(held.score_pos > decision.threshold)
        truth = (known + y[above].sum()) / max(1, known + np.count_nonzero(above))
        yield make_row(decision, data=name, truth=float(truth), alpha=alpha)


def show_verdicts(rows: list[dict]) -> None:
    print_header("n_P / n_U", "alpha", "apart", "twins", "excess", *VERDICTS)
    for row in rows:
        entries = (f"{row['alpha']:g}", f"{row['apart']:g}", f"{row['twins']:g}", f"{row['excess']:.2f}")
        print_row(f"{row['n_pos']} / {row['n_unl']}", *entries, *(f"{row[verdict]:.2f}" for verdict in VERDICTS))
    print()
    print_header("n_P / n_U", "bound truly", *VERDICTS, "said reached, right", "said not reached, right")
    plain = [row for row in rows if not row["twins"]]
    for size in [*dict.fromkeys((row["n_pos"], row["n_unl"]) for row in plain), None]:
        here = [row for row in plain if size in (None, (row["n_pos"], row["n_unl"]))]
        groups = {True: [], False: []}
        for row in here:
            groups[row["excess"] <= TOLERANCE].append([row[verdict] for verdict in VERDICTS])
        sums = {truth: np.sum(group, axis=0) if group else np.zeros(4) for truth, group in groups.items()}
        right = {"reached": sums[True][0], "not reached": sums[False][1]}
        said = {"reached": sums[True][0] + sums[False][0], "not reached": sums[True][1] + sums[False][1]}
        shares = [f"{right[verdict] / said[verdict]:.3f}" if said[verdict] else "-" for verdict in right]
        for truth, group in groups.items():
            means = [f"{value:.2f}" for value in sums[truth] / max(1, len(group))]
            print_row(
                "all" if size is None else f"{size[0]} / {size[1]}", "reached" if truth else "above", *means, *shares
            )


def show_ranges(rows: list[dict], *, by: str) -> None:
    print()
    parts = [("reached", ("reached",)), ("otherwise", ("not reached", "cannot tell")), ("all", VERDICTS)]
    print_header(by, *(f"{name}: held, width, decisions" for name, _ in parts))
    for value in dict.fromkeys(row[by] for row in rows):
        entries = []
        for _, bounds in parts:
            here = [row for row in rows if row[by] == value and row["bound"] in bounds]
            held, width = (np.mean([row[key] for row in here]) if here else np.nan for key in ("held", "width"))
            entries.append(f"{held:.3f}, {width:.2f}, {len(here)}" if here else "-")
        print_row(value, *entries)


def show_bounds(rows: list[dict]) -> None:
    print()
    first = [row for row in rows if row["rule"] == RULES[1]]
    print_header("n_P", "bound's interval held", "draws")
    for n_pos in dict.fromkeys(row["n_pos"] for row in first):
        here = [row["bound held"] for row in first if row["n_pos"] == n_pos]
        print_row(n_pos, f"{np.mean(here):.3f}", len(here))


def draw_picture(path: Path) -> None:
    """Save what a bound means: U over P, slice by slice, where classes overlap little and much."""
    from angularpu.figures.picture import Picture, save_picture
    from angularpu.figures.style import NEGATIVE, POSITIVE, THRESHOLD

    shares = np.linspace(0.02, 0.9, 45)
    laws = {"little overlap": Law(0.3, 3.0), "much overlap": Law(0.3, 1.0)}
    curves = {name: [law.ratio(float(norm.isf(share, law.apart))) for share in shares] for name, law in laws.items()}

    def draw(canvas) -> None:
        axes = canvas.subplots()
        for (name, curve), colour in zip(curves.items(), (POSITIVE, NEGATIVE), strict=True):
            axes.plot(shares, curve, color=colour, label=f"{name} of the classes")
        axes.axhline(0.3, color=THRESHOLD, linestyle="--", label="the true share of positives")
        axes.set(
            xlabel="share of the positives above the threshold",
            ylabel="share of the unlabelled rows above it,\nover that of the positives",
            ylim=(0, 1),
            xlim=(0, 0.9),
        )
        axes.legend()

    rows = [(name, share, value) for name, curve in curves.items() for share, value in zip(shares, curve, strict=True)]
    columns = ("overlap", "part of the positives", "bound")
    save_picture(
        Picture(path.stem, "A bound that is reached, and one that is not.", (6, 3.6), draw, columns, rows), path.parent
    )


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--draws", type=int)
    parser.add_argument("--checks", type=int)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--features", type=Path, help="CIFAR-10's frozen features of the training images, .npy")
    parser.add_argument("--picture", type=Path)
    arguments = parse(parser, full=FULL, quick=QUICK)
    if arguments.picture is not None:
        draw_picture(arguments.picture)
    result = {}
    if arguments.data is None:
        laws = list_laws(arguments)
        result["verdicts"] = list(check_verdicts(laws, sizes=arguments.check_sizes, checks=arguments.checks))
        result["synthetic"] = list(measure_laws(laws, sizes=arguments.sizes, draws=arguments.draws))
    if arguments.quick or arguments.data is not None:
        with data_directory(arguments, write_spam) as directory:
            populations = {name: LOADERS[name](directory) for name in arguments.sets.split(",") if name}
            if arguments.features is not None:
                populations["CIFAR-10"] = load_features(directory, arguments.features)
        result["real"] = list(measure_real(populations, arguments))
    if arguments.json:
        print(json.dumps(result, indent=1))
    else:
        show(result)


def show(result: dict[str, list[dict]]) -> None:
    """Print all tables."""
    if "verdicts" in result:
        show_verdicts(result["verdicts"])
        plain = [row for row in result["synthetic"] if row["plain"]]
        show_ranges(plain, by="rule")
        show_ranges(result["synthetic"], by="data")
        show_ranges(plain, by="n_pos")
        show_bounds(plain)
    for by in ("data", "rule", "alpha") if "real" in result else ():
        show_ranges(result["real"], by=by)


if __name__ == "__main__":
    main()
