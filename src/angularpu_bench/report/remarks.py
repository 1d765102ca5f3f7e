"""Sentences below a table: how the data were drawn, what failed, and warnings."""

import math
from collections.abc import Sequence

import numpy as np

from angularpu.methods.table import METHODS
from angularpu.metrics.prior import implied_prior
from angularpu_bench.catalogue.datasets import CATALOGUE
from angularpu_bench.report.names import AS_PUBLISHED, name_method
from angularpu_bench.report.results import Results


def describe_draws(results: Results) -> Sequence[str]:
    """Say how many rows were labelled and unlabelled, the share of positives, and how many epochs were run.

    Methods that are fitted on true classes are left out, since all their rows are labelled. The test set's share is the
    one that accuracy, precision and recall imply. The epochs are those of the spec's budget, which the row as published
    does not follow.

    >>> from angularpu_bench.report.results import Result
    >>> metrics = {"n_pos": 200.0, "n_unl": 3000.0, "prior": 0.394, "epochs": 15.0}
    >>> metrics |= {"accuracy_pu": 0.9, "precision_pu": 0.8, "recall_pu": 0.8}
    >>> describe_draws(Results((Result("main", "table", "spam", "vpu", "", 0, metrics),)))
    ['Labelled positives 200, unlabelled 3000, share of positives 0.394 (test set 0.25), epochs over all folds 15.']
    """
    oracles = [name for name, card in METHODS.items() if card.oracle]
    results = Results(tuple(row for row in results if row.method not in oracles))
    networks = tuple(row for row in results if row.metrics.get("epochs") and row.label != AS_PUBLISHED)
    spans = {
        "Labelled positives": show_span(results, "n_pos", "{:.0f}"),
        "unlabelled": show_span(results, "n_unl", "{:.0f}"),
        "share of positives": show_span(results, "prior", "{:.3g}") + _show_test_share(results),
        "epochs over all folds": show_span(Results(networks), "epochs", "{:.0f}"),
    }
    told = ", ".join(f"{name} {span}" for name, span in spans.items() if span)
    return [f"{told}."] if told else []


def describe_data(dataset: str) -> Sequence[str]:
    """Repeat the catalogue's notes on a data set, if it has any.

    >>> describe_data("cifar10-animals")
    ["The data: the grouping that the paper's own CIFAR-10 row implies."]
    """
    notes = CATALOGUE[dataset].notes if dataset in CATALOGUE else ""
    return [f"The data: {notes}."] if notes else []


def list_failures(results: Results) -> Sequence[str]:
    """Say why each failed cell failed."""
    return [
        f"Failed: {name_method(row.method)}{f' ({row.variant})' if row.variant else ''}, seed {row.seed}: {row.status}"
        for row in results
        if row.status != "ok"
    ]


def list_warnings(results: Results) -> Sequence[str]:
    """Repeat each warning of the results once."""
    return [f"Warning: {text}" for text in results.distinct("warnings") if text]


def show_span(results: Results, metric: str, form: str) -> str:
    """Show the least and the greatest value of a metric, or the one value that all have; empty without any.

    >>> from angularpu_bench.report.results import Result
    >>> rows = Results(tuple(Result("main", "table", "spam", "vpu", "", n, {"epochs": n}) for n in (3, 5)))
    >>> show_span(rows, "epochs", "{:.0f}"), show_span(rows, "auc", "{:.2f}")
    ('3 to 5', '')
    """
    values = results.values(metric)
    if not len(values):
        return ""
    low, high = (form.format(value) for value in (values.min(), values.max()))
    return low if low == high else f"{low} to {high}"


def _show_test_share(results: Results) -> str:
    metrics = ("accuracy", "precision", "recall")
    rows = [[row.metrics.get(f"{name}_pu", math.nan) for name in metrics] for row in results.finished]
    shares = [implied_prior(**dict(zip(metrics, row, strict=True))) for row in rows if all(map(math.isfinite, row))]
    known = [share for share in shares if math.isfinite(share)]
    return f" (test set {np.median(known):.3g})" if known else ""
