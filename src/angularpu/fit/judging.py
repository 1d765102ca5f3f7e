"""Rankings of the same rows, judged by positives and unlabelled rows alone."""

from collections.abc import Mapping

import numpy as np

from angularpu.decide.held_out import HeldOut
from angularpu.decide.precision import expect_precision
from angularpu.decide.pu_f1 import PUF1
from angularpu.decide.threshold import list_thresholds
from angularpu.fit.comparison import ComparedMethod, Comparison, EstimatedF1
from angularpu.fit.cross_fits import CrossFit
from angularpu.fit.shares_before import make_shares
from angularpu.methods.member_weights import find_posterior, weighted_auc
from angularpu.metrics.paired_auc import compare_auc
from angularpu.priors.bbe import estimate_bbe
from angularpu.priors.inputs import LEAST_POSITIVES
from angularpu.scenario.proportions import Proportions
from angularpu.scenario.sample import PUSample


def judge(
    fits: Mapping[str, CrossFit],
    sample: PUSample,
    *,
    parts: Mapping[str, CrossFit],
    stated: Proportions | None,
    left_out: dict[str, str],
    notes: tuple[str, ...],
    seed: int,
) -> Comparison:
    """Compare the rankings of several methods.

    Parameters
    ----------
    fits : mapping of str to CrossFit
        All methods to compare, by name.
    sample : PUSample
    parts : mapping of str to CrossFit
        Those whose equal mean says how likely each unlabelled row is negative.
    stated : Proportions or None
        The shares of positives, if the user knows them.
    left_out, notes
        As :class:`Comparison` has them.
    seed : int
    """
    names, rankings = list(fits), list(fits.values())
    paired = compare_auc([(fit.pos, fit.unl) for fit in rankings], rng=np.random.default_rng([seed, 8]))
    alphas: list[float] = []
    negative = None
    if sample.n_pos >= LEAST_POSITIVES:
        alphas = [estimate_bbe(fit.pos, fit.unl).alpha for fit in rankings]
        negative = 1 - find_posterior([fit.common for fit in parts.values()], sample)
    # One alpha for all: F1 rises with it, so with bounds of their own the method with the loosest would look best.
    shares = stated or (make_shares(sample, min(alphas)) if alphas else None)
    if stated is None and shares is not None:
        notes = (*notes, _explain_f1(shares.alpha))
    order = np.argsort(-paired.value, kind="stable").tolist()
    best = order[0]
    compared = tuple(
        ComparedMethod(
            name=names[at],
            pu_auc=float(paired.value[at]),
            pu_auc_low=float(paired.low[at]),
            pu_auc_high=float(paired.high[at]),
            auc=None if negative is None else weighted_auc(rankings[at].pos, rankings[at].unl, negative),
            difference=float(paired.difference[at, best]),
            difference_low=float(paired.difference_low[at, best]),
            difference_high=float(paired.difference_high[at, best]),
            worse=bool(paired.real[best, at]),
            seconds=rankings[at].seconds,
            alpha=alphas[at] if alphas else None,
            decision=None if shares is None else estimate_f1(rankings[at].hold_out(sample), prior=shares.prior),
        )
        for at in order
    )
    real = tuple((names[a], names[b]) for a in order for b in order if paired.real[a, b])
    return Comparison(compared, real, left_out, shares, notes)


def _explain_f1(alpha: float) -> str:
    return (
        f"every F1 takes {alpha:.1%} of the unlabelled rows for positive, the least of all bounds; where that is off, "
        "all are off alike, so compare them and trust none"
    )


def estimate_f1(held: HeldOut, *, prior: float) -> EstimatedF1:
    """Estimate F1 in the population at the threshold with the greatest PU-F1.

    Parameters
    ----------
    held : HeldOut
    prior : float
        The population's share of positives.

    Examples
    --------
    Both positives and one unlabelled row of four lie above the best threshold:

    >>> held = HeldOut(np.array([3.0, 4.0]), np.array([1.0, 2.0, 2.5, 5.0]), 2, 4, "two-sample", "held out")
    >>> estimate_f1(held, prior=0.2)
    EstimatedF1(f1=0.888888888888889, precision=0.8, recall=1.0)
    """
    thresholds = list_thresholds(held.score_pos, held.score_unl)
    at = [PUF1(prior=prior).find(held, thresholds)]
    recall, called = (each[at] for each in held.shares_above(thresholds, target="population"))
    precision = expect_precision(recall, called, share=prior)
    f1 = 2 * precision * recall / (precision + recall)
    return EstimatedF1(*(float(each[0]) for each in (f1, precision, recall)))
