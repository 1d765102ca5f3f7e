"""What our runs say about a claim of the paper: differences over data sets, and a verdict."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from angularpu_bench.report.comparison import Belief, believe, bound_mean
from angularpu_bench.report.names import find_source, order_datasets
from angularpu_bench.report.results import Results
from angularpu_bench.report.table import DIGITS

HOLDS, OPPOSITE, OPEN, FAILS, PARTLY = "holds", "the opposite holds", "unclear", "does not hold", "holds in part"
EQUAL, NO_WORSE, NO_BETTER = "no difference that matters", "no worse", "no better"
NOT_RUN = "not run"
PROBABLY = "probably"
FEWEST = 3  # data sets behind a verdict that is shown as one, and draws behind what is said of one data set
CLAIMS = 19  # are judged
LIKELY = 0.95  # how likely a verdict must be to be called probable, and a difference on a single data set to be counted
SURE = 1 - 0.05 / CLAIMS  # how likely a verdict must be, so that all of them together err with a chance of 5 % at most
AUC_MARGIN = 0.003  # the smallest difference of AUC that matters
MARGIN = 0.01  # of other metrics

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
    gain : Gain or None
        The difference that a picture shows: the first of several metrics, the least favourable of several rivals or
        settings; None where the claim is no difference.
    size : str
        How many rivals, settings or data sets agree, where that is counted.
    gains : mapping of str to Gain
        All differences by what they are about, where the verdict is made of theirs.
    """

    verdict: str
    evidence: str
    n: int
    gain: "Gain | None" = None
    size: str = ""
    gains: "Mapping[str, Gain]" = field(default_factory=dict)

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
    draws : mapping of str to sequence of float
        The paired differences on each data set, one for each draw of labels.
    margin : float
        The smallest difference that matters.
    """

    draws: Mapping[str, Sequence[float]]
    margin: float

    @property
    def by_dataset(self) -> dict[str, float]:
        """The mean difference on each data set."""
        return {dataset: float(np.mean(values)) for dataset, values in self.draws.items()}

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % t interval of the mean over data sets; NaN with one data set."""
        return bound_mean(list(self.by_dataset.values()))

    @property
    def belief(self) -> Belief:
        """How likely the mean over data sets is above the margin, within it, and below."""
        return believe(list(self.by_dataset.values()), margin=self.margin)

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
        """What is sure enough to be said when as many claims are judged."""
        return self._judge(SURE)

    @property
    def likely(self) -> str:
        """What could be said if this claim were the only one."""
        return self._judge(LIKELY)

    @property
    def grade(self) -> tuple[str, bool]:
        """What can be said, and whether that is only probable."""
        return (self.verdict, False) if self.verdict != OPEN or self.likely == OPEN else (self.likely, True)

    @property
    def told(self) -> str:
        """The verdict, or what is probable; where neither can be said, what the draws say of each data set."""
        verdict, is_likely = self.grade
        if verdict != OPEN:
            return f"{PROBABLY} {verdict}" if is_likely else verdict
        counts = self.counts
        known = ", ".join(f"{name} on {n}" for name, n in counts.items() if n)
        if not known:
            return f"{OPEN}: higher on {self.higher} of {len(self.draws)} data sets"
        mixed = "mixed: " if counts["better"] and counts["worse"] else ""
        return f"{mixed}{known} of {len(self.draws)} data sets"

    @property
    def counts(self) -> dict[str, int]:
        """On how many data sets its draws make it better, equal or worse."""
        beliefs = [believe(values, margin=self.margin) for values in self.draws.values() if len(values) >= FEWEST]
        return {name: sum(getattr(each, name) >= LIKELY for each in beliefs) for name in ("better", "equal", "worse")}

    @property
    def higher(self) -> int:
        """On how many data sets it is higher."""
        return sum(value > 0 for value in self.by_dataset.values())

    def _judge(self, level: float) -> str:
        found = self.belief
        chances = {
            HOLDS: found.better,
            EQUAL: found.equal,
            OPPOSITE: found.worse,
            NO_WORSE: found.better + found.equal,
            NO_BETTER: found.equal + found.worse,
        }
        return next((verdict for verdict, chance in chances.items() if chance >= level), OPEN)

    def __str__(self) -> str:
        text, (low, high), found = f"{self.mean:+.{DIGITS}f}", self.interval, self.belief
        if math.isfinite(low):
            text += f" [{low:+.{DIGITS}f}, {high:+.{DIGITS}f}]"
            text += f", better {found.better:.2f}, equal {found.equal:.2f}, worse {found.worse:.2f}"
        return f"{text}, higher on {self.higher} of {len(self.draws)} data sets"


def make_gain(differences: Mapping[str, Sequence[float]], *, margin: float = MARGIN) -> Gain | None:
    """Make a gain from the differences on each data set, taking groupings of the same rows together; None without any.

    >>> print(make_gain({"cifar10": [0.1], "cifar10-animals": [0.3], "spam": [0.2]}))
    +0.2000 [+0.2000, +0.2000], better 1.00, equal 0.00, worse 0.00, higher on 2 of 2 data sets
    """
    by_source: dict[str, list[float]] = {}
    for dataset in order_datasets(differences):
        by_source.setdefault(find_source(dataset), []).extend(differences[dataset])
    return Gain(by_source, margin) if by_source else None


