"""Everything that the report is made from."""

from collections.abc import Sequence
from dataclasses import dataclass

from angularpu_bench.paper.published import Published
from angularpu_bench.report.point_files import Point
from angularpu_bench.report.results import Results


@dataclass(frozen=True)
class Evidence:
    """Everything that a report is made from: our results, the published numbers, and single points to draw."""

    results: Results
    published: Published
    scores: Sequence[Point] = ()
    embeddings: Sequence[Point] = ()
