"""What our runs say about a claim of the paper: differences over data sets, and a verdict."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from angularpu_bench.report.comparison import bound_mean
from angularpu_bench.report.names import find_source, order_datasets
from angularpu_bench.report.results import Results
from angularpu_bench.report.table import DIGITS

HOLDS, OPPOSITE, OPEN, FAILS, PARTLY = "holds", "the opposite holds", "not settled", "does not hold", "holds in part"
NOT_RUN = "not run"


@dataclass(frozen=True)
class Finding:
    """A claim of the paper, whether our runs support it, and the numbers.

    Attributes
    ----------
    claim, verdict, evidence : str
    """

    claim: str
    verdict: str
    evidence: str


@dataclass(frozen=True)
class Gain:
    """How much higher one row of a table is than another, data set by data set.

    Attributes
    ----------
    by_dataset : mapping of str to float
        Mean of the paired differences on each data set.
    low, high : float
        95 % t interval of their mean over data sets; NaN with one data set.
    """

    by_dataset: Mapping[str, float]
    low: float
    high: float

    @property
    def mean(self) -> float:
        """The mean over data sets."""
        return float(np.mean(list(self.by_dataset.values())))

    @property
    def lead(self) -> int:
        """The number of data sets where it is higher minus the number where it is lower."""
        return sum((value > 0) - (value < 0) for value in self.by_dataset.values())

    @property
    def verdict(self) -> str:
        """Whether the interval lies above zero, below it, or contains it."""
        return HOLDS if self.low > 0 else OPPOSITE if self.high < 0 else OPEN

    def __str__(self) -> str:
        n = len(self.by_dataset)
        higher = sum(value > 0 for value in self.by_dataset.values())
        text = f"{self.mean:+.{DIGITS}f}"
        if math.isfinite(self.low):
            text += f" [{self.low:+.{DIGITS}f}, {self.high:+.{DIGITS}f}]"
        return f"{text}, higher on {higher} of {n} data sets"


def make_gain(differences: Mapping[str, float]) -> Gain | None:
    """Make a gain from the difference on each data set, averaging groupings of the same rows first; None without any.

    >>> print(make_gain({"cifar10": 0.1, "cifar10-animals": 0.3, "spam": 0.2}))
    +0.2000 [+0.2000, +0.2000], higher on 2 of 2 data sets
    """
    by_source: dict[str, list[float]] = {}
    for dataset in order_datasets(differences):
        by_source.setdefault(find_source(dataset), []).append(differences[dataset])
    means = {source: float(np.mean(values)) for source, values in by_source.items()}
    return Gain(means, *bound_mean(list(means.values()))) if means else None


def measure_gain(first: Results, second: Results, *, metric: str) -> Gain | None:
    """Pair two rows by draw of labels and average within each data set; None where they share no draw.

    >>> from angularpu_bench.report.results import Result
    >>> row = lambda method, auc: Results((Result("main", "table", "spam", method, "", 0, {"auc": auc}),))
    >>> print(measure_gain(row("angular", 0.75), row("naive", 0.5), metric="auc"))
    +0.2500, higher on 1 of 1 data sets
    """
    ours, theirs = first.by_draw(metric), second.by_draw(metric)
    pairs: dict[str, list[float]] = {}
    for draw in sorted(ours.keys() & theirs.keys()):
        pairs.setdefault(draw[0], []).append(ours[draw] - theirs[draw])
    return make_gain({dataset: float(np.mean(values)) for dataset, values in pairs.items()})


def judge_claim(claim: str, gains: Mapping[str, Gain | None], *, details: Sequence[str] = ()) -> Finding:
    """Judge a claim by the intervals of its gains; the details are added to the evidence as they are.

    >>> finding = judge_claim("Higher is better", {"AUC": Gain({"a": 0.1, "b": 0.3}, 0.1, 0.3), "AP": None})
    >>> finding.verdict, finding.evidence
    ('holds', 'AUC +0.2000 [+0.1000, +0.3000], higher on 2 of 2 data sets')
    """
    known = {name: gain for name, gain in gains.items() if gain is not None}
    if not known:
        return Finding(claim, NOT_RUN, "")
    evidence = "; ".join([*(f"{name} {gain}" for name, gain in known.items()), *details])
    verdicts = dict.fromkeys(gain.verdict for gain in known.values())
    if len(verdicts) == 1:
        return Finding(claim, next(iter(verdicts)), evidence)
    return Finding(claim, ", ".join(f"{name}: {gain.verdict}" for name, gain in known.items()), evidence)


def judge_parts(claim: str, parts: Mapping[str, tuple[bool, str]]) -> Finding:
    """Judge a claim by which of its parts support it.

    >>> judge_parts("Peaks at 3", {"a": (True, "best at 3"), "b": (False, "best at 9")})
    Finding(claim='Peaks at 3', verdict='holds in part', evidence='a: best at 3; b: best at 9')
    """
    if not parts:
        return Finding(claim, NOT_RUN, "")
    votes = [support for support, _ in parts.values()]
    verdict = HOLDS if all(votes) else PARTLY if any(votes) else FAILS
    return Finding(claim, verdict, "; ".join(f"{name}: {text}" for name, (_, text) in parts.items()))
