"""What holds and what does not: every claim of the paper, judged by our runs."""

from collections.abc import Sequence

import numpy as np

from angularpu.report.finding import Finding, Gain, bound_mean, judge_parts, measure_gain, settle
from angularpu.report.names import PARAMETER_NAMES, name_dataset, name_method, order_datasets
from angularpu.report.results import Results
from angularpu.report.section import Evidence, Section
from angularpu.report.sections.geometry import COSINE, DISTANCE
from angularpu.report.sections.sizes import SCALE, SCARCITY, count, fit_exponent
from angularpu.report.table import Cell, Table

TITLE = "What holds and what does not"
OURS, NAIVE = "angular", "naive"
CONTRASTIVE = ("punce", "pico", "wconpu")
LINEAR = 1.1  # the largest power of n that is still called linear
STABLE = 0.02  # the widest range of AUC that is still called stable
FEWEST = 3  # data sets with several seeds, below which deviations over seeds are not compared
NOTE = (
    "Each claim of the paper against the runs below. Differences are paired by draw of labels and averaged within "
    "every data set; the interval is the 95 % bootstrap interval of their mean over data sets, and a claim holds or "
    "its opposite does when that interval leaves zero out. With three data sets an interval says little more than "
    "that all three agree; how many seeds stand behind each number is in the tables. Our tracks are not the paper's "
    "setting: what holds on frozen features, tables and text at these budgets need not hold for its fine-tuned "
    "networks, nor the other way round."
)


def make_section(evidence: Evidence) -> Section:
    """Make the table of claims."""
    rows = tuple((Cell(f.claim), Cell(f.verdict, bold=True), Cell(f.evidence or "-")) for f in list_findings(evidence))
    return Section(TITLE, [NOTE, Table("The paper's claims", ("claim", "these runs say", "numbers"), rows)])


def list_findings(evidence: Evidence) -> list[Finding]:
    """Judge all claims, those of one experiment together."""
    results = evidence.results.finished
    ablation, geometry, sensitivity, scarcity, scale = (
        results.where(kind=kind) for kind in ("ablation", "geometry", "sensitivity", "scarcity", "scale")
    )
    main = results.where(spec="main")  # other specs of this kind are other tracks
    return [
        settle("The regulariser helps AUC and AP", _gains(ablation, "no-regulariser", AUC="auc", AP="ap")),
        settle("The weights help F1", _gains(ablation, "no-weights", oracle="f1_oracle", PU_valid="f1_pu")),
        settle(
            "Dispersion on U alone beats dispersion on all rows",
            _gains(ablation, "regulariser-on-all", AUC="auc", AP="ap"),
        ),
        settle("Cosine beats L2", _compare_geometry(geometry)),
        _judge_normalisation(geometry),
        _judge_peak(sensitivity, "lambda_", claim="λ peaks near 0.5", best=(0.25, 0.5, 0.75)),
        _judge_peak(sensitivity, "kappa", claim="κ is best from 3 to 5", best=(3.0, 5.0)),
        _judge_peak(sensitivity, "margin", claim="A fixed margin is best near 0.5", best=(0.3, 0.5, 0.7)),
        settle("Decisions lean to recall", _lean(main)),
        _judge_linear(scale),
        _judge_dimension(sensitivity),
        _judge_scarcity(scarcity),
        _judge_priors(sensitivity),
        _judge_seeds(main),
    ]


def _gains(ablation: Results, without: str, **figures: str) -> dict[str, Gain | None]:
    """Compare the full model with one that lacks a part."""
    full, less = ablation.where(variant="full"), ablation.where(variant=without)
    return {name.replace("_", "-"): measure_gain(full, less, figure=figure) for name, figure in figures.items()}


def _compare_geometry(geometry: Results) -> dict[str, Gain | None]:
    pairs = {"as published": (COSINE, DISTANCE)}
    pairs |= {f"L2 with scale {s}": (COSINE, f"{DISTANCE}-scale{s}") for s in ("0.1", "0.01")}
    pairs["both with the chosen epoch"] = (f"{COSINE}-chosen", f"{DISTANCE}-chosen")
    return {
        f"AP, {name}": measure_gain(*(geometry.where(label=label) for label in both), figure="ap")
        for name, both in pairs.items()
    }


def _judge_normalisation(geometry: Results) -> Finding:
    claim = "L2 with rows normalised at evaluation narrows the gap to cosine"
    parts = {}
    for dataset in order_datasets(geometry.distinct("dataset")):
        here = geometry.where(dataset=dataset)
        cosine, plain, normal = (
            here.where(label=label).values("ap") for label in ("COS-BCE-Mlearn", "L2-BCE-Rlearn", "L2-BCE-Rlearn-N")
        )
        if len(cosine) and len(plain) and len(normal):
            before, after = (float(cosine.mean() - other.mean()) for other in (plain, normal))
            text = f"cosine minus L2 in AP {before:+.4f} as trained, {after:+.4f} normalised"
            parts[name_dataset(dataset)] = (before > 0 and after < before, text)
    return judge_parts(claim, parts)


