"""A picture on its way to a file: what to draw, and the numbers that stand beside it."""

import csv
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from angularpu import files
from angularpu.errors import SettingError
from angularpu.figures.style import import_matplotlib, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# What a picture may be saved as, and how: equal pictures give equal bytes, and dots are small enough to print.
FORMATS: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {".svg": {"metadata": {"Date": None}}, ".png": {"metadata": {"Software": None}, "dpi": 200}}
)


@dataclass(frozen=True)
class Picture:
    """A figure that has not been drawn yet, with its numbers.

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
        Heading of the CSV file.
    numbers : sequence of sequences
        Rows of the CSV file: what was drawn.
    """

    name: str
    caption: str
    size: tuple[float, float]
    draw: Callable[["Figure"], None]
    columns: tuple[str, ...]
    numbers: Sequence[Sequence[Any]]


def check_picture(path: Path, *, data: Path | None = None) -> None:
    """Refuse a picture that could not be saved; call it before the work that the picture shows.

    Parameters
    ----------
    path : Path
        Where the picture is to be saved.
    data : Path, optional
        The user's own file, which the numbers beside the picture must not replace.
    """
    if path.suffix not in FORMATS:
        raise SettingError(
            f"a picture is saved as SVG or PNG, so its file must end in {' or '.join(FORMATS)}, got {path}; rename it"
        )
    if data is not None and path.with_suffix(".csv").resolve() == data.resolve():
        raise SettingError(f"the numbers beside {path} would replace {data}; give the picture another name")
    import_matplotlib()


def save_picture(picture: Picture, directory: Path, *, suffix: str = ".svg") -> tuple[Path, Path]:
    """Save a picture as SVG or PNG, with its numbers as CSV beside it, and return both paths.

    Equal pictures give equal bytes. The directory is made if it is not there.
    """
    directory.mkdir(parents=True, exist_ok=True)
    image = directory / f"{picture.name}{suffix}"
    with styled():
        figure = import_matplotlib().figure.Figure(figsize=picture.size)
        picture.draw(figure)
        with files.atomic_file(image) as temporary:
            figure.savefig(temporary, format=suffix[1:], **FORMATS[suffix])
    numbers = image.with_suffix(".csv")
    with files.atomic_file(numbers) as temporary, temporary.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(picture.columns)
        writer.writerows([_shorten(value) for value in row] for row in picture.numbers)
    return image, numbers


def _shorten(value: Any) -> Any:
    return f"{value:.6g}" if isinstance(value, float | np.floating) else value
