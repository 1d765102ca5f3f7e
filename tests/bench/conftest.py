import pytest

from angularpu_bench.spec.grid import expand
from angularpu_bench.spec.spec_file import parse_spec

TINY = {
    "seeds": 1,
    "methods": ["angular"],
    "budget": {"epochs": 2, "encoder": "linear"},
    "datasets": [{"name": "gaussians", "track": "table"}],
}


@pytest.fixture
def make_cells():
    """A function that returns the cells of a tiny spec, with some keys set otherwise."""

    def make(**keys):
        return expand(parse_spec({**TINY, **keys}, name="tiny"))

    return make


@pytest.fixture
def cell(make_cells):
    """One cell: AngularPU with a linear encoder, two epochs, on Gaussians."""
    return make_cells()[0]
