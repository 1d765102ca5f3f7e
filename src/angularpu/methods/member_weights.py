"""How much each member of an ensemble counts, judged by positives and unlabelled rows alone."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

from angularpu.decide.calibrate import fit_calibration
from angularpu.decide.held_out import HeldOut
from angularpu.metrics.pu import pu_auc
from angularpu.priors.bbe import estimate_bbe
from angularpu.priors.inputs import LEAST_POSITIVES
from angularpu.scenario.sample import PUSample

Floats = NDArray[np.float64]
EQUAL_POSITIVES = 100  # with so many labelled positives, half of a weight is what the member earned and half is equal
HIGHEST = 0.999  # a few positives may all rank first by chance


@dataclass(frozen=True, eq=False)
class Weights:
    """What the members of an ensemble count, and why.

    Attributes
    ----------
    weight : float64 array of shape (members,)
        They sum to one.
    pu_auc : float64 array of shape (members,)
        The chance that a labelled positive scores above an unlabelled row, out of fold.
    auc : float64 array of shape (members,) or None
        The same with each unlabelled row counted by its chance of being negative; None with fewer than ten positives.
    """

    weight: Floats
    pu_auc: Floats
    auc: Floats | None


def weigh(scores: Sequence[tuple[Floats, Floats]], sample: PUSample) -> Weights:
    """Weigh members by how well they rank rows that they were not trained on.

    PU-AUC counts the hidden positives among the unlabelled rows as if a good member should rank them low. That they are
    there is the same for all members; how they happen to rank is chance, and more of it than members differ by. So each
    unlabelled row counts by one minus its chance of being positive, which the equal mean of all members gives. The
    weights are a soft maximum, the odds AUC/(1 - AUC), drawn towards equality as the labelled positives get few.

    Parameters
    ----------
    scores : sequence of (float64 array, float64 array)
        Each member's out-of-fold scores of the labelled positives and of the unlabelled rows, on one scale.
    sample : PUSample

    Examples
    --------
    >>> from angularpu.scenario.sample import make_sample
    >>> rng = np.random.default_rng(0)
    >>> y = np.arange(3000) < 1000
    >>> sample = make_sample(np.zeros((3000, 1)), np.arange(3000) < 500, scenario="one-sample")
    >>> good, bad = (2 * y + rng.normal(0, spread, 3000) for spread in (0.8, 2.0))
    >>> weights = weigh([(score[sample.pos], score[sample.unl]) for score in (good, bad)], sample)
    >>> bool(weights.weight[0] > 0.7), bool(weights.auc[0] > weights.pu_auc[0])
    (True, True)
    """
    ranked = np.array([pu_auc(pos, unl) for pos, unl in scores])
    equal = np.full(len(scores), 1 / len(scores))
    if sample.n_pos < LEAST_POSITIVES or len(scores) == 1:
        return Weights(equal, ranked, None)
    negative = 1 - find_posterior(scores, sample)
    denoised = np.array([weighted_auc(pos, unl, negative) for pos, unl in scores])
    kept = np.clip(denoised, 1 - HIGHEST, HIGHEST)
    odds = kept / (1 - kept)
    earned = odds / odds.sum()
    trust = sample.n_pos / (sample.n_pos + EQUAL_POSITIVES)
    return Weights(trust * earned + (1 - trust) * equal, ranked, denoised)


def find_posterior(scores: Sequence[tuple[Floats, Floats]], sample: PUSample) -> Floats:
    """Return the chance that each unlabelled row is positive, by the equal mean of all members."""
    pos, unl = (np.mean(part, axis=0).astype(np.float32) for part in zip(*scores, strict=True))
    held = HeldOut(pos, unl, sample.n_pos, sample.n_unl, sample.scenario, source="cross-fitted")
    return fit_calibration(held, estimate_bbe(pos, unl).alpha, target="unlabelled").apply(held.score_unl)


def weighted_auc(pos: Floats, unl: Floats, weight: Floats) -> float:
    """Return the chance that a positive scores above an unlabelled row drawn by weight."""
    label = np.repeat([1, 0], [len(pos), len(unl)])
    weights = np.concatenate([np.ones(len(pos)), np.maximum(weight, 1e-9)])  # all may be positive
    return float(roc_auc_score(label, np.concatenate([pos, unl]), sample_weight=weights))
