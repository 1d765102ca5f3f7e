"""Tables of decisions: accuracy, precision, recall and F1 at both thresholds, with published numbers between them."""

import math
from collections.abc import Collection, Mapping

from angularpu.metrics.prior import implied_prior
from angularpu_bench.paper.beside import Column, fill_columns, name_columns
from angularpu_bench.paper.published import Place, Published
from angularpu_bench.paper.published_fields import show_published_prior
from angularpu_bench.report.names import DECISION_NAMES, METRIC_NAMES
from angularpu_bench.report.results import Results
from angularpu_bench.report.table import Field, Table, mark_best, show_number

DIGITS = 3
ABOUT = "Decisions at both thresholds:"
THRESHOLDS = (
    "The oracle threshold is chosen on held-out rows with their true classes, as in the paper; the PU-valid threshold "
    "is chosen without true classes. The implied prior is the share of positives that follows from accuracy, precision "
    "and recall; ours is taken at the PU-valid threshold."
)
COLUMNS = tuple(
    column
    for metric in DECISION_NAMES
    for column in (Column(f"{metric}_oracle", metric, DIGITS), Column(f"{metric}_pu", "", DIGITS))
)
BEST = ("accuracy_oracle", "accuracy_pu", "f1_oracle", "f1_pu")  # a precision or a recall alone is no merit


def make_decision_table(
    groups: Mapping[str, Results],
    *,
    names: Mapping[str, str],
    printed: Mapping[str, Place],
    published: Published,
    competing: Collection[str],
) -> Table:
    """Make the second table of a data set, with the rows of the first.

    Parameters
    ----------
    groups : mapping of str to Results
        The results of each row.
    names : mapping of str to str
        What each row is called.
    printed : mapping of str to Place
        The published row that belongs beside it; without any, there are no such columns.
    published : Published
    competing : collection of str
        The rows among which the best is bold.
    """
    beside = bool(printed)
    priors = ["implied prior", "published implied prior"][: 1 + beside]
    columns = ("row", *name_columns(COLUMNS, beside=beside), *priors)
    rows = []
    for label, own in groups.items():
        place = printed.get(label)
        shown = fill_columns(COLUMNS, own, published=published, place=place, beside=beside)
        theirs = [show_published_prior(published, place)] if beside else []
        rows.append((Field(names[label]), *shown, show_number(_infer_prior(own), DIGITS), *theirs))
    best = [columns.index(METRIC_NAMES[metric]) for metric in BEST]
    return Table("", columns, mark_best(rows, columns=best, eligible=[label in competing for label in groups]))


def _infer_prior(results: Results) -> float:
    """Return the share of positives in the test set that the means at the PU-valid threshold imply."""
    means = {}
    for name in ("accuracy", "precision", "recall"):
        values = results.values(f"{name}_pu")
        means[name] = float(values.mean()) if len(values) else math.nan
    return implied_prior(**means) if all(math.isfinite(value) for value in means.values()) else math.nan
