from pathlib import Path

import pytest

from angularpu_bench.paper.published import read_published

PUBLISHED = Path(__file__).parents[3] / "experiments" / "published.csv"


@pytest.fixture(scope="session")
def published():
    """The published numbers of this repository."""
    return read_published(PUBLISHED)
