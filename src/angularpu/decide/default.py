"""From a rule's text to a decision and probabilities, with the prior filled in."""

import dataclasses

from angularpu.decide.agreement import reconcile
from angularpu.decide.calibrate import Calibration, fit_calibration
from angularpu.decide.decision import Decision
from angularpu.decide.held_out import HeldOut
from angularpu.decide.prior_setting import SCORE_ESTIMATORS, Prior
from angularpu.decide.rule import Rule
from angularpu.decide.rules import names_prior, parse_rule
from angularpu.errors import SettingError
from angularpu.priors.inputs import LEAST_POSITIVES
from angularpu.scenario.proportions import Proportions

AUTO = "auto"


def choose_rule(text: str, *, prior: Prior, shares: Proportions | None, n_pos: int) -> Rule:
    """Read a rule's text and fill in the prior that it does not name itself.

    "auto" is PU-F1. It is Lee-Liu, which needs no prior, when the prior would have to be estimated from fewer than ten
    positives.

    Parameters
    ----------
    text : str
        As :func:`angularpu.decide.rules.parse_rule` reads it, or "auto".
    prior : float or str
        The prior of the fit: the population's share of positives, or the name of an estimator.
    shares : Proportions, optional
        The shares of positives, if they are known already; they replace ``prior``.
    n_pos : int
        Labelled positives in the sample.

    Examples
    --------
    >>> str(choose_rule("auto", prior="bbe", shares=None, n_pos=50)), str(choose_rule("recall=0.9", prior=0.3,
    ...     shares=None, n_pos=50))
    ('pu-f1', 'recall=0.9,prior=0.3')
    >>> str(choose_rule("auto", prior="bbe", shares=None, n_pos=5))
    'lee-liu'
    """
    if not isinstance(text, str):
        raise SettingError(
            f"threshold must be a rule's text, such as 'pu-f1' or 'recall=0.95', got {text!r}; for a threshold "
            "of your own, compare score_samples with it"
        )
    few = shares is None and isinstance(prior, str) and n_pos < LEAST_POSITIVES
    if text.strip() == AUTO:
        text = "lee-liu" if few else "pu-f1"
    rule = parse_rule(text)
    if names_prior(text):
        if not isinstance(rule.prior, str) or rule.prior in SCORE_ESTIMATORS:
            return rule
        if rule.prior != prior:
            raise SettingError(
                f"the rule {text!r} names the estimator {rule.prior}, which needs the rows; a rule has scores alone: "
                f"make it the prior of the fit (prior={rule.prior!r}) and leave it out of the rule, or write a number "
                f"or one of {', '.join(SCORE_ESTIMATORS)}"
            )
    elif few:
        return rule
    return dataclasses.replace(rule, prior=prior if shares is None else shares.share(rule.target))


def decide(rule: Rule, held: HeldOut, *, estimated: bool = False) -> tuple[Decision, Calibration | None]:
    """Choose a threshold, and fit the probabilities if the rule knows the share of positives.

    ``estimated`` says that the rule's prior, though a number by now, came from an estimator.
    """
    decision = rule.choose(held, estimated=estimated)
    if decision.alpha is None:
        return decision, None
    calibration = fit_calibration(held, decision.alpha, target=rule.target)
    return decision, reconcile(calibration, decision.threshold, held=held, target=rule.target)


def is_estimated(text: str, prior: Prior) -> bool:
    """Tell whether a rule of this text takes the prior of the fit, and an estimator found that.

    >>> is_estimated("pu-f1", "tice"), is_estimated("pu-f1,prior=0.3", "bbe"), is_estimated("pu-f1", 0.3)
    (True, False, False)
    """
    return isinstance(prior, str) and not names_prior(text)


def decide_again(text: str, held: HeldOut, *, prior: Prior, alpha: float | None) -> tuple[Decision, Calibration | None]:
    """Decide by another rule, from the scores and the share of positives that a model has kept.

    Parameters
    ----------
    text : str
        The rule, as :func:`choose_rule` reads it.
    held : HeldOut
    prior : float or str
        The prior the model was fitted with.
    alpha : float or None
        The share of positives among the unlabelled rows, if it was known before training.

    Examples
    --------
    >>> import numpy as np
    >>> score_pos, score_unl = np.arange(2.0, 14.0), np.arange(-8.0, 8.0)
    >>> held = HeldOut(score_pos, score_unl, n_pos=12, n_unl=16, scenario="two-sample", source="held out")
    >>> decision, calibration = decide_again("recall=0.5", held, prior=0.3, alpha=None)
    >>> decision.threshold, decision.recall, decision.alpha
    (7.5, 0.5, 0.3)
    """
    rule = choose_again(text, held, prior=prior, alpha=alpha)
    return decide(rule, held, estimated=is_estimated(text, prior))


def choose_again(text: str, held: HeldOut, *, prior: Prior, alpha: float | None) -> Rule:
    """Return the rule that :func:`decide_again` decides by, its prior filled in and checked."""
    # With too few positives for an estimate, training assumed a share; a decision must not rest on it.
    known = not isinstance(prior, str) or held.n_pos >= LEAST_POSITIVES
    shares = Proportions(held.n_pos, held.n_unl, held.scenario, alpha) if alpha is not None and known else None
    rule = choose_rule(text, prior=prior, shares=shares, n_pos=held.n_pos)
    has_margin = held.margin is not None
    rule.check(n_pos=held.n_pos, n_unl=held.n_unl, scenario=held.scenario, has_margin=has_margin)
    return rule
