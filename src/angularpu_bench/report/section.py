"""A section of the report, before it is written as Markdown or HTML."""

from collections.abc import Sequence
from dataclasses import dataclass

from angularpu.figures.picture import Picture
from angularpu_bench.report.table import Table

Part = str | Table | Picture


@dataclass(frozen=True)
class Section:
    """A heading, and the paragraphs, tables and pictures below it in order."""

    title: str
    parts: Sequence[Part]


def say_missing(kind: str) -> str:
    """Say that an experiment has no results yet, and which command makes them."""
    return f"No results yet: `angularpu bench run experiments/{kind}.toml` makes them."
