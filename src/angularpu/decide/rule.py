"""The base of all rules: a name and settings that turn scores into a threshold."""

import dataclasses
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from angularpu.decide.bound_words import note_bound
from angularpu.decide.decision import Decision
from angularpu.decide.held_out import HeldOut
from angularpu.decide.optimism import Optimism, measure_optimism
from angularpu.decide.plateau import Plateau, find_plateau
from angularpu.decide.precision import PrecisionEstimate, estimate_precision
from angularpu.decide.prior_setting import Prior, ResolvedPrior, check_counts, check_prior, resolve_prior
from angularpu.decide.recall_interval import bound_binomial
from angularpu.decide.redraws import Redraws, redraw
from angularpu.decide.threshold import Thresholds, list_thresholds
from angularpu.errors import BoundError
from angularpu.scenario.proportions import Target, check_target
from angularpu.scenario.sample import Scenario

FEW_POSITIVES = 30


@dataclass(frozen=True, kw_only=True)
class Rule(ABC):
    """A way to choose a threshold, written ``name``, ``name=value`` or ``name=value,setting=value``.

    A new rule is a subclass, in a file of its own, with a ``name``, an ``example`` and :meth:`find`, and one entry in
    :data:`angularpu.decide.rules.RULES`. Its fields are its settings; a field with the name of the rule holds the value
    that is written next to the name.

    Parameters
    ----------
    prior : float in (0, 1) or str, optional
        The share of positives in ``target``, or the name of an estimator; the precision is estimated with it. A rule
        that cannot choose without it is a :class:`PriorRule`.
    target : {"population", "unlabelled"}, default "population"
        The rows to decide about: ``prior`` is their share of positives, and the precision is theirs.
    """

    name: ClassVar[str]
    example: ClassVar[str]
    # Whether the same scores choose the best threshold and then estimate how good it is.
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

    def check(self, *, n_pos: int, n_unl: int, scenario: Scenario, has_margin: bool) -> None:
        """Refuse, before anything is trained, a rule that cannot work on such a sample or with such a method."""
        if self.prior is not None:
            check_counts(self.prior, target=self.target, n_pos=n_pos, n_unl=n_unl, scenario=scenario)

    def bound_recall(self, k: int, n: int) -> tuple[float, float]:
        """Return a 90 % interval for the recall, when ``k`` of ``n`` positives lie above the threshold."""
        return bound_binomial(k, n)

    def remark(self, held: HeldOut, thresholds: Thresholds) -> tuple[str, ...]:
        """Return what the user should know about the choice, a sentence each."""
        return ()

    def object_to(self, plateau: Plateau) -> str | None:
        """Return why an estimated share of positives does not bear what the rule promises; None if it does."""
        return None

    def resolve_prior(self, held: HeldOut) -> ResolvedPrior | None:
        """Return the shares of positives, estimated from ``held`` if the prior is a name; None without a prior."""
        return None if self.prior is None else resolve_prior(self.prior, held, target=self.target)

    def choose(self, held: HeldOut, *, estimated: bool = False) -> Decision:
        """Choose a threshold, and estimate its recall and precision.

        ``estimated`` says that the prior, though a number by now, came from an estimator: it is an upper bound.
        """
        thresholds = list_thresholds(held.score_pos, held.score_unl)
        resolved = self.resolve_prior(held)
        plateau = None
        if resolved is not None and (estimated or isinstance(self.prior, str)):
            plateau = find_plateau(held.score_pos, held.score_unl)
            if (objection := self.object_to(plateau)) is not None:
                raise BoundError(objection)
        # Estimators may be slow, so from here on their result replaces their name.
        rule = self if resolved is None else dataclasses.replace(self, prior=resolved.share)
        at = rule.find(held, thresholds)
        threshold = float(thresholds.value[at])
        k, n = int(thresholds.pos_above[at]), len(held.score_pos)
        optimism = Optimism()
        if self.picks_best:
            optimism = measure_optimism(rule.find, held, thresholds=thresholds, resolved=resolved)
        low, high = self.bound_recall(k, n)
        notes = _note(held, at=at, last=len(thresholds.value) - 1) + rule.remark(held, thresholds)
        decision = Decision(
            rule=str(self),
            threshold=threshold,
            recall=k / n,
            recall_low=max(0.0, low - optimism.recall),
            recall_high=high,
            positive_share=float(thresholds.rest_above[at] / len(held.score_unl)),
            n_pos_used=n,
            notes=notes,
        )
        if resolved is None:
            return decision
        return self._add_precision(decision, held, resolved=resolved, plateau=plateau, optimism=optimism.precision)

    def _add_precision(
        self, decision: Decision, held: HeldOut, *, resolved: ResolvedPrior, plateau: Plateau | None, optimism: float
    ) -> Decision:
        """Say what share of positives the decision rests on, and what precision follows."""
        redraws: Redraws | None = None
        if isinstance(self.prior, str):
            redraws = redraw(held, decision.threshold, estimator=self.prior)
        expected = PrecisionEstimate()
        if plateau is None or plateau.bound != "chance":
            expected = estimate_precision(
                held,
                decision.threshold,
                resolved=resolved,
                redraws=redraws,
                least_alpha=None if plateau is None else plateau.least_alpha,
                optimism=optimism,
            )
        decision = dataclasses.replace(
            decision,
            notes=decision.notes + resolved.notes,
            precision=expected.precision,
            precision_low=expected.low,
            precision_high=expected.high,
            alpha=resolved.shares.alpha,
            prior=resolved.shares.prior,
            alpha_low=None if redraws is None else redraws.low,
            alpha_high=None if redraws is None else redraws.high,
            prior_source="given",
        )
        return decision if plateau is None else _add_bound(decision, plateau)

    def __str__(self) -> str:
        value = getattr(self, self.name, None)
        head = self.name if value is None else f"{self.name}={_write(value)}"
        others = [
            f"{field.name}={_write(getattr(self, field.name))}"
            for field in dataclasses.fields(self)
            if field.name != self.name and getattr(self, field.name) != field.default
        ]
        return ",".join([head, *others])


@dataclass(frozen=True, kw_only=True)
class PriorRule(Rule):
    """A rule that cannot choose without a prior; unless it is given, BBE estimates it from the held-out scores.

    Parameters
    ----------
    prior : float in (0, 1) or str, default "bbe"
        The share of positives in ``target``, or the name of an estimator.
    target : {"population", "unlabelled"}, default "population"
        The rows to decide about.
    """

    prior: Prior = "bbe"

    def resolve_prior(self, held: HeldOut) -> ResolvedPrior:
        """Return the shares of positives, estimated from ``held`` if the prior is a name."""
        return resolve_prior(self.prior, held, target=self.target)


def _add_bound(decision: Decision, plateau: Plateau) -> Decision:
    seen = {"rise": plateau.rise, "low": plateau.rise_low, "high": plateau.rise_high}
    return dataclasses.replace(
        decision,
        notes=decision.notes + note_bound(plateau.bound, **seen),
        prior_source="estimated",
        bound=plateau.bound,
        rise=plateau.rise,
        rise_low=plateau.rise_low,
        rise_high=plateau.rise_high,
    )


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
        notes.append("the threshold was chosen on cross-fitted scores and carried over to the final model")
    if at == 0:
        notes.append("the threshold lies below all scores, so every row is flagged")
    if at == last:
        notes.append("the threshold lies above all scores, so no row is flagged")
    return tuple(notes)
