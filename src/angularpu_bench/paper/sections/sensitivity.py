"""How much the settings matter: metrics over a grid of each setting, by the published schedule and with our own."""

from collections.abc import Mapping
from types import MappingProxyType

from angularpu.figures.picture import Picture
from angularpu.figures.style import SERIES_COLOURS
from angularpu_bench.paper.evidence import Evidence
from angularpu_bench.report.curves import Curve, make_curve
from angularpu_bench.report.names import METRIC_NAMES, PARAMETER_NAMES, name_dataset, order_datasets, order_tracks
from angularpu_bench.report.panels import make_curve_grid
from angularpu_bench.report.remarks import list_failures, list_warnings
from angularpu_bench.report.results import Results
from angularpu_bench.report.section import Part, Section, say_missing
from angularpu_bench.report.table import Field, Table, count_seeds, mark_best, show_mean

SHOWN_METRICS = ("auc", "ap", "f1_oracle", "f1_pu", "precision_oracle", "recall_oracle", "precision_pu", "recall_pu")
N_BEST = 4
DRAWN_METRICS = ("f1_oracle", "auc")  # the paper's figures, whose F1 is at the supervised threshold
LOGARITHMIC = ("kappa", "d")
OURS, FIXED, LEARNT = "", "published", "published_learnt"  # what follows the dash in the names of the specs
# The schedules by which each of the paper's grids is run; any other setting has the chosen epoch alone.
SCHEDULES: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        **{
            parameter: {
                OURS: "chosen epoch, margin trained",
                FIXED: "published schedule, m = 0.5",
                LEARNT: "published schedule, margin trained",
            }
            for parameter in ("lambda_", "kappa")
        },
        "margin": {OURS: "chosen epoch", FIXED: "published schedule"},
    }
)
NOTE = (
    "One setting at a time, all others at their defaults; mean ± deviation over seeds, best of each data set in bold. "
    "The paper's grids are here by its own schedule, 15 epochs of which the last is kept, with m = 0.5 fixed as "
    "printed and with the margin trained, and with the epoch that held-out PU-AUC chooses."
)


def make_section(evidence: Evidence) -> Section:
    """Make a picture over all data sets for each setting that was varied, and a table for each track and schedule."""
    results = evidence.results.where(kind="sensitivity")
    parts: list[Part] = [NOTE] if results else [say_missing("sensitivity")]
    varied = results.distinct("parameter")
    known = [parameter for parameter in PARAMETER_NAMES if parameter in varied]
    for parameter in [*known, *(name for name in varied if name and name not in known)]:
        rows = results.where(parameter=parameter)
        schedules = SCHEDULES.get(parameter, {OURS: ""})
        if rows.finished:
            parts.append(_make_picture(rows, parameter, schedules=schedules))
        for branch, schedule in schedules.items():
            here = rows.where(branch=branch)
            for track in order_tracks(here.distinct("track")):
                parts.append(make_table(here.where(track=track), parameter, track=track, schedule=schedule))
            if not here:
                parts.append(f"{PARAMETER_NAMES.get(parameter, parameter)}, {schedule}: {_say_not_run(branch)}")
    return Section("Sensitivity", parts)


def make_table(results: Results, parameter: str, *, track: str, schedule: str) -> Table:
    """Make the table of one setting, by data set and value."""
    rows: list[tuple[Field, ...]] = []
    for dataset in order_datasets(results.distinct("dataset")):
        here = results.where(dataset=dataset)
        block = []
        for value, variant in sorted({(row.value, row.variant) for row in here}):
            own = here.where(variant=variant)
            seeds = count_seeds(len(own.finished), len(own))
            shown = (show_mean(own.values(metric)) for metric in SHOWN_METRICS)
            block.append((Field(name_dataset(dataset)), Field(f"{value:g}", value), seeds, *shown))
        rows += mark_best(block, columns=range(3, 3 + N_BEST), eligible=[True] * len(block))
    name = PARAMETER_NAMES.get(parameter, parameter)
    return Table(
        title=f"Sensitivity to {name}, {track} track{f': {schedule}' if schedule else ''}",
        columns=("data set", name, "seeds", *(METRIC_NAMES[metric] for metric in SHOWN_METRICS)),
        rows=tuple(rows),
        notes=(*list_failures(results), *list_warnings(results)),
    )


def _say_not_run(branch: str) -> str:
    return say_missing(f"sensitivity-{branch}" if branch else "sensitivity")


def _make_picture(results: Results, parameter: str, *, schedules: Mapping[str, str]) -> Picture:
    name = PARAMETER_NAMES.get(parameter, parameter)
    datasets = order_datasets(results.distinct("dataset"))
    return make_curve_grid(
        {
            METRIC_NAMES[metric]: {
                name_dataset(dataset): _make_curves(results.where(dataset=dataset), metric, schedules=schedules)
                for dataset in datasets
            }
            for metric in DRAWN_METRICS
        },
        name=f"sensitivity-{parameter.strip('_')}",
        caption=f"Sensitivity to {name} by data set: mean and deviation over seeds.",
        setting=name,
        log=parameter in LOGARITHMIC,
    )


def _make_curves(results: Results, metric: str, *, schedules: Mapping[str, str]) -> list[Curve]:
    curves = []
    for (branch, schedule), colour in zip(schedules.items(), SERIES_COLOURS, strict=False):
        here = results.where(branch=branch)
        values = {row.value: here.where(variant=row.variant).values(metric) for row in here}
        if any(len(found) for found in values.values()):
            curves.append(make_curve(schedule, colour, values=values))
    return curves
