"""Rules that cannot choose without knowing how many rows are positive."""

from dataclasses import dataclass

from angularpu.decide.held_out import HeldOut
from angularpu.decide.prior_setting import Prior, Settled, settle_prior
from angularpu.decide.rule import Rule


@dataclass(frozen=True, kw_only=True)
class PriorRule(Rule):
    """A rule that needs the prior, and has BBE estimate it from the held-out scores unless it is given.

    Parameters
    ----------
    prior : float in (0, 1) or str, default "bbe"
        The share of positives in ``target``, or the estimator that finds it.
    target : {"population", "unlabelled"}, default "population"
        The rows to decide about.
    """

    prior: Prior = "bbe"

    def settle(self, held: HeldOut) -> Settled:
        """Return the prior, estimated from ``held`` when it is a name."""
        return settle_prior(self.prior, held, target=self.target)
