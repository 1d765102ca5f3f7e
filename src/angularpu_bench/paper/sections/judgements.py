"""Judgements of claims that need more than one difference, each from the results of one experiment."""

from collections.abc import Iterable, Sequence

import numpy as np

from angularpu_bench.paper.finding import (
    AUC_MARGIN,
    EQUAL,
    FAILS,
    FEWEST,
    HOLDS,
    NO_BETTER,
    NO_WORSE,
    NOT_RUN,
    OPEN,
    OPPOSITE,
    PROBABLY,
    Finding,
    Gain,
    judge_all,
    judge_gains,
    judge_parts,
    list_gains,
    make_gain,
    measure_gain,
    pair_draws,
)
from angularpu_bench.paper.published import METHOD_ROWS
from angularpu_bench.paper.sections.sizes import SCALE, SCARCITY, count, fit_exponent
from angularpu_bench.report.names import PARAMETER_NAMES, name_dataset, name_method, order_datasets
from angularpu_bench.report.results import Results

OURS, NAIVE, SUPERVISED = "angular", "naive", "oracle_pn"
CONTRASTIVE = ("punce", "pico", "wconpu")
COMPONENTS = ("no-regulariser", "no-weights", "fixed-margin")
LINEAR = 1.1  # the largest power of n that is called linear
STABLE = 0.02  # the widest range of AUC over priors that is called stable
LITTLE = 0.005  # the largest change of AUC that is called little
RANKED = (("auc", "AUC"), ("ap", "AP"), ("f1_oracle", "F1, oracle threshold"))

AGAINST = {
    HOLDS: "better than",
    NO_WORSE: "no worse than",
    EQUAL: "no difference that matters from",
    NO_BETTER: "no better than",
    OPPOSITE: "worse than",
    OPEN: "unclear against",
}
LEADS = {1: "ahead on most data sets of", -1: "behind on most data sets of"}

Curve = dict[float, float]


def judge_rivals(results: Results, ours: str = OURS) -> Finding:
    """Compare our method with every rival in the paper's main table: AUC judges, the other metrics are told beside."""
    own, texts = results.where(label=ours), []
    judged: dict[str, Gain] = {}
    for metric, name in RANKED:
        gains = {m: measure_gain(own, results.where(label=m), metric=metric) for m in METHOD_ROWS if m != OURS}
        known = {method: gain for method, gain in gains.items() if gain is not None}
        if not known:
            continue
        judged = judged or known
        told = {
            f"{PROBABLY} {words}" if is_likely else words: [
                method for method, gain in known.items() if gain.grade == (verdict, is_likely)
            ]
            for is_likely in (False, True)
            for verdict, words in AGAINST.items()
        }
        told |= {
            words: [method for method, gain in known.items() if side * gain.lead > 0] for side, words in LEADS.items()
        }
        texts.append(f"{name}: {'; '.join(f'{words} {_list(who)}' for words, who in told.items() if who)}")
    return judge_all(judged, ". ".join(texts), others="rivals")


def judge_components(results: Results, full: str) -> Finding:
    """Count the data sets on which the full model is the best of all variants."""
    parts, most = {}, 0
    for metric, name in RANKED:
        best = []
        for dataset in results.distinct("dataset"):
            here = results.where(dataset=dataset)
            means = {
                label: float(values.mean())
                for label in (full, *COMPONENTS)
                if len(values := here.where(label=label).values(metric))
            }
            if len(means) > 1 and full in means:
                best.append(means[full] == max(means.values()))
        if best:
            most = max(most, len(best))
            parts[name] = (all(best), f"the full model is best on {sum(best)} of {len(best)}")
    return judge_parts(parts, n=most, kind="metrics")


def judge_margin(results: Results, full: str) -> Finding:
    """Judge whether AUC with a fixed margin is close to AUC with a trained one."""
    trained, fixed = (results.where(label=label) for label in (full, "fixed-margin"))
    gain = measure_gain(trained, fixed, metric="auc", margin=LITTLE)
    if gain is None:
        return Finding(NOT_RUN, "", 0)
    meaning = {EQUAL: HOLDS, HOLDS: FAILS, OPPOSITE: FAILS}
    verdict = meaning.get(gain.verdict) or (f"{PROBABLY} {meaning[gain.likely]}" if gain.likely in meaning else OPEN)
    evidence = f"AUC, trained minus fixed, {gain}"
    return Finding(verdict, evidence, len(gain.by_dataset), gain, gains={"AUC": gain})


