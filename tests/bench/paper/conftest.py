from pathlib import Path

import pytest

from angularpu.figures.picture import Picture
from angularpu_bench.paper.published import read_published
from angularpu_bench.report.results import Results
from angularpu_bench.report.table import Table

PUBLISHED = Path(__file__).parents[3] / "experiments" / "published.csv"


@pytest.fixture(scope="session")
def published():
    """The published numbers of this repository."""
    return read_published(PUBLISHED)


@pytest.fixture(scope="session")
def join():
    """A function that makes results of several."""
    return lambda *parts: Results(tuple(row for part in parts for row in part))


@pytest.fixture(scope="session")
def tables():
    """A function that returns the tables of a section."""
    return lambda section: [part for part in section.parts if isinstance(part, Table)]


@pytest.fixture(scope="session")
def pictures():
    """A function that returns the pictures of a section."""
    return lambda section: [part for part in section.parts if isinstance(part, Picture)]


@pytest.fixture(scope="session")
def fields():
    """A function that returns a table as a dictionary of its rows, each a dictionary by column."""
    return lambda table: {row[0].text: dict(zip(table.columns, row, strict=True)) for row in table.rows}
