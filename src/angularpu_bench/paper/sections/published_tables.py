"""The published main tables in full, with the prior that their numbers imply."""

import math

from angularpu_bench.paper.evidence import Evidence
from angularpu_bench.paper.flaws import find_common_flaws
from angularpu_bench.paper.published import METHOD_ROWS, Place, Published, bound_f1
from angularpu_bench.paper.published_fields import show_published, show_published_prior
from angularpu_bench.report.section import Section
from angularpu_bench.report.table import Field, Table, show_number

SHOWN_METRICS = ("accuracy", "precision", "recall", "f1", "auc", "ap")
PUBLISHED_COLUMNS = ("method", "accuracy", "precision", "recall", "F1", "F1 of P and R", "AUC", "AP", "implied prior")
NOTE = (
    "Accuracy, precision and recall together show the share of positives they were measured on, "
    '(1 - accuracy)/((1 - R) + R (1 - P)/P). "F1 of P and R" is 2PR/(P + R) of the means: a mean of F1 over seeds can '
    "lie below it, never above."
)


def make_section(evidence: Evidence) -> Section:
    """Make the published main tables with the implied prior of every row."""
    tables = [make_table(evidence.published, dataset) for dataset in evidence.published.datasets("main")]
    return Section("Published numbers and what they imply", [NOTE, *tables])


def make_table(published: Published, dataset: str) -> Table:
    """Make one published table; a method whose row is missing is shown without numbers."""
    names = list(dict.fromkeys([*METHOD_ROWS.values(), *published.names("main", dataset)]))
    rows = []
    for name in names:
        place = Place("main", dataset, name)
        shown = {metric: show_published(published, place, metric=metric) for metric in SHOWN_METRICS}
        row = published.row("main", dataset, name)
        allowed = show_number(bound_f1(row) if row else math.nan)
        implied = show_published_prior(published, place)
        before, after = SHOWN_METRICS[:4], SHOWN_METRICS[4:]
        rows.append((Field(name), *(shown[m] for m in before), allowed, *(shown[m] for m in after), implied))
    return Table(f"{dataset}, as published", PUBLISHED_COLUMNS, tuple(rows), marks=find_common_flaws("main", dataset))
