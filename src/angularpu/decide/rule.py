"""What every rule is: named settings that turn scores into a threshold."""

import dataclasses
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from angularpu.decide.decision import Decision
from angularpu.decide.held_out import HeldOut
from angularpu.decide.optimism import Optimism, measure_optimism
from angularpu.decide.precision import Promise, promise_precision
from angularpu.decide.prior_setting import Prior, Settled, check_counts, check_prior, settle_prior
from angularpu.decide.recall_interval import bound_binomial
from angularpu.decide.threshold import Thresholds, list_thresholds
from angularpu.scenario.proportions import Target, check_target
from angularpu.scenario.sample import Scenario

FEW_POSITIVES = 30


@dataclass(frozen=True, kw_only=True)
class Rule(ABC):
    """A way to choose a threshold, written ``name``, ``name=value`` or ``name=value,setting=value``.

    A new rule is a subclass, in a file of its own, with a ``name``, an ``example`` and :meth:`find`, and one entry in
    :data:`angularpu.decide.rules.RULES`. Its settings are its fields; a field called like the rule holds the value
    written next to the name.

    Parameters
    ----------
    prior : float in (0, 1) or str, optional
        The share of positives in ``target``, or the estimator that finds it: what the precision is estimated with. A
        rule that cannot choose without is a :class:`angularpu.decide.prior_rule.PriorRule`.
    target : {"population", "unlabelled"}, default "population"
        The rows to decide about: whose share ``prior`` is, and whose precision is promised.
    """

    name: ClassVar[str]
    example: ClassVar[str]
    # Whether the threshold is the best of all by the scores that afterwards estimate what it does.
    picks_best: ClassVar[bool] = False

    prior: Prior | None = None
    target: Target = "population"

    def __post_init__(self) -> None:
        check_target(self.target)
        if self.prior is not None:
            check_prior(self.prior)

    @abstractmethod
    def find(self, held: HeldOut, thresholds: Thresholds) -> int:
        """Return which of the thresholds the rule chooses."""

    def check(self, *, n_pos: int, n_unl: int, scenario: Scenario) -> None:
        """Refuse, before anything is trained, a rule that no model of such a sample could follow."""
        if self.prior is not None:
            check_counts(self.prior, target=self.target, n_pos=n_pos, n_unl=n_unl, scenario=scenario)

    def bound_recall(self, k: int, n: int) -> tuple[float, float]:
        """Return a 90 % interval for the recall, when ``k`` of ``n`` positives lie above the threshold."""
        return bound_binomial(k, n)

    def remark(self, held: HeldOut, thresholds: Thresholds) -> tuple[str, ...]:
        """Return what this rule has to say about its choice, a sentence each."""
        return ()

    def settle(self, held: HeldOut) -> Settled | None:
        """Return the prior, estimated from ``held`` when it is a name; None without one."""
        return None if self.prior is None else settle_prior(self.prior, held, target=self.target)

    def choose(self, held: HeldOut) -> Decision:
        """Choose a threshold and say what it promises."""
        thresholds = list_thresholds(held.score_pos, held.score_unl)
        settled = self.settle(held)
        # Estimators may be slow, so from here on their result stands in for their name.
        rule = self if settled is None else dataclasses.replace(self, prior=settled.share)
        at = rule.find(held, thresholds)
        threshold = float(thresholds.value[at])
        k, n = int(thresholds.pos_above[at]), len(held.score_pos)
        optimism = Optimism()
        if self.picks_best:
            optimism = measure_optimism(rule.find, held, thresholds=thresholds, settled=settled)
        low, high = self.bound_recall(k, n)
        promise = Promise() if settled is None else self._promise(held, threshold, settled, optimism)
        notes = _note(held, at=at, last=len(thresholds.value) - 1) + rule.remark(held, thresholds)
        return Decision(
            rule=str(self),
            threshold=threshold,
            recall=k / n,
            recall_low=max(0.0, low - optimism.recall),
            recall_high=high,
            positive_share=float(thresholds.rest_above[at] / len(held.score_unl)),
            n_pos_used=n,
            notes=notes if settled is None else notes + settled.notes,
            precision=promise.precision,
            precision_low=promise.low,
            precision_high=promise.high,
            alpha=None if settled is None else settled.shares.alpha,
            prior=None if settled is None else settled.shares.prior,
        )

    def _promise(self, held: HeldOut, threshold: float, settled: Settled, optimism: Optimism) -> Promise:
        estimator = self.prior if isinstance(self.prior, str) else None
        return promise_precision(held, threshold, settled=settled, estimator=estimator, optimism=optimism.precision)

    def __str__(self) -> str:
        value = getattr(self, self.name, None)
        head = self.name if value is None else f"{self.name}={_write(value)}"
        others = [
            f"{field.name}={_write(getattr(self, field.name))}"
            for field in dataclasses.fields(self)
            if field.name != self.name and getattr(self, field.name) != field.default
        ]
        return ",".join([head, *others])


def _write(value: float | str) -> str:
    return value if isinstance(value, str) else repr(value).removesuffix(".0")


def _note(held: HeldOut, *, at: int, last: int) -> tuple[str, ...]:
    notes = []
    n = len(held.score_pos)
    if n < FEW_POSITIVES:
        notes.append(f"the threshold rests on {n} positive(s) only, so its recall is known roughly")
    if held.source == "training":
        notes.append("the scores are of rows the model was trained on, so recall on new rows is likely lower")
    if held.source == "cross-fitted":
        notes.append("the threshold was chosen on cross-fitted scores and carried over to the model of all rows")
    if at == 0:
        notes.append("the threshold lies below all scores, so every row is called positive")
    if at == last:
        notes.append("the threshold lies above all scores, so no row is called positive")
    return tuple(notes)
