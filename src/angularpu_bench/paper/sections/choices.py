"""What the paper leaves open: one choice at a time against our default, on sets that may choose one and on others."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from angularpu_bench.paper.evidence import Evidence
from angularpu_bench.paper.finding import Gain, measure_gain
from angularpu_bench.report.differences import compare_results, show_difference
from angularpu_bench.report.names import METRIC_NAMES, name_dataset, order_datasets
from angularpu_bench.report.remarks import list_failures, list_warnings
from angularpu_bench.report.results import Results
from angularpu_bench.report.section import Part, Section, say_missing
from angularpu_bench.report.table import DIGITS, NOT_RUN, Field, Table

DEFAULT = "default"
CHOSE, CHECK = "", "check"  # what follows the dash in the names of the specs
METRICS = ("auc", "ap", "f1_pu")
CHOICES: Mapping[str, str] = MappingProxyType(
    {
        "sharpness=1": "sharpness a = 1 instead of 10",
        "sharpness=3": "sharpness a = 3 instead of 10",
        "sharpness=30": "sharpness a = 30 instead of 10",
        "sharpness=learnable": "sharpness a trained instead of 10",
        "logit=margin": "logit a (c - m) instead of κ c",
        "weight=boundary": "weights greatest at the boundary instead of the prototype",
        "positives=batch": "positives averaged by batch instead of without bias",
        "detach_weight=true": "weights without a gradient",
        "detach_weight=true,margin=0.5": "weights without a gradient and m = 0.5",
    }
)
# By whether it is ahead on the data sets that may choose a default, and on those that only check it.
VERDICTS = {
    (True, True): "ahead on both sides",
    (False, False): "ahead on neither side",
    (True, False): "ahead only on the data sets that choose, so the default stays",
    (False, True): "ahead only on the data sets that check, so the default stays",
}
NOTE = (
    "Points that the paper leaves open or describes in two ways. Each row is one choice minus our default, paired by "
    "draw of labels, with its 95 % t interval. The data sets on the left "
    "choose a default; those on the right only check it, and a default changes only if both agree. Below the table is "
    "a sentence on each choice. Ahead means a higher mean AUC, and a higher AUC on more data sets than a lower one. "
    "The numbers are the mean of the left side and that of the right; brackets count the data sets on which the choice "
    "is higher."
)


def make_section(evidence: Evidence) -> Section:
    """Make the table of all choices, with a sentence on each below it."""
    results = evidence.results.where(kind="choices")
    parts: list[Part] = [NOTE, make_table(results)] if results else [say_missing("choices")]
    return Section("Open points", parts)


def make_table(results: Results) -> Table:
    """Make the table: three rows for each choice, one column for each data set, and the mean of either side."""
    sides = [results.where(branch=branch) for branch in (CHOSE, CHECK)]
    run = [name for name in results.distinct("variant") if name != DEFAULT]
    choices = list(dict.fromkeys([*CHOICES, *run]))
    rows = []
    for choice in choices:
        for metric in METRICS:
            fields = [field for side in sides for field in _show_side(side, choice, metric=metric)]
            rows.append((Field(CHOICES.get(choice, choice)), Field(METRIC_NAMES[metric]), *fields))
    columns = [
        column
        for side, told in zip(sides, ("mean, sets that choose", "mean, sets that check"), strict=True)
        for column in (*map(name_dataset, order_datasets(side.distinct("dataset"))), told)
    ]
    return Table(
        title="Each choice minus the default",
        columns=("choice", "metric", *columns),
        rows=tuple(rows),
        notes=(*(_say(choice, sides) for choice in choices), *list_failures(results), *list_warnings(results)),
    )


def _show_side(side: Results, choice: str, *, metric: str) -> list[Field]:
    """Show the differences on every data set of one side, and their mean."""
    fields = []
    for dataset in order_datasets(side.distinct("dataset")):
        both = (side.where(dataset=dataset, variant=variant) for variant in (choice, DEFAULT))
        difference = compare_results(*both, metric=metric)
        fields.append(Field(NOT_RUN) if difference is None else show_difference(difference))
    gain = _measure(side, choice, metric=metric)
    return [*fields, Field(NOT_RUN) if gain is None else Field(f"{gain.mean:+.{DIGITS}f}", gain.mean)]


def _measure(side: Results, choice: str, *, metric: str) -> Gain | None:
    return measure_gain(side.where(variant=choice), side.where(variant=DEFAULT), metric=metric)


def _say(choice: str, sides: Sequence[Results]) -> str:
    """Say in one sentence what a choice does, judged by AUC; AP and F1 are told beside it."""
    name = CHOICES.get(choice, choice)
    name = name[0].upper() + name[1:]
    told = []
    for metric in METRICS:
        gains = [_measure(side, choice, metric=metric) for side in sides]
        told.append(f"{METRIC_NAMES[metric]} " + " and ".join(_tell(gain) for gain in gains))
    chose, check = (_measure(side, choice, metric="auc") for side in sides)
    if not (chose or check):
        return f"{name}: {NOT_RUN}."
    verdict = VERDICTS[_is_ahead(chose), _is_ahead(check)] if chose and check else f"one side is {NOT_RUN}"
    return f"{name}: {verdict}; {', '.join(told)}."


def _is_ahead(gain: Gain) -> bool:
    return gain.mean > 0 and gain.lead > 0


def _tell(gain: Gain | None) -> str:
    if gain is None:
        return NOT_RUN
    higher = sum(value > 0 for value in gain.by_dataset.values())
    return f"{gain.mean:+.{DIGITS}f} ({higher} of {len(gain.by_dataset)})"
