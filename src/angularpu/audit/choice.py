"""A cut chosen by a rule on what the answers say, and how far P and U alone were off."""

import dataclasses
from collections.abc import Callable

import numpy as np

from angularpu.audit.answers import BLANK, NO, UNSURE, YES, Answers
from angularpu.audit.cells import count_cells
from angularpu.audit.curve import correct_curve, draw_base, fit_correction
from angularpu.audit.estimates import Estimates, Known, estimate
from angularpu.audit.labelling import check_answers
from angularpu.audit.report import AuditReport, PUFigures
from angularpu.audit.strata import Floats, Integers
from angularpu.decide.calibrate import Calibration
from angularpu.decide.decision import Decision
from angularpu.decide.default import AUTO, choose_rule, decide_again
from angularpu.decide.held_out import HeldOut
from angularpu.decide.prior_setting import Prior
from angularpu.decide.rule import Rule
from angularpu.decide.rules import names_prior, parse_rule
from angularpu.decide.threshold import Thresholds
from angularpu.errors import BoundError, DataError, SettingError
from angularpu.metrics.mixture import contains_labelled
from angularpu.priors.inputs import LEAST_POSITIVES
from angularpu.scenario.proportions import Proportions
from angularpu.scenario.sample import Scenario

POINTS = 20_000  # of either group, into which corrected shares are rounded for the rule


def decide_audited(
    text: str, held: HeldOut, answers: Answers, *, prior: Prior, alpha: float | None
) -> tuple[Decision, Calibration, AuditReport]:
    """Choose a threshold with the answers of an audit, and say what to expect of it.

    The rule chooses by the corrected curve, which any place for a threshold has; recall, precision, F1 and the shares
    of positives at that place, with their intervals, come from the answers alone.

    Parameters
    ----------
    text : str
        The rule, as :func:`angularpu.decide.default.choose_rule` reads it, without a prior of its own.
    held : HeldOut
        The scores that the model has kept.
    answers : Answers
        Of an audit that was drawn with this model, or carried over to it.
    prior : float or str
        The prior the model was fitted with: the answers replace it, and are compared with it.
    alpha : float or None
        The share of positives among the unlabelled rows, if it was known before training.
    """
    audit = answers.audit
    _check(text, answers, held)
    overall = estimate(count_cells(answers, 0), Known(0, 0, 0)).alpha  # by strata that no cut divides
    shares = _find_shares(answers, held, alpha=overall.value)
    rule = choose_rule(text, prior=prior, shares=shares, n_pos=held.n_pos)
    rule.check(n_pos=shares.n_pos, n_unl=shares.n_unl, scenario=shares.scenario, has_margin=held.margin is not None)
    n_known = audit.n_known if contains_labelled(rule.target, shares.scenario) else 0
    # New rows are the population's, also in the one-sample scenario.
    before = _decide_before(text, held, prior=prior, alpha=alpha)
    share = None
    if before is not None:
        share = before.alpha if shares.scenario == held.scenario else before.prior
    base = draw_base(held, said=share, found=overall.value, n=answers.count(YES) + answers.count(NO))
    correction = fit_correction(answers, base)
    at = find_cut(rule, answers, held, chance=lambda score: correction.apply(base.apply(score)), n_known=n_known)

    def measure(cut: int) -> Estimates:
        return dataclasses.replace(_measure(cut, answers, held, n_known=n_known), alpha=overall)

    found = measure(at)
    said = None
    if before is not None:
        said = _compare(before, measure(int(np.argmin(np.abs(audit.cut - before.threshold)))), alpha=share)
    report = AuditReport.make(answers, found, before=said, labelling=check_answers(answers, held))
    mean = float(base.apply(held.score_unl).mean())
    curve = correct_curve(base, correction, known_ratio=n_known / (len(audit.member) * mean))
    decision = _describe(at, answers, found=found, shares=shares)
    name = rule.name if text.strip() == AUTO else str(parse_rule(text))  # without the prior, which the answers gave
    return dataclasses.replace(decision, rule=name, notes=_note(answers, held)), curve, report


def trace_audited(text: str, held: HeldOut, answers: Answers, *, cuts: Integers) -> list[Estimates]:
    """Say what the answers say of each of these cuts of the audit, as :func:`decide_audited` does of the chosen one.

    Parameters
    ----------
    text : str
        The rule, of which the target counts.
    held : HeldOut
    answers : Answers
    cuts : int64 array
        Numbers of cuts among the audit's.
    """
    _check(text, answers, held)
    target = parse_rule("pu-f1" if text.strip() == AUTO else text).target
    scenario = _find_shares(answers, held, alpha=0.5).scenario
    n_known = answers.audit.n_known if contains_labelled(target, scenario) else 0
    return [_measure(int(cut), answers, held, n_known=n_known) for cut in cuts]


