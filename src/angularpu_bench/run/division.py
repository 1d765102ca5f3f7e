"""Which rows of a sample a fit learns from, and which its scores are judged by."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from angularpu.scenario.sample import PUSample
from angularpu.scenario.split import FEWEST_TO_HOLD_OUT, LEAST_HELD, Validation, hold_out, plan_validation

Index = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Division:
    """Rows to learn from and rows to judge by.

    Attributes
    ----------
    learn : ndarray of int64
        What the fit is given.
    pos, unl : ndarray of int64
        Labelled and unlabelled rows whose scores choose the threshold.
    is_split : bool
        Whether those are held out of one fit, rather than cross-fitted or trained on.
    is_ours : bool
        Whether they are held out here: a fit that keeps its last epoch holds nothing out itself.
    """

    learn: Index
    pos: Index
    unl: Index
    is_split: bool
    is_ours: bool


def choose_validation(n_pos: int) -> Validation:
    """Return how a cell is validated: a tenth held out, as in the paper, wherever that leaves 30 positives to judge by.

    >>> choose_validation(300), choose_validation(299)
    ('hold-out', 'folds')
    """
    return "hold-out" if n_pos >= FEWEST_TO_HOLD_OUT else "folds"


def divide(sample: PUSample, *, seed: int, keeps_last: bool, validation: Validation) -> Division:
    """Divide a sample as the fit will, or hold a tenth out where the fit would hold out nothing.

    The paper's threshold comes from a tenth of the training rows that is not learnt from, also when the last epoch is
    kept. It is the same tenth for every method.

    Parameters
    ----------
    sample : PUSample
    seed : int
    keeps_last : bool
        Whether the fit keeps its last epoch and so validates nothing.
    validation : {"auto", "hold-out", "folds"}
        How the fit validates otherwise.
    """
    everything = np.arange(len(sample.s))
    if keeps_last:
        if sample.n_pos <= 2 * LEAST_HELD:
            return Division(everything, sample.pos, sample.unl, is_split=False, is_ours=False)
        learn, held = hold_out(sample, rng=np.random.default_rng([seed, 0]))
    else:
        plan = plan_validation(sample, rng=np.random.default_rng([seed, 0]), validation=validation)
        if plan.kind != "hold-out":
            return Division(everything, sample.pos, sample.unl, is_split=False, is_ours=False)
        learn, held = everything, plan.splits[0].held
    labelled = sample.s[held] == 1
    return Division(learn, held[labelled], held[~labelled], is_split=True, is_ours=keeps_last)
