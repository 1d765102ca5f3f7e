"""What came out when several methods ranked the same rows."""

import dataclasses
from dataclasses import dataclass
from typing import Any

from angularpu.scenario.proportions import Proportions


@dataclass(frozen=True)
class EstimatedF1:
    """What to expect of the rows called positive at the threshold with the greatest PU-F1.

    Attributes
    ----------
    f1, precision, recall : float
        In the population, estimated from labelled positives, unlabelled rows and a share of positives.
    """

    f1: float
    precision: float
    recall: float


@dataclass(frozen=True)
class ComparedMethod:
    """How one method ranked rows that it was not trained on.

    Attributes
    ----------
    name : str
        As it was asked for: a method or a preset.
    pu_auc, pu_auc_low, pu_auc_high : float
        The chance that a labelled positive scores above an unlabelled row, with its 90 % interval.
    auc : float or None
        The same with each unlabelled row counted by its chance of being negative; None with fewer than ten positives.
    difference, difference_low, difference_high : float
        The PU-AUC less that of the best method. The 90 % intervals of all pairs of methods hold at once.
    worse : bool
        Whether it is really worse than the best: the interval of the difference lies below 0.
    seconds : float
        Processor time of its fits in all folds.
    alpha : float or None
        What BBE reads off its scores: positives are at most this share of the unlabelled rows, but for chance. None
        with fewer than ten positives.
    decision : EstimatedF1 or None
        At its own threshold, but with the shares of positives that all methods have: :attr:`Comparison.shares`.
    """

    name: str
    pu_auc: float
    pu_auc_low: float
    pu_auc_high: float
    auc: float | None
    difference: float
    difference_low: float
    difference_high: float
    worse: bool
    seconds: float
    alpha: float | None
    decision: EstimatedF1 | None


@dataclass(frozen=True)
class Comparison:
    """Several methods, fitted in the same folds.

    Attributes
    ----------
    methods : tuple of ComparedMethod
        The highest PU-AUC first.
    real : tuple of (str, str)
        Every pair of which the first ranks really better than the second.
    left_out : dict of str to str
        Methods that could not be fitted to these rows, with the reason.
    shares : Proportions or None
        The shares of positives that F1, precision and recall rest on; None where nothing is known of them.
    notes : tuple of str
        What to be careful about, a sentence each.
    """

    methods: tuple[ComparedMethod, ...]
    real: tuple[tuple[str, str], ...]
    left_out: dict[str, str]
    shares: Proportions | None
    notes: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the comparison as a dictionary of JSON types."""
        return {
            "methods": [dataclasses.asdict(each) for each in self.methods],
            "real": [list(pair) for pair in self.real],
            "left_out": self.left_out,
            "alpha": None if self.shares is None else self.shares.alpha,
            "prior": None if self.shares is None else self.shares.prior,
            "notes": list(self.notes),
        }
