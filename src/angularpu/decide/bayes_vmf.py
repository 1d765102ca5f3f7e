"""Cut where a row is as likely positive as negative by the paper's generative model."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from angularpu.decide.held_out import HeldOut
from angularpu.decide.rule import PriorRule
from angularpu.decide.threshold import Thresholds, find_place
from angularpu.errors import DataError, SettingError
from angularpu.geometry.bayes import BayesRule, bayes_threshold
from angularpu.geometry.vmf_fit import fit_kappa
from angularpu.scenario.sample import Scenario

ROUNDING = 1e-4


@dataclass(frozen=True, kw_only=True)
class BayesVMF(PriorRule):
    """Take the Bayes threshold of vMF positives among uniform negatives, for scores kappa mu.z.

    The concentration k is fitted to the cosines of the held-out positives; it is not the score's scale kappa. The
    cosine tau = -(1/k)(log C_d(k) - log U_d + log(pi/(1 - pi))) times that scale is a score, and the threshold lies
    between the two held-out scores around it. The rule is as good as the model, and trained negatives are rarely
    uniform.

    Parameters
    ----------
    d : int
        Dimension of the embedding, at least 2.
    scale : float
        What the cosine was multiplied by, the method's kappa; above 0.

    Examples
    --------
    >>> score_pos, score_unl = 3 * np.array([0.5, 0.7, 0.6]), 3 * np.array([-0.1, 0.1, 0.2, 0.65])
    >>> held = HeldOut(score_pos, score_unl, n_pos=3, n_unl=4, scenario="two-sample", source="held out")
    >>> decision = BayesVMF(d=16, scale=3.0, prior=0.25).choose(held)
    >>> decision.recall, decision.positive_share
    (1.0, 0.25)
    """

    name: ClassVar[str] = "bayes-vmf"
    example: ClassVar[str] = "bayes-vmf,d=128,scale=3"

    d: int
    scale: float

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.d < 2:
            raise SettingError(
                f"d must be at least 2, got {self.d}; write the embedding's dimension, as {self.example}"
            )
        if not 0 < self.scale < np.inf:
            raise SettingError(
                f"scale must be above 0, got {self.scale:g}; write the method's kappa, as {self.example}"
            )

    def find(self, held: HeldOut, thresholds: Thresholds) -> int:
        """Return the threshold that has the same rows above it as the closed form."""
        least = self.scale * self._solve(held).cosine
        return find_place(thresholds, least, score_pos=held.score_pos, score_rest=held.score_unl)

    def remark(self, held: HeldOut, thresholds: Thresholds) -> tuple[str, ...]:
        """Return a note if no cosine reaches the closed form's threshold."""
        rule = self._solve(held)
        return () if rule.reachable else (f"the Bayes threshold is a cosine of {rule.cosine:.3g}, beyond [-1, 1]",)

    def check(self, *, n_pos: int, n_unl: int, scenario: Scenario, has_margin: bool) -> None:
        """Refuse, before anything is trained, a model whose scores are no cosines, among them a mean of networks."""
        super().check(n_pos=n_pos, n_unl=n_unl, scenario=scenario, has_margin=has_margin)
        if not has_margin:
            raise SettingError(
                "the rule bayes-vmf is for the cosines of a single AngularPU network, which this model does not have; "
                "fit the method angular with refit=True, or use another rule, such as pu-f1"
            )

    def _solve(self, held: HeldOut) -> BayesRule:
        largest = max(np.abs(held.score_pos).max(), np.abs(held.score_unl).max()) / self.scale
        if largest > 1 + ROUNDING:
            raise DataError(
                f"scores divided by scale={self.scale:g} must be cosines, got {largest:.4g}; write the method's kappa, "
                "and use another rule for margin scores"
            )
        kappa = fit_kappa(float(np.clip(held.score_pos.mean(dtype=np.float64) / self.scale, -1, 1)), self.d)
        if kappa == 0:
            raise DataError("the held-out positives point away from mu on average; use a rule that fits no law to them")
        return bayes_threshold(kappa, self.d, prior=self.resolve_prior(held).share)
