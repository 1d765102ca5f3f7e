"""The ensemble beside single methods where labels are few, or follow a score."""

import numpy as np

from angularpu_bench.report.names import name_dataset, name_told, order_datasets, order_methods
from angularpu_bench.report.remarks import list_failures
from angularpu_bench.report.results import Results
from angularpu_bench.report.table import DIGITS, NONE, Field, Table, show_number

OURS = "ensemble"
TITLES = {"few": "AUC with few labelled positives", "biased": "AUC where labels follow a score"}


def make_tables(ensembles: Results) -> list[Table]:
    """Make one table for each of the two experiments that has results."""
    found = {title: ensembles.where(branch=branch) for branch, title in TITLES.items()}
    return [table_hard(results, title=title) for title, results in found.items() if results.where(method=OURS)]


def table_hard(results: Results, *, title: str) -> Table:
    """Make a table of AUC where labels are few or biased: every method on the same draws, and the best single method.

    Parameters
    ----------
    results : Results
        Of one spec; a variant such as ``labelled=30`` has a row of its own.
    title : str
    """
    methods = [OURS, *(method for method in order_methods(results.distinct("method")) if method != OURS)]
    rows = []
    for dataset in order_datasets(results.distinct("dataset")):
        for variant in sorted(results.distinct("variant"), key=lambda name: (len(name), name)):
            here = results.where(dataset=dataset, variant=variant)
            values = {method: here.where(method=method).by_draw("auc") for method in methods}
            draws = [draw for draw in values[OURS] if all(draw in own for own in values.values())]
            if not draws:
                continue
            means = [float(np.mean([values[method][draw] for draw in draws])) for method in methods]
            first = (Field(name_dataset(dataset)), Field(variant.partition("=")[2] or NONE), Field(str(len(draws))))
            behind = show_number(means[0] - max(means[1:]))
            shown = (Field(f"{mean:.{DIGITS}f}", mean, bold=mean == max(means)) for mean in means)
            rows.append((*first, *shown, behind))
    return Table(
        title=title,
        columns=("data set", "labelled", "draws", *map(name_told, methods), "ensemble minus the best other"),
        rows=tuple(rows),
        notes=(*list_failures(results),),
    )
