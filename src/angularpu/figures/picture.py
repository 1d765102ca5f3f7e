"""A figure on its way to a file: what to draw, and the numbers that go beside it."""

import csv
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from angularpu import files
from angularpu.figures.style import styled


@dataclass(frozen=True)
class Picture:
    """A figure that has not been drawn yet.

    Attributes
    ----------
    name : str
        The file's name without its ending.
    caption : str
        What it shows, in one sentence.
    size : tuple of float
        Width and height in inches.
    draw : callable
        Draws it on an empty matplotlib figure.
    columns : tuple of str
    numbers : sequence of sequences
        Rows of the CSV file: what was drawn.
    """

    name: str
    caption: str
    size: tuple[float, float]
    draw: Callable[[Figure], None]
    columns: tuple[str, ...]
    numbers: Sequence[Sequence[Any]]


def save_picture(picture: Picture, directory: Path) -> tuple[Path, Path]:
    """Save a picture as SVG, with its numbers as CSV beside it, and return both paths."""
    image = directory / f"{picture.name}.svg"
    with styled():
        figure = Figure(figsize=picture.size)
        picture.draw(figure)
        with files.atomic_file(image) as temporary:
            figure.savefig(temporary, format="svg", metadata={"Date": None})
    numbers = image.with_suffix(".csv")
    with files.atomic_file(numbers) as temporary, temporary.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(picture.columns)
        writer.writerows([_shorten(value) for value in row] for row in picture.numbers)
    return image, numbers


def _shorten(value: Any) -> Any:
    return f"{value:.6g}" if isinstance(value, float) else value
