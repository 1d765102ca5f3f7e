"""Arguments and options that several commands have."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class ScenarioName(StrEnum):
    """How the labels came about, as typer wants a choice to be written."""

    one_sample = "one-sample"
    two_sample = "two-sample"


class EngineName(StrEnum):
    """Where something is computed, as typer wants a choice to be written."""

    local = "local"
    ray = "ray"


ModelPath = Annotated[Path, typer.Argument(metavar="MODEL", help="Directory that fit has made.")]
LABELLED_ROWS = "Rows with their labels: .csv, .parquet or .npz, or a directory of .parquet files."
LabelledRows = Annotated[Path, typer.Argument(metavar="DATA", help=LABELLED_ROWS)]
LabelColumn = Annotated[
    str, typer.Option(metavar="COLUMN", help="Column of DATA: 1 and 0, two other numbers, or one value and blanks.")
]
ScenarioChoice = Annotated[
    ScenarioName,
    typer.Option(
        help="one-sample: some positives of one population got labelled; two-sample: they were collected apart."
    ),
]
PositiveValue = Annotated[
    str | None,
    typer.Option(
        metavar="VALUE",
        help="Value of --label that marks known positives, needed for two words; all others are unlabelled.",
    ),
]
IdColumns = Annotated[
    list[str] | None,
    typer.Option("--id", metavar="COLUMN", help="Column that is not learned from; may be repeated."),
]
KnownColumn = Annotated[
    str | None,
    typer.Option(metavar="COLUMN", help="Column of DATA with the known positives, which are left out."),
]
KnownValue = Annotated[str | None, typer.Option(metavar="VALUE", help="Value of --label that marks known positives.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object on stdout, and nothing else there.")]


def complete_method(incomplete: str) -> list[str]:
    """Return the methods whose names begin so, for the shell."""
    from angularpu.methods.table import METHODS

    return [name for name in METHODS if name.startswith(incomplete)]


def complete_estimator(incomplete: str) -> list[str]:
    """Return the estimators of the prior whose names begin so, for the shell."""
    from angularpu.priors.table import ESTIMATORS

    return [name for name in ESTIMATORS if name.startswith(incomplete)]
