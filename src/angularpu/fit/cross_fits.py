"""Several methods fitted in the same folds, each with the scores it gave to rows that it was not trained on."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from angularpu.data.prepare.preparation import Preparation
from angularpu.decide.held_out import HeldOut
from angularpu.errors import AngularPUError, DataError
from angularpu.methods.ensemble import report_member
from angularpu.methods.member_weights import Floats, weigh
from angularpu.methods.protocol import Member
from angularpu.progress import ReportProgress
from angularpu.scenario.proportions import Proportions
from angularpu.scenario.sample import PUSample
from angularpu.train.cross_fitted import Folds, join
from angularpu.train.fold_mean import average, fit_scale
from angularpu.train.state import HeldScores

Groups = tuple[Floats, Floats]  # of labelled positives and of unlabelled rows


@dataclass(frozen=True, eq=False)
class CrossFit:
    """One method's scores of rows that it was not trained on, and their cost.

    Attributes
    ----------
    common : (ndarray, ndarray)
        On the common scale, as a fitted ensemble adds them up, in the order of the sample's rows.
    blind : tuple of (ndarray, ndarray)
        For every fold on a scale and after an epoch that its own labels had no part in.
    pos, unl : float64 arrays
        The ranks of ``blind`` within each fold, from 0 to 1, joined: what is judged.
    seconds : float
        Processor time of all fits.
    """

    common: Groups
    blind: tuple[Groups, ...]
    pos: Floats
    unl: Floats
    seconds: float

    @classmethod
    def of(cls, common: Groups, blind: tuple[Groups, ...], *, folds: Folds, seconds: float) -> "CrossFit":
        """Rank the rows of every fold, and join the folds."""
        if all(np.ptp(np.concatenate(scores)) == 0 for scores in blind):
            raise DataError("it gives every row the same score; choose another method")
        return cls(common, blind, *join([rank(*scores) for scores in blind], folds), seconds)

    def hold_out(self, sample: PUSample) -> HeldOut:
        """Return the scores as rules and calibrations take them."""
        pos, unl = self.pos.astype(np.float32), self.unl.astype(np.float32)
        return HeldOut(pos, unl, sample.n_pos, sample.n_unl, sample.scenario, source="cross-fitted")


def cross_fit_all(
    members: Mapping[str, Member],
    sample: PUSample,
    *,
    preparation: Preparation,
    folds: Folds,
    shares: Proportions | None,
    seed: int,
    report: ReportProgress | None,
) -> tuple[dict[str, CrossFit], dict[str, str]]:
    """Fit every method in every fold; return the fits, and why some methods could not be fitted to these rows."""
    fits, left_out = {}, {}
    for name, member in members.items():
        tell = partial(report_member, report, name) if report else None
        start = time.process_time()
        try:
            cross = member.cross_fit(sample, preparation, folds=folds, seed=seed, shares=shares, report=tell)
            seconds = time.process_time() - start
            common = average(cross)[1].join(folds)
            fits[name] = CrossFit.of(common, rescale_blindly(cross.unchosen), folds=folds, seconds=seconds)
        except AngularPUError as error:  # of this method alone: what no method can read was refused before
            left_out[name] = str(error)
    if not fits:
        raise DataError(f"no method could be fitted: {next(iter(left_out.values()))}")
    return fits, left_out


def add_up(parts: Mapping[str, CrossFit], sample: PUSample, folds: Folds) -> CrossFit:
    """Make the ensemble of some methods from the scores that they have given; nothing is trained."""
    weights = weigh([fit.common for fit in parts.values()], sample).weight

    def add(groups: Sequence[Groups]) -> Groups:
        pos, unl = (np.tensordot(weights, np.stack(part), axes=1) for part in zip(*groups, strict=True))
        return pos, unl

    common = add([fit.common for fit in parts.values()])
    blind = tuple(add(fold) for fold in zip(*(fit.blind for fit in parts.values()), strict=True))
    return CrossFit.of(common, blind, folds=folds, seconds=sum(fit.seconds for fit in parts.values()))


def rescale_blindly(held: Sequence[HeldScores]) -> tuple[Groups, ...]:
    """Bring every fold's scores to log-odds of "labelled" by a scale that is fitted to the other folds.

    The scores of a fold are standardised first, labelled and unlabelled rows together. So nothing that is done to a row
    depends on a label of its fold; otherwise a method that ranks at random would seem to rank better than that.

    Parameters
    ----------
    held : sequence of (ndarray, ndarray)
        For every fold the scores of labelled positives and of unlabelled rows.
    """
    even = [_standardise(*scores) for scores in held]
    scales = []
    for fold in range(len(even)):
        others = [scores for number, scores in enumerate(even) if number != fold]
        scales.append(fit_scale(*(np.concatenate(part).astype(np.float32) for part in zip(*others, strict=True))))
    return tuple((scale.apply(pos), scale.apply(unl)) for scale, (pos, unl) in zip(scales, even, strict=True))


def rank(pos: Floats, unl: Floats) -> Groups:
    """Return which part of all rows scores lower than each, ties counting half.

    >>> rank(np.array([5.0]), np.array([1.0, 7.0, 5.0]))
    (array([0.5]), array([0.125, 0.875, 0.5  ]))
    """
    both = (rankdata(np.concatenate([pos, unl])) - 0.5) / (len(pos) + len(unl))
    return both[: len(pos)], both[len(pos) :]


def _standardise(pos: NDArray[np.float32], unl: NDArray[np.float32]) -> Groups:
    both = np.concatenate([pos, unl]).astype(np.float64)
    even = (both - both.mean()) / (both.std() or 1.0)
    return even[: len(pos)], even[len(pos) :]
