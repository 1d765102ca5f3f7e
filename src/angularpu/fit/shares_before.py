"""What is known of the shares of positives before anything is trained."""

import numpy as np

from angularpu.decide.prior_setting import Prior
from angularpu.fit.prior_estimation import estimate_alpha
from angularpu.priors.inputs import LEAST_POSITIVES
from angularpu.scenario.proportions import Proportions
from angularpu.scenario.sample import PUSample


def find_shares(
    prior: Prior, sample: PUSample, *, needed: bool, seed: int
) -> tuple[Proportions | None, tuple[str, ...]]:
    """Return what is known of the shares of positives before training, with what to say about it.

    Parameters
    ----------
    prior : float or str
        The population's share of positives, or the estimator that finds it.
    sample : PUSample
    needed : bool
        Whether an estimator is to run at all.
    seed : int
    """
    if not isinstance(prior, str):
        stated = Proportions.from_prior(prior, n_pos=sample.n_pos, n_unl=sample.n_unl, scenario=sample.scenario)
        return make_shares(sample, stated.alpha), ()
    if not needed:
        return None, ()
    if sample.n_pos < LEAST_POSITIVES:
        said = (
            f"{sample.n_pos} labelled positives are too few for {prior}: training takes half of the rest for positive"
        )
        return None, (said,)
    found = estimate_alpha(sample, prior, seed=seed)
    said = (
        f"{prior} put the share of positives among the unlabelled rows at {found.alpha:.3f} before training; the "
        "precision's interval takes that as exact"
    )
    return make_shares(sample, found.alpha), (said, *found.notes)


def make_shares(sample: PUSample, alpha: float) -> Proportions:
    """Return the shares of a sample, alpha at least half a row away from 0 and 1: no sample tells it from these."""
    edge = 0.5 / sample.n_unl
    return Proportions(sample.n_pos, sample.n_unl, sample.scenario, float(np.clip(alpha, edge, 1 - edge)))
