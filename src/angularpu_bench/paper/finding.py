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
FEWEST = 3  # data sets behind a verdict that is shown as one


Draws = Mapping[tuple[str, int], float]  # a number by data set and seed


@dataclass(frozen=True)
class Finding:
    """What some runs say about a claim of the paper.

    Attributes
    ----------
    verdict, evidence : str
        In a word, and with the numbers.
    n : int
        The number of data sets behind it.
    """

    verdict: str
    evidence: str
    n: int

    @property
    def firm(self) -> bool:
        """Whether enough data sets are behind it to call the verdict one."""
        return self.n >= FEWEST

    def __str__(self) -> str:
        few = f" ({self.n} data set{'s' if self.n > 1 else ''})" if 0 < self.n < FEWEST else ""
        return f"{self.verdict}{few}"


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
    return pair_draws(first.by_draw(metric), second.by_draw(metric))


def pair_draws(first: Draws, second: Draws) -> Gain | None:
    """Make the gain of one number over another, both by data set and seed; None where they share no draw.

    >>> print(pair_draws({("spam", 0): 0.75, ("spam", 1): 0.5}, {("spam", 0): 0.5}))
    +0.2500, higher on 1 of 1 data sets
    """
    pairs: dict[str, list[float]] = {}
    for draw in sorted(first.keys() & second.keys()):
        pairs.setdefault(draw[0], []).append(first[draw] - second[draw])
    return make_gain({dataset: float(np.mean(values)) for dataset, values in pairs.items()})


def judge_gains(gains: Mapping[str, Gain | None], *, details: Sequence[str] = ()) -> Finding:
    """Judge a claim by the intervals of its gains; the details are added to the evidence as they are.

    >>> finding = judge_gains({"AUC": Gain({"a": 0.1, "b": 0.3}, 0.1, 0.3), "AP": None})
    >>> str(finding), finding.evidence
    ('holds (2 data sets)', 'AUC +0.2000 [+0.1000, +0.3000], higher on 2 of 2 data sets')
    """
    known = {name: gain for name, gain in gains.items() if gain is not None}
    if not known:
        return Finding(NOT_RUN, "", 0)
    verdicts = list(dict.fromkeys(gain.verdict for gain in known.values()))
    apart = ", ".join(f"{name}: {gain.verdict}" for name, gain in known.items())
    return Finding(
        verdict=verdicts[0] if len(verdicts) == 1 else apart,
        evidence=list_gains(known, details=details),
        n=count_datasets(known),
    )


def judge_parts(parts: Mapping[str, tuple[bool, str]], *, n: int) -> Finding:
    """Judge a claim by which of its parts support it; n is the number of data sets behind them.

    >>> judge_parts({"a": (True, "best at 3"), "b": (False, "best at 9")}, n=2)
    Finding(verdict='holds in part', evidence='a: best at 3; b: best at 9', n=2)
    """
    if not parts:
        return Finding(NOT_RUN, "", 0)
    votes = [support for support, _ in parts.values()]
    verdict = HOLDS if all(votes) else PARTLY if any(votes) else FAILS
    return Finding(verdict, "; ".join(f"{name}: {text}" for name, (_, text) in parts.items()), n)


def list_gains(gains: Mapping[str, Gain], *, details: Sequence[str] = ()) -> str:
    """Write gains by their names, and further details."""
    return "; ".join([*(f"{name} {gain}" for name, gain in gains.items()), *details])


def count_datasets(gains: Mapping[str, Gain]) -> int:
    """Count the data sets that are behind every one of several gains."""
    return min(len(gain.by_dataset) for gain in gains.values())
