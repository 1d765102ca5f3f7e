"""All that the report is made of."""

from collections.abc import Sequence
from dataclasses import dataclass

from angularpu_bench.paper.published import Published
from angularpu_bench.report.point_files import Point
from angularpu_bench.report.results import Results


@dataclass(frozen=True)
class Evidence:
    """All that a report is made of: our cells, their numbers, and points of single rows where there are some."""

    results: Results
    published: Published
    scores: Sequence[Point] = ()
    embeddings: Sequence[Point] = ()
