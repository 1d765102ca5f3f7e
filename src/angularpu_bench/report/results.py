"""The results that a report is made from: the rows of the committed CSV files."""

import csv
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from angularpu.errors import DataError
from angularpu_bench.spec.columns import LATER, METRICS

WORDS = ("spec", "track", "dataset", "method", "variant", "status")
# Files in the same directory that hold points to draw instead of results.
POINT_FILES = ("scores.csv", "embeddings.csv")
KINDS = (
    "main",
    "ablation",
    "geometry",
    "sensitivity",
    "choices",
    "ensembles",
    "medmnist",
    "scarcity",
    "scale",
    "blocks",
    "search",
    "fair",
)


@dataclass(frozen=True)
class Result:
    """The result of one cell: a method on one draw of labels of one data set.

    Attributes
    ----------
    spec, track, dataset, method, variant : str
    seed : int
    metrics : mapping of str to float
        Every number of the row by its column's name; NaN where the column is blank.
    status : str
        "ok", or the reason why the cell failed.
    warnings : str
        What must be said wherever the row is shown; empty without warnings.
    """

    spec: str
    track: str
    dataset: str
    method: str
    variant: str
    seed: int
    metrics: Mapping[str, float]
    status: str = "ok"
    warnings: str = ""

    @property
    def kind(self) -> str:
        """The experiment of the spec: ``ablation-published`` belongs to the ablation; unknown names count as main."""
        first = self.spec.partition("-")[0]
        return first if first in KINDS else "main"

    @property
    def branch(self) -> str:
        """What tells the spec from others of its experiment: "published" of ``ablation-published``; often empty."""
        return self.spec.partition("-")[2]

    @property
    def label(self) -> str:
        """The variant, or the method if there is no variant."""
        return self.variant or self.method

    @property
    def parameter(self) -> str:
        """The setting that a variant such as ``lambda_=0.1`` varies; empty if it varies no number."""
        name, equals, value = self.variant.partition("=")
        return name if equals and _is_number(value) else ""

    @property
    def value(self) -> float:
        """The value of the varied setting; NaN if none is varied."""
        return float(self.variant.partition("=")[2]) if self.parameter else math.nan


@dataclass(frozen=True)
class Results:
    """Rows of results, and ways to select some of them."""

    rows: tuple[Result, ...]

    def __iter__(self) -> Iterator[Result]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def where(self, **wanted: str) -> "Results":
        """Return the rows whose attributes have the given values.

        >>> row = Result("main", "features", "spam", "vpu", "", 0, {"auc": 0.9})
        >>> len(Results((row,)).where(method="vpu")), len(Results((row,)).where(method="vpu", dataset="letter"))
        (1, 0)
        """
        return Results(tuple(row for row in self.rows if all(getattr(row, key) == wanted[key] for key in wanted)))

    @property
    def finished(self) -> "Results":
        """The rows that did not fail."""
        return self.where(status="ok")

    def distinct(self, attribute: str) -> list[Any]:
        """Return the distinct values of an attribute, in the order of the rows."""
        return list(dict.fromkeys(getattr(row, attribute) for row in self.rows))

    def values(self, metric: str) -> NDArray[np.float64]:
        """Return a metric of every finished row that has it."""
        found = (row.metrics.get(metric, math.nan) for row in self.finished)
        return np.array([value for value in found if math.isfinite(value)], dtype=float)

    def by_draw(self, metric: str) -> dict[tuple[str, int], float]:
        """Return a metric of every finished row that has it, by data set and seed, to pair two methods."""
        found = {(row.dataset, row.seed): row.metrics.get(metric, math.nan) for row in self.finished}
        return {draw: value for draw, value in found.items() if math.isfinite(value)}


def summarise(values: NDArray[np.float64]) -> tuple[float, float]:
    """Return the mean and the deviation (n - 1; 0 for one value) of one or more values.

    >>> summarise(np.array([1.0, 3.0]))[0], summarise(np.array([5.0]))
    (2.0, (5.0, 0.0))
    """
    return float(values.mean()), float(values.std(ddof=1)) if len(values) > 1 else 0.0


def read_results(directory: Path) -> Results:
    """Read every CSV file of results, in the order of their names.

    Parameters
    ----------
    directory : Path
        Holds one file for each spec; may be empty, for a report on the published numbers only.
    """
    if not directory.is_dir():
        raise DataError(f"there is no directory {directory} of results; name the one that bench run writes to")
    files = sorted(path for path in directory.glob("*.csv") if path.name not in POINT_FILES)
    return Results(tuple(row for path in files for row in _read_rows(path)))


def _read_rows(path: Path) -> Iterator[Result]:
    with path.open(newline="", encoding="utf-8") as file:
        reader = csv.DictReader(file)
        present = {*(reader.fieldnames or ()), *LATER}
        missing = [name for name in (*WORDS, "seed", *METRICS) if name not in present]
        if missing:
            raise DataError(f"{path} lacks the column {missing[0]}; write it again with angularpu bench collect")
        for number, row in enumerate(reader, start=2):
            try:
                yield _parse(row)
            except (TypeError, ValueError) as error:
                raise DataError(
                    f"{path}, line {number}: {error}; write it again with angularpu bench collect"
                ) from None


def _parse(row: Mapping[str, str]) -> Result:
    metrics = {name: float(text) if (text := row.get(name)) else math.nan for name in METRICS}
    words = {name: row[name] for name in WORDS}
    warnings = row.get("warnings") or ""
    return Result(seed=int(row["seed"]), metrics=MappingProxyType(metrics), warnings=warnings, **words)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