def measure_gain(first: Results, second: Results, *, metric: str, margin: float | None = None) -> Gain | None:
    """Pair two rows by draw of labels and average within each data set; None where they share no draw.

    >>> from angularpu_bench.report.results import Result
    >>> row = lambda method, auc: Results((Result("main", "table", "spam", method, "", 0, {"auc": auc}),))
    >>> print(measure_gain(row("angular", 0.75), row("naive", 0.5), metric="auc"))
    +0.2500, higher on 1 of 1 data sets
    """
    usual = AUC_MARGIN if metric == "auc" else MARGIN
    return pair_draws(first.by_draw(metric), second.by_draw(metric), margin=usual if margin is None else margin)


def pair_draws(first: Draws, second: Draws, *, margin: float) -> Gain | None:
    """Make the gain of one number over another, both by data set and seed; None where they share no draw.

    >>> print(pair_draws({("spam", 0): 0.75, ("spam", 1): 0.5}, {("spam", 0): 0.5}, margin=0.01))
    +0.2500, higher on 1 of 1 data sets
    """
    pairs: dict[str, list[float]] = {}
    for draw in sorted(first.keys() & second.keys()):
        pairs.setdefault(draw[0], []).append(first[draw] - second[draw])
    return make_gain(pairs, margin=margin)


def judge_gains(gains: Mapping[str, Gain | None], *, details: Sequence[str] = ()) -> Finding:
    """Judge a claim by what to believe of its gains; the details are added to the evidence as they are.

    >>> finding = judge_gains({"AUC": make_gain({"a": [0.2], "b": [0.2]}), "AP": None})
    >>> str(finding), finding.evidence.partition(",")[0]
    ('holds (2 data sets)', 'AUC +0.2000 [+0.2000')
    """
    known = {name: gain for name, gain in gains.items() if gain is not None}
    if not known:
        return Finding(NOT_RUN, "", 0)
    verdicts = list(dict.fromkeys(gain.told for gain in known.values()))
    apart = "; ".join(f"{name}: {gain.told}" for name, gain in known.items())
    return Finding(
        verdict=verdicts[0] if len(verdicts) == 1 else apart,
        evidence=list_gains(known, details=details),
        n=count_datasets(known),
        gain=next(iter(known.values())),
        gains=known,
    )


def judge_all(gains: Mapping[str, Gain], evidence: str, *, others: str) -> Finding:
    """Judge a claim that asks to be ahead of all others: one that it is not ahead of is enough to refute it."""
    if not gains:
        return Finding(NOT_RUN, "", 0)
    sure = _join_verdicts([gain.verdict for gain in gains.values()])
    likely = _join_verdicts([gain.likely for gain in gains.values()])
    size = f"ahead of {sum(gain.lead > 0 for gain in gains.values())} of {len(gains)} {others} on most data sets"
    verdict = sure or (f"{PROBABLY} {likely}" if likely else f"{OPEN}: {size}")
    least = min(gains.values(), key=lambda gain: gain.mean)
    return Finding(verdict, evidence, count_datasets(gains), least, size)


def judge_parts(parts: Mapping[str, tuple[bool, str]], *, n: int, kind: str = "data sets") -> Finding:
    """Judge a claim by which of its parts support it; n is the number of data sets behind them, ``kind`` what they are.

    >>> found = judge_parts({"a": (True, "best at 3"), "b": (False, "best at 9")}, n=2)
    >>> found.verdict, found.size, found.evidence
    ('holds in part', '1 of 2 data sets', 'a: best at 3; b: best at 9')
    """
    if not parts:
        return Finding(NOT_RUN, "", 0)
    votes = [support for support, _ in parts.values()]
    verdict = HOLDS if all(votes) else PARTLY if any(votes) else FAILS
    evidence = "; ".join(f"{name}: {text}" for name, (_, text) in parts.items())
    return Finding(verdict, evidence, n, size=f"{sum(votes)} of {len(votes)} {kind}" if len(votes) > 1 else "")


def list_gains(gains: Mapping[str, Gain], *, details: Sequence[str] = ()) -> str:
    """Write gains by their names, and further details."""
    return "; ".join([*(f"{name} {gain}" for name, gain in gains.items()), *details])


def count_datasets(gains: Mapping[str, Gain]) -> int:
    """Count the data sets that are behind every one of several gains."""
    return min(len(gain.by_dataset) for gain in gains.values())


def _join_verdicts(verdicts: Sequence[str]) -> str:
    """Return what verdicts on every one of several differences say of all, "" if they leave it open."""
    if set(verdicts) == {EQUAL}:
        return EQUAL
    if {OPPOSITE, EQUAL, NO_BETTER} & set(verdicts):
        return FAILS
    if OPEN in verdicts:
        return ""
    return NO_WORSE if NO_WORSE in verdicts else HOLDS