def _measure(cut: int, answers: Answers, held: HeldOut, *, n_known: int) -> Estimates:
    above = int(np.count_nonzero(held.score_pos > answers.audit.cut[cut]))
    return estimate(count_cells(answers, cut), Known(n_known, above, len(held.score_pos)))


def _check(text: str, answers: Answers, held: HeldOut) -> None:
    if answers.audit.model != held.fingerprint():
        raise DataError(
            "the audit was drawn with another model, so its scores are not this one's; draw a new one with this model, "
            "or fit with --audit on the rows it was drawn from"
        )
    if text.strip() != AUTO and names_prior(text):
        raise SettingError(
            f"the rule {text!r} names a prior, which the audit replaces; leave the prior out of the rule"
        )


def _find_shares(answers: Answers, held: HeldOut, *, alpha: float) -> Proportions:
    """Return the shares of positives by the answers, alpha at least half a row away from 0 and 1."""
    audit = answers.audit
    heap = len(audit.member)
    # Without known positives beside it the heap is the whole population.
    scenario: Scenario = held.scenario if audit.n_known else "two-sample"
    edge = 0.5 / heap
    return Proportions(audit.n_known or held.n_pos, heap, scenario, float(np.clip(alpha, edge, 1 - edge)))


def _decide_before(text: str, held: HeldOut, *, prior: Prior, alpha: float | None) -> Decision | None:
    """Decide by P and U alone; None where they cannot."""
    if isinstance(prior, str) and held.n_pos < LEAST_POSITIVES:
        return None
    try:
        return decide_again(text, held, prior=prior, alpha=alpha)[0]
    except BoundError:  # the answers bear what P and U alone do not
        return decide_again(AUTO, held, prior=prior, alpha=alpha)[0]


def find_cut(rule: Rule, answers: Answers, held: HeldOut, *, chance: Callable[[Floats], Floats], n_known: int) -> int:
    """Return which of the audit's cuts the rule chooses, when positives are counted by a curve.

    Parameters
    ----------
    rule : Rule
        With its prior as a number.
    answers : Answers
    held : HeldOut
    chance : callable
        Gives the chance that a row of the heap is positive, by its score.
    n_known : int
        Known positives that are part of the rule's target.
    """
    cut, above = answers.audit.cut, answers.audit.above.sum(axis=0)
    middle = (cut[1:] + cut[:-1]) / 2
    positives = np.append(np.cumsum((-np.diff(above) * chance(middle))[::-1])[::-1], 0.0)
    known = n_known * (1 - np.searchsorted(np.sort(held.score_pos), cut, side="right") / len(held.score_pos))
    groups = [_round(known + part) for part in (positives, above.astype(np.float64))]
    drawn = [np.repeat(middle, -np.diff(group)).astype(np.float32) for group in groups]
    # The target's own rows beside its positives: with two samples a rule counts both as they are.
    corrected = HeldOut(drawn[0], drawn[1], POINTS, POINTS, "two-sample", held.source, margin=held.margin)
    return dataclasses.replace(rule, target="population").find(corrected, Thresholds(cut, groups[0], groups[1]))


def _round(above: Floats) -> Integers:
    """Return counts above each cut as parts of POINTS rows, never rising."""
    counts: Integers = np.round(above / above[0] * POINTS).astype(np.int64)
    return counts


def _compare(before: Decision, found: Estimates, *, alpha: float | None) -> PUFigures:
    p, r = before.precision, before.recall
    f1 = None if p is None or p + r == 0 else 2 * p * r / (p + r)
    return PUFigures(before.threshold, alpha, p, r, f1, found, bound=before.prior_source == "estimated")


def _describe(at: int, answers: Answers, *, found: Estimates, shares: Proportions) -> Decision:
    audit, precision = answers.audit, found.precision
    return Decision(
        rule="",
        threshold=float(audit.cut[at]),
        recall=found.recall.value,
        recall_low=found.recall.low,
        recall_high=found.recall.high,
        positive_share=float(audit.above[:, at].sum() / len(audit.member)),
        n_pos_used=answers.count(YES),
        precision=None if precision is None else precision.value,
        precision_low=None if precision is None else precision.low,
        precision_high=None if precision is None else precision.high,
        alpha=shares.alpha,
        prior=shares.prior,
        prior_source="audited",
    )


def _note(answers: Answers, held: HeldOut) -> tuple[str, ...]:
    audit, notes = answers.audit, []
    blank, unsure = answers.count(BLANK), answers.count(UNSURE)
    if blank:
        notes.append(
            f"{blank} of {len(answers.y)} drawn rows without an answer: the figures presume that nobody skipped them "
            "for what they are"
        )
    if unsure:
        notes.append(f"unsure answers, {unsure} in number, may fall either way: the intervals allow for both")
    if audit.n_known == held.n_pos and len(audit.member) == held.n_unl:
        notes.append("the model was trained on the audited rows too, so new rows may score a little differently")
    return tuple(notes)
