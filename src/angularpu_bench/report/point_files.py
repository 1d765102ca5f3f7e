"""Rows of single points, for the figures that show more than means: scores and embeddings."""

import csv
import math
from collections.abc import Sequence
from pathlib import Path

from angularpu.errors import DataError
from angularpu.figures.style import GROUP_COLOURS

# What each file holds: which panel a point belongs to, its group, and its numbers.
COLUMNS = {
    "scores": ("dataset", "panel", "group", "score", "threshold"),
    "embeddings": ("dataset", "panel", "group", "x", "y"),
}
Point = dict[str, str]


def read_points(directory: Path, name: str) -> Sequence[Point]:
    """Read ``scores.csv`` or ``embeddings.csv``, nothing where there is no such file.

    Parameters
    ----------
    directory : Path
    name : {"scores", "embeddings"}
        The file's columns are data set, panel (a method, or "before" and "after"), group (a name of
        ``style.GROUP_COLOURS``) and two numbers: score and threshold, or x and y.
    """
    path = directory / f"{name}.csv"
    if not path.exists():
        return []
    with path.open(newline="", encoding="utf-8") as file:
        reader = csv.DictReader(file)
        if tuple(reader.fieldnames or ()) != COLUMNS[name]:
            raise DataError(f"{path} must have the columns {', '.join(COLUMNS[name])}; got {reader.fieldnames}")
        points = list(reader)
    for number, point in enumerate(points, start=2):
        if point["group"] not in GROUP_COLOURS:
            raise DataError(
                f"{path}, line {number}: group must be one of {', '.join(GROUP_COLOURS)}, got {point['group']}"
            )
        if not all(_is_finite(point[column]) for column in COLUMNS[name][3:]):
            raise DataError(f"{path}, line {number}: {' and '.join(COLUMNS[name][3:])} must be numbers; mend the line")
    return points


def _is_finite(text: str | None) -> bool:
    try:
        return math.isfinite(float(text or ""))
    except ValueError:
        return False