def _judge_peak(sensitivity: Results, parameter: str, *, claim: str, best: Sequence[float]) -> Finding:
    """Look where AUC is highest, and what the claimed values lose to that."""
    name = PARAMETER_NAMES[parameter]
    parts = {}
    for dataset, (curve, deviation) in _curves(sensitivity, parameter).items():
        top = max(curve, key=lambda value: curve[value])
        claimed = max((value for value in curve if value in best), key=lambda value: curve[value], default=None)
        if claimed is None:
            continue
        low = min(curve.values())
        text = f"best AUC {curve[top]:.4f} at {name} = {top:g}, worst {low:.4f}"
        if top not in best:
            text += f", {curve[claimed]:.4f} at {claimed:g}"
        if deviation > 0:
            text += f" (seeds deviate by {deviation:.4f})"
        parts[dataset] = (top in best, text)
    return judge_parts(claim, parts)


def _curves(sensitivity: Results, parameter: str) -> dict[str, tuple[dict[float, float], float]]:
    """Return the mean AUC at every value of a setting and how seeds deviate there, data set by data set."""
    rows = sensitivity.where(parameter=parameter)
    curves = {}
    for dataset in order_datasets(rows.distinct("dataset")):
        here = rows.where(dataset=dataset)
        aucs = {row.value: here.where(variant=row.variant).values("auc") for row in here}
        means = {value: float(auc.mean()) for value, auc in sorted(aucs.items()) if len(auc)}
        spreads = [float(auc.std(ddof=1)) for auc in aucs.values() if len(auc) > 1]
        curves[name_dataset(dataset)] = means, float(np.mean(spreads)) if spreads else 0.0
    return curves


def _lean(main: Results) -> dict[str, Gain | None]:
    """Measure recall minus precision of our method at both cuts."""
    gains: dict[str, Gain | None] = {}
    for cut, name in (("oracle", "recall minus precision, oracle cut"), ("pu", "PU-valid cut")):
        lean = {}
        for dataset in order_datasets(main.where(label=OURS).distinct("dataset")):
            own = main.where(label=OURS, dataset=dataset)
            recall, precision = (own.values(f"{figure}_{cut}") for figure in ("recall", "precision"))
            if len(recall) and len(precision):
                lean[dataset] = float(recall.mean() - precision.mean())
        gains[name] = Gain(lean, *bound_mean(list(lean.values()))) if lean else None
    return gains


def _judge_linear(scale: Results) -> Finding:
    parts = {}
    for method in scale.distinct("method"):
        own = scale.where(method=method)
        power = fit_exponent(own, SCALE)
        if np.isfinite(power):
            parts[name_method(method)] = (power <= LINEAR, f"time grows like n to the {power:.2f}")
    return judge_parts("Training scales linearly in the unlabelled rows", parts)


def _judge_dimension(sensitivity: Results) -> Finding:
    parts = {}
    for dataset, (curve, _) in _curves(sensitivity, "d").items():
        low, high = min(curve), max(curve)
        if low < high:
            parts[dataset] = (
                curve[high] > curve[low],
                f"AUC {curve[low]:.4f} at d = {low:g}, {curve[high]:.4f} at {high:g}",
            )
    return judge_parts("It helps most in high dimension (of the sphere)", parts)


def _judge_scarcity(scarcity: Results) -> Finding:
    """See whether the gain over naive is greatest where labelled positives are fewest."""
    parts = {}
    for dataset in order_datasets(scarcity.distinct("dataset")):
        here = scarcity.where(dataset=dataset)
        gains = {}
        for n in sorted({count(row, SCARCITY) for row in here}):
            at = Results(tuple(row for row in here if count(row, SCARCITY) == n))
            gain = measure_gain(at.where(method=OURS), at.where(method=NAIVE), figure="auc")
            if gain is not None:
                gains[n] = gain.mean
        if len(gains) > 1:
            text = ", ".join(f"{gain:+.4f} with {n:.0f}" for n, gain in gains.items())
            first = gains[min(gains)]
            parts[name_dataset(dataset)] = (first > 0 and first == max(gains.values()), f"AUC over naive {text}")
    return judge_parts("It helps most with few labelled positives", parts)


def _judge_priors(sensitivity: Results) -> Finding:
    parts = {}
    for dataset, (curve, _) in _curves(sensitivity, "alpha").items():
        span = max(curve.values()) - min(curve.values())
        text = ", ".join(f"{auc:.4f} at {alpha:g}" for alpha, auc in curve.items())
        parts[dataset] = (span <= STABLE, f"AUC {text}")
    return judge_parts(f"It is stable across class priors (AUC within {STABLE:g})", parts)


def _judge_seeds(main: Results) -> Finding:
    """Compare the deviation of AUC over seeds, averaged over data sets."""
    ours = _spreads(main, OURS)
    parts = {}
    for method in CONTRASTIVE:
        theirs = _spreads(main, method)
        shared = sorted(ours.keys() & theirs.keys())
        if len(shared) >= FEWEST:
            own, other = (float(np.mean([spread[name] for name in shared])) for spread in (ours, theirs))
            text = f"mean deviation {own:.4f} against {other:.4f} over {len(shared)} data sets"
            parts[f"against {name_method(method)}"] = (own < other, text)
    return judge_parts("Seeds vary less than for contrastive rivals", parts)


def _spreads(main: Results, method: str) -> dict[str, float]:
    """Return the deviation of AUC over seeds in every data set that has several."""
    own = main.where(label=method)
    values = {dataset: own.where(dataset=dataset).values("auc") for dataset in own.distinct("dataset")}
    return {dataset: float(auc.std(ddof=1)) for dataset, auc in values.items() if len(auc) > 1}
