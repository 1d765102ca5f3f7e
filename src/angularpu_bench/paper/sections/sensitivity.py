"""How much the settings matter: metrics over a grid of each setting."""

import itertools

from angularpu.figures.picture import Picture
from angularpu.figures.style import SERIES_COLOURS
from angularpu_bench.paper.evidence import Evidence
from angularpu_bench.report.curves import Curve, make_curve
from angularpu_bench.report.names import METRIC_NAMES, PARAMETER_NAMES, name_dataset, order_datasets, order_tracks
from angularpu_bench.report.panels import make_curve_picture
from angularpu_bench.report.remarks import list_failures, list_warnings
from angularpu_bench.report.results import Results
from angularpu_bench.report.section import Part, Section, say_missing
from angularpu_bench.report.table import Field, Table, count_seeds, mark_best, show_mean

SHOWN_METRICS = ("auc", "ap", "f1_pu", "f1_oracle", "precision_pu", "recall_pu")
DRAWN_METRICS = ("auc", "f1_pu", "precision_pu", "recall_pu")
LOGARITHMIC = ("kappa", "d")
NOTE = (
    "One setting at a time, all others at their defaults; mean ± deviation over seeds, best of each data set in bold."
)


def make_section(evidence: Evidence) -> Section:
    """Make a picture and a table for each setting that was varied, track by track."""
    results = evidence.results.where(kind="sensitivity")
    parts: list[Part] = [NOTE] if results else [say_missing("sensitivity")]
    for track in order_tracks(results.distinct("track")):
        rows = results.where(track=track)
        for parameter in filter(None, rows.distinct("parameter")):
            chosen = rows.where(parameter=parameter)
            parts += [_make_picture(chosen, parameter, track=track), make_table(chosen, parameter, track=track)]
    return Section("Sensitivity", parts)


def make_table(results: Results, parameter: str, *, track: str) -> Table:
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
        rows += mark_best(block, columns=range(3, 7), eligible=[True] * len(block))
    name = PARAMETER_NAMES.get(parameter, parameter)
    return Table(
        title=f"Sensitivity to {name}, {track} track",
        columns=("data set", name, "seeds", *(METRIC_NAMES[metric] for metric in SHOWN_METRICS)),
        rows=tuple(rows),
        notes=(*list_failures(results), *list_warnings(results)),
    )


def _make_picture(results: Results, parameter: str, *, track: str) -> Picture:
    name = PARAMETER_NAMES.get(parameter, parameter)
    return make_curve_picture(
        {METRIC_NAMES[metric]: _make_curves(results, metric) for metric in DRAWN_METRICS},
        name=f"sensitivity-{parameter.strip('_')}-{track}",
        caption=f"Sensitivity to {name}: mean and deviation over seeds.",
        setting=name,
        log=parameter in LOGARITHMIC,
    )


def _make_curves(results: Results, metric: str) -> list[Curve]:
    curves = []
    datasets = order_datasets(results.distinct("dataset"))
    for dataset, colour in zip(datasets, itertools.cycle(SERIES_COLOURS), strict=False):
        here = results.where(dataset=dataset)
        values = {row.value: here.where(variant=row.variant).values(metric) for row in here}
        curves.append(make_curve(name_dataset(dataset), colour, values=values))
    return curves
