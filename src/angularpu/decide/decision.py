"""A threshold, the rule that chose it, and what to expect of it."""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from angularpu.errors import ModelError

PriorSource = Literal["given", "estimated", "audited"]
Bound = Literal["reached", "not reached", "cannot tell", "chance"]


@dataclass(frozen=True)
class Decision:
    """Call a row positive when its score lies strictly above ``threshold``.

    Attributes
    ----------
    rule : str
        The rule's text, as :func:`angularpu.decide.rules.parse_rule` reads it.
    threshold : float
        A float32 number that differs from every score it was chosen among.
    recall : float
        Share of the positives used that lie above.
    recall_low, recall_high : float
        90 % interval for the recall on new positives, if labels fell at random.
    positive_share : float
        Share of the unlabelled rows used that lie above.
    n_pos_used : int
        How many positives were used.
    notes : tuple of str
        What the user should know, a sentence each.
    precision, precision_low, precision_high : float, optional
        Expected share of positives among the rows of the rule's target above the threshold, and its 90 % interval.
        With an estimated prior ``precision`` is an upper bound, ``precision_high`` allows for its sampling error, and
        ``precision_low`` is what is likely where the bound is reached, and what is known for certain otherwise. None if
        no prior is known, no row lies above, or the scores rank no better than chance.
    alpha, prior : float, optional
        The shares of positives among the unlabelled rows and in the population, given to the rule or estimated: then
        they are upper bounds.
    prior_source : {"given", "estimated", "audited"}, optional
        Where they come from: the user, P and U alone, or rows checked by hand, which all figures rest on then. None
        without a prior, and in a model of an earlier version.
    alpha_low, alpha_high : float, optional
        90 % sampling interval of the bound ``alpha``; None unless it was estimated from the held-out scores.
    bound : {"reached", "not reached", "cannot tell", "chance"}, optional
        Whether an estimated ``alpha`` is likely the share itself; "chance": the scores rank no better than chance, so
        nothing can be said. None unless it was estimated.
    rise, rise_low, rise_high : float, optional
        What ``bound`` rests on: by which factor the ratio of U to P rises from the best fifth of the positives to the
        next 30 %, with its 90 % interval.
    refused : str, optional
        Why a fit does not cut by the rule that was asked for, if it does not.
    """

    rule: str
    threshold: float
    recall: float
    recall_low: float
    recall_high: float
    positive_share: float
    n_pos_used: int
    notes: tuple[str, ...] = ()
    precision: float | None = None
    precision_low: float | None = None
    precision_high: float | None = None
    alpha: float | None = None
    prior: float | None = None
    prior_source: PriorSource | None = None
    alpha_low: float | None = None
    alpha_high: float | None = None
    bound: Bound | None = None
    rise: float | None = None
    rise_low: float | None = None
    rise_high: float | None = None
    refused: str | None = None

    @property
    def unlabelled_precision(self) -> float | None:
        """Expected share of positives among the unlabelled rows above, alpha R/P_U(+); None as for ``precision``.

        None also in an audited decision, where ``target=unlabelled`` in the rule makes ``precision`` this share. With
        an estimated prior it is an upper bound.

        >>> Decision("pu-f1", 0.5, 0.75, 0.7, 0.8, 0.25, 50, alpha=0.125).unlabelled_precision
        0.375
        """
        # Known positives and hidden ones may have another recall each, and answers tell the two apart.
        if self.alpha is None or not self.positive_share or self.prior_source == "audited" or self.bound == "chance":
            return None
        # Not by metrics.mixture.solve_precision: `angularpu info` prints this and does without NumPy.
        return min(1.0, self.alpha * self.recall / self.positive_share)

    def to_json(self) -> dict[str, Any]:
        """Return the decision as a dictionary of JSON types."""
        return {**dataclasses.asdict(self), "notes": list(self.notes)}

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> "Decision":
        """Restore what :meth:`to_json` returned.

        >>> decision = Decision("lee-liu", 0.5, 0.9, 0.8, 0.95, 0.3, 50)
        >>> Decision.from_json(decision.to_json()) == decision
        True
        """
        try:
            return cls(**{**content, "notes": tuple(content["notes"])})
        except (TypeError, KeyError):
            raise ModelError(
                f"a stored decision must have the fields {', '.join(f.name for f in dataclasses.fields(cls))}, "
                f"got {', '.join(content) or 'none'}; fit the model again"
            ) from None
