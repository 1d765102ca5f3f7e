"""The published numbers, by our names of methods and data sets."""

import csv
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from angularpu.errors import DataError
from angularpu.metrics.prior import implied_prior

COLUMNS = ("table", "dataset", "row", "metric", "mean", "std")
ANGULAR_ROW = "AngularPU (Ours)"

METHOD_ROWS: Mapping[str, str] = MappingProxyType(
    {
        "upu": "uPU",
        "nnpu": "nnPU",
        "rank_pruning": "RP",
        "pusb": "PUSB",
        "pubn": "PUbN",
        "self_pu": "Self-PU",
        "apu": "aPU",
        "vpu": "VPU",
        "imbpu": "ImbPU",
        "dist_pu": "Dist-PU",
        "dense_pu": "Dense-PU",
        "punce": "puNCE",
        "pico": "PiCO",
        "wconpu": "WConPU",
        "angular": ANGULAR_ROW,
    }
)
DATASETS: Mapping[str, str] = MappingProxyType(
    {
        "cifar10": "CIFAR-10",
        "svhn": "SVHN",
        "stl10": "STL-10",
        "adni": "ADNI",
        "octmnist": "OCTMNIST",
        "pathmnist": "PathMNIST",
    }
)
SWAPPED = "cifar10-animals"
# On swapped classes only the rows that were most likely scored so may stand beside ours.
SWAPPED_ROWS = (ANGULAR_ROW, "Dense-PU")
ABLATION_ROWS: Mapping[str, str] = MappingProxyType(
    {
        "full": "Full model",
        "no-regulariser": "w/o L_reg",
        "no-weights": "w/o weights",
        "fixed-margin": "Fixed margin",
    }
)


@dataclass(frozen=True)
class Figure:
    """A published mean with its deviation over seeds (NaN where none is given), as shares of one."""

    mean: float
    std: float = math.nan


Row = Mapping[str, Figure]


@dataclass(frozen=True)
class Published:
    """Every published number: figures by metric, for each table, data set and row as printed."""

    rows: Mapping[tuple[str, str, str], Row]

    def names(self, table: str, dataset: str) -> list[str]:
        """Return the rows of a data set in a table, as printed."""
        return [row for found, where, row in self.rows if (found, where) == (table, dataset)]

    def datasets(self, table: str) -> list[str]:
        """Return the data sets of a table, as printed."""
        return list(dict.fromkeys(where for found, where, _ in self.rows if found == table))

    def row(self, table: str, dataset: str, name: str) -> Row:
        """Return the figures of one row, none when it was not published."""
        return self.rows.get((table, dataset, name), {})


def read_published(path: Path) -> Published:
    """Read the published numbers; those of the main table, in per cent, become shares.

    Parameters
    ----------
    path : Path
        CSV with columns table, dataset, row, metric, mean, std.
    """
    rows: dict[tuple[str, str, str], dict[str, Figure]] = {}
    with path.open(newline="", encoding="utf-8") as file:
        reader = csv.DictReader(file)
        if tuple(reader.fieldnames or ()) != COLUMNS:
            raise DataError(f"{path} must have the columns {', '.join(COLUMNS)}; got {reader.fieldnames}")
        for number, line in enumerate(reader, start=2):
            unit = 100 if line["table"] == "main" else 1
            try:
                mean, std = float(line["mean"]), float(line["std"] or math.nan)
            except (TypeError, ValueError):
                raise DataError(f"{path}, line {number}: mean and std must be numbers; correct the line") from None
            figure = Figure(mean / unit, std / unit)
            rows.setdefault((line["table"], line["dataset"], line["row"]), {})[line["metric"]] = figure
    return Published(rows)


def printed_name(dataset: str) -> str:
    """Return how the published tables call a data set of ours, whatever its grouping; nothing where they lack it.

    >>> printed_name("cifar10-animals"), printed_name("spam")
    ('CIFAR-10', '')
    """
    return DATASETS.get(dataset.split("-")[0], "")


def prior_of(row: Row) -> float:
    """Work out the share of positives a published row implies, NaN without accuracy, precision and recall."""
    needed = ("accuracy", "precision", "recall")
    if any(metric not in row for metric in needed):
        return math.nan
    return implied_prior(**{metric: row[metric].mean for metric in needed})


def f1_of(row: Row) -> float:
    """Return the F1 of a row's mean precision and recall: the most that a mean of F1 over seeds can be.

    F1 = 2PR/(P + R) is concave in P and R, so a mean of F1 lies at or below the F1 of the means.
    """
    precision, recall = (row[metric].mean if metric in row else math.nan for metric in ("precision", "recall"))
    return 2 * precision * recall / (precision + recall)
