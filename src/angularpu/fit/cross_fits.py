"""Several methods fitted in the same folds, each with the scores it gave to rows that it was not trained on."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

from angularpu.data.prepare.preparation import Preparation
from angularpu.decide.held_out import HeldOut
from angularpu.errors import AngularPUError, DataError
from angularpu.methods.ensemble import report_member
from angularpu.methods.member_weights import Floats, weigh
from angularpu.methods.protocol import Member
from angularpu.progress import ReportProgress
from angularpu.scenario.proportions import Proportions
from angularpu.scenario.sample import PUSample
from angularpu.train.cross_fitted import Folds, FoldScores, mix
from angularpu.train.fold_mean import average


@dataclass(frozen=True, eq=False)
class CrossFit:
    """One method's scores of rows that it was not trained on, and their cost.

    Attributes
    ----------
    scores : FoldScores
        On the common scale, fold by fold.
    pos, unl : float64 arrays
        The same in the order of the sample's labelled positives and unlabelled rows.
    seconds : float
        Processor time of all fits.
    """

    scores: FoldScores
    pos: Floats
    unl: Floats
    seconds: float

    @classmethod
    def of(cls, scores: FoldScores, folds: Folds, *, seconds: float) -> "CrossFit":
        """Join the scores of all folds."""
        pos, unl = scores.join(folds)
        if np.ptp(np.concatenate([pos, unl])) == 0:
            raise DataError("it gives every row the same score; choose another method")
        return cls(scores, pos, unl, seconds)

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
            fits[name] = CrossFit.of(average(cross)[1], folds, seconds=time.process_time() - start)
        except AngularPUError as error:  # of this method alone: what no method can read was refused before
            left_out[name] = str(error)
    if not fits:
        raise DataError(f"no method could be fitted: {next(iter(left_out.values()))}")
    return fits, left_out


def add_up(parts: Mapping[str, CrossFit], sample: PUSample, folds: Folds) -> CrossFit:
    """Make the ensemble of some methods from the scores that they have given; nothing is trained."""
    weights = weigh([(fit.pos, fit.unl) for fit in parts.values()], sample)
    mixed = mix([fit.scores for fit in parts.values()], weights.weight.tolist())
    return CrossFit.of(mixed, folds, seconds=sum(fit.seconds for fit in parts.values()))
