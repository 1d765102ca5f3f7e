"""Files of single points, for the figures of scores and embeddings."""

import csv
import math
from collections.abc import Sequence
from pathlib import Path

from angularpu.errors import DataError
from angularpu.figures.style import GROUP_COLOURS

# The columns of each file: which panel and group a point belongs to, and its numbers.
POINT_COLUMNS = {
    "scores": ("dataset", "panel", "group", "score", "threshold"),
    "embeddings": ("dataset", "panel", "group", "x", "y"),
}
Point = dict[str, str]


def read_points(directory: Path, name: str) -> Sequence[Point]:
    """Read ``scores.csv`` or ``embeddings.csv``; empty if there is no such file.

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
        if tuple(reader.fieldnames or ()) != POINT_COLUMNS[name]:
            raise DataError(f"{path} must have the columns {', '.join(POINT_COLUMNS[name])}; got {reader.fieldnames}")
        points = list(reader)
    numbers = POINT_COLUMNS[name][3:]
    for line, point in enumerate(points, start=2):
        if point["group"] not in GROUP_COLOURS:
            allowed = ", ".join(GROUP_COLOURS)
            raise DataError(
                f"{path}, line {line}: group must be one of {allowed}, got {point['group']}; correct the line"
            )
        if not all(_is_finite(point[column]) for column in numbers):
            raise DataError(f"{path}, line {line}: {' and '.join(numbers)} must be numbers; correct the line")
    return points


def _is_finite(text: str | None) -> bool:
    try:
        return math.isfinite(float(text or ""))
    except ValueError:
        return False
