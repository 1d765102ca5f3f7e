"""What every rule is: named settings that turn scores into a threshold."""

import dataclasses
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from angularpu.decide.decision import Decision
from angularpu.decide.held_out import HeldOut
from angularpu.decide.recall_interval import bound_binomial
from angularpu.decide.threshold import Thresholds, list_thresholds
from angularpu.scenario.sample import Scenario

FEW_POSITIVES = 30


@dataclass(frozen=True)
class Rule(ABC):
    """A way to choose a threshold, written ``name``, ``name=value`` or ``name=value,setting=value``.

    A new rule is a subclass, in a file of its own, with a ``name``, an ``example`` and :meth:`find`, and one entry in
    :data:`angularpu.decide.rules.RULES`. Its settings are its fields; a field called like the rule holds the value
    written next to the name.
    """

    name: ClassVar[str]
    example: ClassVar[str]

    @abstractmethod
    def find(self, held: HeldOut, thresholds: Thresholds) -> int:
        """Return which of the thresholds the rule chooses."""

    def check(self, *, n_pos: int, n_unl: int, scenario: Scenario) -> None:  # noqa: B027 - most rules always can
        """Refuse, before anything is trained, a rule that no model of such a sample could follow."""

    def bound_recall(self, k: int, n: int) -> tuple[float, float]:
        """Return a 90 % interval for the recall, when ``k`` of ``n`` positives lie above the threshold."""
        return bound_binomial(k, n)

    def choose(self, held: HeldOut) -> Decision:
        """Choose a threshold and say what it promises."""
        thresholds = list_thresholds(held.score_pos, held.score_unl)
        at = self.find(held, thresholds)
        k, n = int(thresholds.pos_above[at]), len(held.score_pos)
        low, high = self.bound_recall(k, n)
        return Decision(
            rule=str(self),
            threshold=float(thresholds.value[at]),
            recall=k / n,
            recall_low=low,
            recall_high=high,
            positive_share=float(thresholds.rest_above[at] / len(held.score_unl)),
            n_pos_used=n,
            notes=_note(held, calls_all=at == 0),
        )

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


def _note(held: HeldOut, *, calls_all: bool) -> tuple[str, ...]:
    notes = []
    n = len(held.score_pos)
    if n < FEW_POSITIVES:
        notes.append(f"the threshold rests on {n} positive(s) only, so its recall is known roughly")
    if held.source == "training":
        notes.append("the scores are of rows the model was trained on, so recall on new rows is likely lower")
    if held.source == "cross-fitted":
        notes.append("the threshold was chosen on cross-fitted scores and carried over to the model of all rows")
    if calls_all:
        notes.append("the threshold lies below all scores, so every row is called positive")
    return tuple(notes)
