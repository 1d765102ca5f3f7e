"""A claim of the paper, with what every kind of runs says about it."""

from dataclasses import dataclass

from angularpu_bench.paper.finding import Finding

PUBLISHED, OWN, TUNED = "published schedule", "chosen epoch", "fine-tuned"
RUNS = (PUBLISHED, OWN, TUNED)


@dataclass(frozen=True)
class Judged:
    """What one kind of runs says about a claim: which kind, the runs' full name, and the finding."""

    runs: str
    name: str
    finding: Finding


@dataclass(frozen=True)
class Words:
    """How a claim that is a difference is told: who does what if it holds, and what if its opposite does.

    Attributes
    ----------
    subject : str
        In the singular.
    good, bad : str
        What it does; each begins with a verb.
    about : str
        To what; ``{}`` stands for the name of a difference.
    """

    subject: str
    good: str
    bad: str
    about: str = "{}"


@dataclass(frozen=True)
class Claim:
    """A claim of the paper with everything that was found about it; ``words`` where it is told as a difference."""

    text: str
    judged: tuple[Judged, ...]
    words: Words | None = None