def judge_normalisation(geometry: Results) -> Finding:
    """Judge whether normalising the rows brings the distance closer to the cosine, where the cosine is ahead."""
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
    return judge_parts(parts, n=len(parts))


def judge_weights_by_geometry(geometry: Results) -> Finding:
    """Compare what the weights add to the cosine with what they add to the distance, for both kinds of weights."""
    gains: dict[str, Gain | None] = {}
    details = []
    for told, end in (("greatest at the prototype", ""), ("greatest at the boundary", "-boundary")):
        cosine, distance = (
            measure_gain(geometry.where(label=weighted + end), geometry.where(label=plain), metric="ap")
            for weighted, plain in (("COS-WGH-Mlearn", "COS-BCE-Mlearn"), ("L2-WGH-Rlearn", "L2-BCE-Rlearn"))
        )
        if cosine is None or distance is None:
            continue
        shared = cosine.by_dataset.keys() & distance.by_dataset.keys()
        difference = {name: [cosine.by_dataset[name] - distance.by_dataset[name]] for name in shared}
        gains[f"weights {told}"] = make_gain(difference)
        details.append(f"gain of AP by weights {told}: cosine {cosine.mean:+.4f}, L2 {distance.mean:+.4f}")
    return judge_gains(gains, details=details)


def judge_peak(sensitivity: Results, parameter: str, *, best: Sequence[float]) -> Finding:
    """Compare AUC at the claimed value, or its mean over the claimed ones, with AUC at every other, draw by draw."""
    rows, name = sensitivity.where(parameter=parameter), PARAMETER_NAMES[parameter]
    by_value = {
        value: Results(tuple(row for row in rows if row.value == value)).by_draw("auc")
        for value in sorted({row.value for row in rows})
    }
    claimed = [by_value.get(value, {}) for value in best]
    shared = set.intersection(*(set(draws) for draws in claimed))
    middle = {draw: float(np.mean([draws[draw] for draws in claimed])) for draw in shared}
    gains = {
        f"{value:g}": pair_draws(middle, draws, margin=AUC_MARGIN)
        for value, draws in by_value.items()
        if value not in best
    }
    known = {f"minus at {value}": gain for value, gain in gains.items() if gain is not None}
    place = f"{'mean ' if len(best) > 1 else ''}AUC at {name} = {' and '.join(f'{value:g}' for value in best)}"
    evidence = f"{place} {list_gains(known, details=_describe_curves(rows, parameter))}"
    return judge_all(known, evidence, others="other values")


def judge_priors(sensitivity: Results) -> Finding:
    """Judge how much AUC changes with the share of positives among the unlabelled rows."""
    parts = {}
    for dataset, (curve, _) in _curves(sensitivity, "alpha").items():
        span = max(curve.values()) - min(curve.values())
        text = ", ".join(f"{auc:.4f} at {alpha:g}" for alpha, auc in curve.items())
        parts[name_dataset(dataset)] = (span <= STABLE, f"AUC {text}")
    return judge_parts(parts, n=len(parts))


def judge_leaning(main: Results, ours: str = OURS) -> Finding:
    """Measure recall minus precision of our method at both thresholds, and of the supervised method for comparison."""
    chosen = {"oracle threshold": "oracle", "PU-valid threshold": "pu"}
    gains = {name: make_gain(_lean(main, ours, how)) for name, how in chosen.items()}
    supervised = make_gain(_lean(main, SUPERVISED, "oracle"))
    details = ["all of them recall minus precision"]
    details += [f"supervised, oracle threshold {supervised.mean:+.4f}"] if supervised else []
    return judge_gains(gains, details=details)


def judge_linear(scale: Results) -> Finding:
    """Fit the power of n with which the time of our method grows, and that of its rivals for comparison."""
    powers = {method: fit_exponent(scale.where(method=method), SCALE) for method in scale.distinct("method")}
    if not np.isfinite(powers.get(OURS, np.nan)):
        return Finding(NOT_RUN, "", 0)
    text = ", ".join(f"{name_method(method)} {power:.2f}" for method, power in powers.items())
    parts = {"time grows like a power of n": (powers[OURS] <= LINEAR, text)}
    return judge_parts(parts, n=len(scale.distinct("dataset")))


