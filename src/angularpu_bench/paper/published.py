"""The published numbers, and the paper's names of our methods and data sets."""

import csv
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from angularpu.errors import DataError
from angularpu.metrics.prior import implied_prior
from angularpu_bench.report.names import AS_PUBLISHED

FILE_COLUMNS = ("table", "dataset", "row", "metric", "mean", "std")
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
PRINTED_DATASETS: Mapping[str, str] = MappingProxyType(
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
# With the classes swapped, only rows that were most likely scored that way can be compared with ours.
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
class PublishedMean:
    """A published mean with its deviation over seeds (NaN where none is given), as shares of one."""

    mean: float
    std: float = math.nan


Row = Mapping[str, PublishedMean]


@dataclass(frozen=True)
class Place:
    """Where a published row stands: its table, data set and name as printed."""

    table: str
    dataset: str
    row: str


@dataclass(frozen=True)
class Published:
    """Every published number, by table, data set and row as printed, and then by metric."""

    rows: Mapping[tuple[str, str, str], Row]

    def names(self, table: str, dataset: str) -> list[str]:
        """Return the rows of a data set in a table, as printed."""
        return [row for found, where, row in self.rows if (found, where) == (table, dataset)]

    def datasets(self, table: str) -> list[str]:
        """Return the data sets of a table, as printed."""
        return list(dict.fromkeys(where for found, where, _ in self.rows if found == table))

    def row(self, table: str, dataset: str, name: str) -> Row:
        """Return the numbers of one row by metric; empty when the row was not published."""
        return self.rows.get((table, dataset, name), {})


def read_published(path: Path) -> Published:
    """Read the published numbers; those of the main table, in per cent, become shares.

    Parameters
    ----------
    path : Path
        CSV with columns table, dataset, row, metric, mean, std.
    """
    rows: dict[tuple[str, str, str], dict[str, PublishedMean]] = {}
    with path.open(newline="", encoding="utf-8") as file:
        reader = csv.DictReader(file)
        if tuple(reader.fieldnames or ()) != FILE_COLUMNS:
            raise DataError(f"{path} must have the columns {', '.join(FILE_COLUMNS)}; got {reader.fieldnames}")
        for number, line in enumerate(reader, start=2):
            unit = 100 if line["table"] == "main" else 1
            try:
                mean, std = float(line["mean"]), float(line["std"] or math.nan)
            except (TypeError, ValueError):
                raise DataError(f"{path}, line {number}: mean and std must be numbers; correct the line") from None
            row = rows.setdefault((line["table"], line["dataset"], line["row"]), {})
            row[line["metric"]] = PublishedMean(mean / unit, std / unit)
    return Published(rows)


def name_as_printed(dataset: str) -> str:
    """Return the name of one of our data sets, in any grouping, in the published tables; empty if it is not there.

    >>> name_as_printed("cifar10-animals"), name_as_printed("spam")
    ('CIFAR-10', '')
    """
    return PRINTED_DATASETS.get(dataset.split("-")[0], "")


def place_methods(dataset: str, published: Published) -> dict[str, Place]:
    """Return the published rows to show beside one of our data sets, by our name of the method."""
    theirs = name_as_printed(dataset)
    if theirs not in published.datasets("main"):
        return {}
    rows = {**METHOD_ROWS, AS_PUBLISHED: ANGULAR_ROW}
    return {
        method: Place("main", theirs, row) for method, row in rows.items() if dataset != SWAPPED or row in SWAPPED_ROWS
    }


def infer_prior(row: Row) -> float:
    """Compute the share of positives that a published row implies; NaN without accuracy, precision and recall."""
    needed = ("accuracy", "precision", "recall")
    if any(metric not in row for metric in needed):
        return math.nan
    return implied_prior(**{metric: row[metric].mean for metric in needed})


def bound_f1(row: Row) -> float:
    """Return the F1 of a row's mean precision and mean recall, which no mean of F1 over seeds can exceed.

    F1 = 2PR/(P + R) is concave in P and R, so a mean of F1 lies at or below the F1 of the means.
    """
    precision, recall = (row[metric].mean if metric in row else math.nan for metric in ("precision", "recall"))
    return 2 * precision * recall / (precision + recall)
