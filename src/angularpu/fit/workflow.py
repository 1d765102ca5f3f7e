"""One fit, front to back: the prior, the training, the check of the labels, the threshold, the probabilities."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from angularpu.data.prepare.on_disk import preparing_on_disk
from angularpu.data.rows import Rows
from angularpu.decide.bound_words import explain_refusal
from angularpu.decide.calibrate import Calibration
from angularpu.decide.decision import Decision
from angularpu.decide.default import AUTO, choose_rule, decide, is_estimated
from angularpu.decide.held_out import HeldOut
from angularpu.decide.prior_setting import SCORE_ESTIMATORS, check_prior
from angularpu.errors import BoundError
from angularpu.fit.label_leak import note_leak
from angularpu.fit.labelling_check import check_held
from angularpu.fit.remembering import remember
from angularpu.fit.shares_before import find_shares, make_shares
from angularpu.methods.fitted import Fitted
from angularpu.methods.protocol import Method, RunTasks
from angularpu.progress import ReportProgress
from angularpu.scenario.proportions import Proportions
from angularpu.scenario.sample import PUSample, Truth
from angularpu.train.finished_epoch import OnEpoch


def fit_method(
    method: Method,
    sample: PUSample,
    *,
    seed: int,
    classes: tuple[Any, Any] = (0, 1),
    truth: Truth | None = None,
    checkpoint_dir: Path | None = None,
    on_epoch: OnEpoch | None = None,
    report: ReportProgress | None = None,
    run_tasks: RunTasks | None = None,
) -> Fitted:
    """Fit a method on a sample, decide where to cut, and turn scores into probabilities.

    The prior is the population's. It is known before training when it is a number; an estimator is run
    beforehand if the training needs the prior, or if the estimator needs the rows. Otherwise (BBE and DEDPUL, for a
    method that trains without a prior) it is estimated from the method's own held-out scores.

    Parameters
    ----------
    method : Method
    sample : PUSample
    seed : int
    classes : tuple
        The user's own names of (unlabelled, positive).
    truth : Truth, optional
        True classes of the sample, for a selection called "oracle" alone.
    checkpoint_dir : Path, optional
        Saved to after every epoch; an unfinished run of the same data and settings is resumed.
    on_epoch : callable, optional
        Called after every epoch with the live algorithm and its metrics; see
        :class:`~angularpu.train.finished_epoch.FinishedEpoch`.
    report : callable, optional
        Called after every epoch with (epochs done, epochs at most, text).
    run_tasks : RunTasks, optional
        Trains the folds, where there are several, in other processes or on other machines; ``checkpoint_dir`` must be a
        directory that they see. The model has the same bytes.
    """
    check_prior(method.prior)
    asked = choose_rule(method.threshold, prior=method.prior, shares=None, n_pos=sample.n_pos)
    counts = {"n_pos": sample.n_pos, "n_unl": sample.n_unl}
    asked.check(**counts, scenario=sample.scenario, has_margin=method.has_margin(**counts))
    needs_rows = method.prior not in SCORE_ESTIMATORS and asked.prior == method.prior
    shares, notes = find_shares(method.prior, sample, needed=method.needs_prior or needs_rows, seed=seed)
    assumed = (shares or make_shares(sample, 0.5)) if method.needs_prior else shares
    preparation = method.prepare(sample.rows)
    with preparing_on_disk(sample.rows, preparation, directory=checkpoint_dir) as rows:
        outcome = method.train(
            replace(sample, rows=rows),
            preparation,
            seed=seed,
            shares=assumed,
            truth=truth,
            checkpoint_dir=checkpoint_dir,
            on_epoch=on_epoch,
            report=report,
            run_tasks=run_tasks,
        )
    decision, calibration = _decide(method, outcome.held, shares=shares)
    # An estimated share agrees with the scores it came from, so only one that the user states can be tested.
    stated = shares.alpha if shares is not None and not isinstance(method.prior, str) else None
    check = check_held(sample, outcome, preparation=preparation, alpha=stated, seed=seed)
    return Fitted(
        method=method.name,
        preparation=preparation,
        scorer=outcome.scorer,
        held=outcome.held,
        held_rows=outcome.held_rows,
        remembered=remember(sample, outcome, preparation=preparation),
        threshold=method.threshold,
        decision=decision,
        calibration=calibration,
        prior=method.prior,
        alpha=None if assumed is None else assumed.alpha,
        labelling=None if check is None else check.to_json(),
        best_epoch=outcome.best_epoch,
        history=outcome.history,
        notes=preparation.notes
        + _note_reviews(sample)
        + notes
        + outcome.notes
        + note_leak(sample, outcome, preparation=preparation),
        classes=classes,
        columns=_name_columns(sample.rows),
        preset=method.preset,
        seed=seed,
        **method.describe(),
    )


def _decide(method: Method, held: HeldOut, *, shares: Proportions | None) -> tuple[Decision, Calibration | None]:
    """Decide by the rule asked for, or by the default one where that would promise too much: training is not lost."""

    def follow(text: str) -> tuple[Decision, Calibration | None]:
        rule = choose_rule(text, prior=method.prior, shares=shares, n_pos=held.n_pos)
        return decide(rule, held, estimated=is_estimated(text, method.prior))

    try:
        return follow(method.threshold)
    except BoundError as error:
        decision, calibration = follow(AUTO)
        refused = explain_refusal(str(error), rule=decision.rule)
        return replace(decision, refused=refused), calibration


def _note_reviews(sample: PUSample) -> tuple[str, ...]:
    if sample.reviews is None:
        return ()
    return (
        f"reviews: {len(sample.confirmed)} rows found positive and {len(sample.refuted)} found negative are learnt "
        "from; estimates of recall, precision and the share of positives still count them as unlabelled, since they "
        "were chosen and not drawn",
    )


def _name_columns(rows: Rows) -> int | tuple[str, ...]:
    names = getattr(rows.take(np.zeros(1, np.int64)), "column_names", None)
    return rows.shape[0] if names is None else tuple(names)