def judge_scarcity(scarcity: Results) -> Finding:
    """Judge whether the lead over rivals is greatest with the fewest labelled positives."""
    gains: dict[str, Gain | None] = {}
    details = ["all of them the lead with the fewest minus the mean lead with more"]
    for rival in ("nnpu", NAIVE):
        excess = {}
        for dataset in order_datasets(scarcity.distinct("dataset")):
            leads = _leads(scarcity.where(dataset=dataset), rival)
            if len(leads) > 1:
                others = [lead for n, lead in leads.items() if n != min(leads)]
                excess[dataset] = [leads[min(leads)] - float(np.mean(others))]
                text = ", ".join(f"{lead:+.4f} with {n:.0f}" for n, lead in leads.items())
                details.append(f"{name_dataset(dataset)}: AUC over {name_method(rival)} {text}")
        gains[f"its lead over {name_method(rival)}"] = make_gain(excess, margin=AUC_MARGIN)
    return judge_gains(gains, details=details)


def judge_seeds(main: Results, ours: str = OURS) -> Finding:
    """Compare the deviation of AUC over seeds with that of contrastive rivals."""
    own, gains = _spreads(main, ours), {}
    for method in CONTRASTIVE:
        theirs = _spreads(main, method)
        shared = own.keys() & theirs.keys()
        if len(shared) >= FEWEST:
            gains[name_method(method)] = make_gain(
                {dataset: [theirs[dataset] - own[dataset]] for dataset in shared}, margin=AUC_MARGIN
            )
    return judge_gains(gains, details=["all of them the rival's deviation minus ours"])


def _list(methods: Iterable[str]) -> str:
    return ", ".join(map(name_method, methods)) or "none"


def _describe_curves(sensitivity: Results, parameter: str) -> list[str]:
    """Say for each data set where AUC is best, how low it gets, and how far seeds deviate."""
    texts = []
    for dataset, (curve, deviation) in _curves(sensitivity, parameter).items():
        top = max(curve, key=lambda value: curve[value])
        best = f"best AUC {curve[top]:.4f} at {PARAMETER_NAMES[parameter]} = {top:g}"
        spread = f" (seeds deviate by {deviation:.4f})" if deviation > 0 else ""
        texts.append(f"{name_dataset(dataset)}: {best}, worst {min(curve.values()):.4f}{spread}")
    return texts


def _curves(sensitivity: Results, parameter: str) -> dict[str, tuple[Curve, float]]:
    """Return, for each data set, the mean AUC at every value of a setting and the deviation over seeds."""
    rows = sensitivity.where(parameter=parameter)
    curves = {}
    for dataset in order_datasets(rows.distinct("dataset")):
        here = rows.where(dataset=dataset)
        aucs = {row.value: here.where(variant=row.variant).values("auc") for row in here}
        means = {value: float(auc.mean()) for value, auc in sorted(aucs.items()) if len(auc)}
        spreads = [float(auc.std(ddof=1)) for auc in aucs.values() if len(auc) > 1]
        if means:
            curves[dataset] = means, float(np.mean(spreads)) if spreads else 0.0
    return curves


def _lean(main: Results, method: str, chosen: str) -> dict[str, list[float]]:
    """Return recall minus precision on every data set."""
    lean = {}
    for dataset in main.where(label=method).distinct("dataset"):
        own = main.where(label=method, dataset=dataset)
        recall, precision = (own.values(f"{metric}_{chosen}") for metric in ("recall", "precision"))
        if len(recall) and len(precision):
            lean[dataset] = [float(recall.mean() - precision.mean())]
    return lean


def _leads(results: Results, rival: str) -> dict[float, float]:
    """Return our AUC minus a rival's for every number of labelled positives."""
    leads = {}
    for n in sorted({count(row, SCARCITY) for row in results}):
        at = Results(tuple(row for row in results if count(row, SCARCITY) == n))
        gain = measure_gain(at.where(method=OURS), at.where(method=rival), metric="auc")
        if gain is not None:
            leads[n] = gain.mean
    return leads


def _spreads(main: Results, method: str) -> dict[str, float]:
    """Return the deviation of AUC over seeds on every data set that has several."""
    own = main.where(label=method)
    values = {dataset: own.where(dataset=dataset).values("auc") for dataset in own.distinct("dataset")}
    return {dataset: float(auc.std(ddof=1)) for dataset, auc in values.items() if len(auc) > 1}
