"""A claim of the paper, with what every kind of runs says about it."""

from dataclasses import dataclass

from angularpu_bench.paper.finding import Finding


@dataclass(frozen=True)
class Judged:
    """What one kind of runs says about a claim: which kind, the runs' full name, and the finding."""

    runs: str
    name: str
    finding: Finding


@dataclass(frozen=True)
class Claim:
    """A claim of the paper with everything that was found about it."""

    text: str
    judged: tuple[Judged, ...]
