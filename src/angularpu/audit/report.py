"""What an audit found, kept with the model and told to its user."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from angularpu.audit.answers import BLANK, NO, UNSURE, YES, Answers
from angularpu.audit.estimates import Estimate, Estimates
from angularpu.decide.scar_tests import ScarCheck

FIGURES = ("alpha", "precision", "recall", "f1")


@dataclass(frozen=True)
class PUFigures:
    """What P and U alone said about the cut that they chose, and what the answers say about it.

    Attributes
    ----------
    threshold : float
    alpha, precision, recall, f1 : float or None
        By P and U alone.
    found : Estimates
        By the answers, at the same cut.
    bound : bool
        Whether alpha was estimated, so that alpha, precision and F1 are upper bounds.
    """

    threshold: float
    alpha: float | None
    precision: float | None
    recall: float
    f1: float | None
    found: Estimates
    bound: bool


@dataclass(frozen=True)
class AuditReport:
    """The answers of an audit in numbers.

    Attributes
    ----------
    n, yes, no, unsure, blank : int
        Rows drawn, and how they were answered.
    seed : int
        Of the draw.
    found : Estimates
        At the model's cut.
    before : PUFigures or None
        How far P and U alone were off; None where they could not decide.
    labelling : ScarCheck
        Whether the answers refute that labels fell at random.
    """

    n: int
    yes: int
    no: int
    unsure: int
    blank: int
    seed: int
    found: Estimates
    before: PUFigures | None
    labelling: ScarCheck

    @classmethod
    def make(
        cls, answers: Answers, found: Estimates, *, before: PUFigures | None, labelling: ScarCheck
    ) -> "AuditReport":
        """Count the answers, and put all that was found together."""
        kinds = {"yes": YES, "no": NO, "unsure": UNSURE, "blank": BLANK}
        counts = {name: answers.count(kind) for name, kind in kinds.items()}
        return cls(n=len(answers.y), seed=answers.audit.seed, found=found, before=before, labelling=labelling, **counts)

    def to_json(self) -> dict[str, Any]:
        """Return the report as a dictionary of JSON types."""
        counts = {name: getattr(self, name) for name in ("n", "yes", "no", "unsure", "blank", "seed")}
        before = None
        if self.before is not None:
            said = {name: getattr(self.before, name) for name in ("threshold", *FIGURES)}
            before = {"said": said, "found": _write(self.before.found), "bound": self.before.bound}
        return {**counts, "found": _write(self.found), "before": before, "labelling": self.labelling.to_json()}


def _write(found: Estimates) -> dict[str, Any]:
    estimates: Mapping[str, Estimate | None] = {name: getattr(found, name) for name in FIGURES}
    return {name: None if each is None else each.to_json() for name, each in estimates.items()}
