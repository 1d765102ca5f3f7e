"""How many of the unlabelled rows are positive: from a sample to estimates, each estimator given what it needs."""

import inspect
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from angularpu.data.prepare.preparation import fit_preparation
from angularpu.decide.bound_words import describe_verdict
from angularpu.decide.plateau import find_plateau
from angularpu.errors import SettingError
from angularpu.fit.many_rows import draw_sample
from angularpu.fit.out_of_fold import OutOfFold, score_out_of_fold
from angularpu.methods.ensemble import deal_folds
from angularpu.methods.fitted import score_in_blocks
from angularpu.methods.neural import NeuralMethod
from angularpu.priors.alpha import Alpha
from angularpu.priors.bbe_interval import bootstrap_bound
from angularpu.priors.bootstrap import bootstrap_alpha
from angularpu.priors.estimate import PriorEstimate, describe
from angularpu.priors.table import ESTIMATORS, find_estimator
from angularpu.progress import ReportProgress
from angularpu.scenario.sample import PUSample
from angularpu.scenario.split import FOLDS, folds, holds_out_once
from angularpu.train.cross_fitted import join

SCORE_DRAWS = 200
ROW_DRAWS = 20  # an estimator of rows takes seconds a draw
KAPPA = 3.0
ANGULAR = NeuralMethod("angular", options={"kappa": KAPPA})
TEDN = NeuralMethod("tedn")
# A fifth of the time that the defaults take, which serve models that are kept, for as good an alpha.
LEARNING_RATE, UPDATES = 6e-4, 128
LEAST_EPOCHS, MOST_EPOCHS = 8, 100
BATCH_SIZE = 256  # twice the default, which takes a third less time

Groups = tuple[NDArray[Any], NDArray[Any]]


def estimate_prior(sample: PUSample, name: str = "bbe", *, classifier: Any = None, seed: int = 0) -> PriorEstimate:
    """Estimate the share of positives by one estimator.

    Parameters
    ----------
    sample : PUSample
    name : str
        Name of the estimator; see priors.table.ESTIMATORS.
    classifier : scikit-learn classifier, optional
        Makes the out-of-fold scores where they are needed.
    seed : int

    Returns
    -------
    PriorEstimate
        alpha, the population's prior, the label frequency, and a 90 % bootstrap interval for alpha.

    Examples
    --------
    >>> from angularpu.scenario.sample import make_sample
    >>> rng = np.random.default_rng(0)
    >>> x = np.concatenate([rng.normal(4, 1, (200, 2)), rng.normal(4, 1, (200, 2)), rng.normal(0, 1, (300, 2))])
    >>> sample = make_sample(x, np.arange(700) < 200, scenario="one-sample")
    >>> bool(abs(estimate_prior(sample).alpha - 0.4) < 0.05)
    True
    """
    return estimate_priors(sample, [name], classifier=classifier, seed=seed)[0]


def estimate_alpha(sample: PUSample, name: str = "bbe", *, classifier: Any = None, seed: int = 0) -> Alpha:
    """Estimate the share of positives among the unlabelled rows by one estimator, without the cost of an interval."""
    return _find_alpha(_Material(sample, classifier, seed), name)


def estimate_priors(
    sample: PUSample,
    names: Sequence[str] = tuple(ESTIMATORS),
    *,
    classifier: Any = None,
    seed: int = 0,
    report: ReportProgress | None = None,
) -> list[PriorEstimate]:
    """Estimate the share of positives by several estimators, which share the scores they are made of.

    ``report`` is called before every estimator with (estimators done, estimators in all, its name).
    """
    if not isinstance(sample, PUSample):
        raise SettingError(
            f"sample must be a PUSample, got {type(sample).__name__}; make one: "
            "angularpu.make_sample(X, s, scenario='one-sample')"
        )
    material = _Material(sample, classifier, seed)
    estimates = []
    for done, name in enumerate(names):
        if report:
            report(done, len(names), name)
        estimates.append(_estimate(material, name))
    return estimates


class _Material:
    """What estimators are functions of, made once and only when asked for; of very many rows a draw."""

    def __init__(self, sample: PUSample, classifier: Any, seed: int) -> None:
        self.whole, self.sample = sample, draw_sample(sample, seed=seed)
        self.classifier, self.seed = classifier, seed

    @cached_property
    def scores(self) -> Groups:
        """Out-of-fold log-odds of P and U."""
        made: OutOfFold = score_out_of_fold(self.sample, classifier=self.classifier, seed=self.seed)
        return made.score_pos, made.score_unl

    @cached_property
    def cosines(self) -> Groups:
        """Held-out cosines of P and U with AngularPU's prototype."""
        pos, unl = self._train(_shorten(ANGULAR, n=len(self.sample.s)))
        return pos / KAPPA, unl / KAPPA

    @cached_property
    def training(self) -> Groups:
        """Scores of P and U by TED^n's networks, each of rows it did not see."""
        sample = self.sample
        brief = _shorten(TEDN, n=len(sample.s))
        if not holds_out_once("auto", sample.n_pos):  # then training holds out every row in turn anyway
            return self._train(brief)
        once = replace(brief, settings=replace(brief.settings, validation="hold-out"))
        score = np.empty(len(sample.s), np.float32)
        for number, (train, held) in enumerate(folds(sample, FOLDS, rng=np.random.default_rng([self.seed, 3]))):
            part, rest = sample.take(train), sample.take(held).rows
            preparation = once.prepare(part.rows)
            scorer = once.train(part, preparation, seed=self.seed + number).scorer
            score[held] = score_in_blocks(scorer, rest, preparation=preparation)
        return score[sample.pos], score[sample.unl]

    @cached_property
    def rows(self) -> Groups:
        """The prepared rows of P and U as matrices."""
        preparation = fit_preparation(self.sample.rows)
        pos, unl = (preparation.apply(self.sample.rows.take(index)) for index in (self.sample.pos, self.sample.unl))
        return pos.reshape(len(pos), -1), unl.reshape(len(unl), -1)

    def _train(self, method: NeuralMethod) -> Groups:
        """Return scores of P and U as single networks give them, each of rows it did not see: a mean has no cosines."""
        sample, seed = self.sample, self.seed
        preparation = method.prepare(sample.rows)
        if holds_out_once("auto", sample.n_pos):
            once = replace(method, settings=replace(method.settings, refit=True))
            held = once.train(sample, preparation, seed=seed).held
            return held.score_pos, held.score_unl
        folds, _ = deal_folds(sample, seed=seed)
        return join(method.cross_fit(sample, preparation, folds=folds, seed=seed).held, folds)


def _shorten(method: NeuralMethod, *, n: int) -> NeuralMethod:
    """Let a method train in large, long steps, as few as the estimate of alpha needs."""
    epochs = min(max(LEAST_EPOCHS, -(-UPDATES // -(-n // BATCH_SIZE))), MOST_EPOCHS)
    settings = replace(method.settings, batch_size=BATCH_SIZE, learning_rate=LEARNING_RATE, epochs=epochs)
    return replace(method, settings=settings)


def _find_alpha(material: _Material, name: str) -> Alpha:
    estimator = find_estimator(name)
    groups: Groups = getattr(material, estimator.needs)
    return _bind(estimator.load(), material)(*groups)


def _estimate(material: _Material, name: str) -> PriorEstimate:
    estimator, whole = find_estimator(name), material.whole
    groups: Groups = getattr(material, estimator.needs)
    draws = ROW_DRAWS if estimator.needs == "rows" else SCORE_DRAWS
    rng, found = np.random.default_rng([material.seed, 5]), _find_alpha(material, name)
    if name == "bbe":
        low, high = bootstrap_bound(*groups, draws=draws, rng=rng)
        found = replace(found, notes=found.notes + _note_plateau(groups))
    else:
        low, high = bootstrap_alpha(_bind(estimator.load(), material), *groups, draws=draws, rng=rng)
    return describe(
        found,
        name=name,
        low=low,
        high=high,
        n_pos=whole.n_pos,
        n_unl=whole.n_unl,
        scenario=whole.scenario,
    )


def _note_plateau(groups: Groups) -> tuple[str, ...]:
    """Say whether the bound that all estimators read off the same rows is likely reached."""
    seen = find_plateau(*groups)
    return (describe_verdict(seen.bound, rise=seen.rise, low=seen.rise_low, high=seen.rise_high),)


def _bind(function: Callable[..., Alpha], material: _Material) -> Callable[..., Alpha]:
    """Give an estimator those of the sample's facts that it asks for by name."""
    facts = {
        "n_pos": material.sample.n_pos,
        "n_unl": material.sample.n_unl,
        "d": ANGULAR.encoder.d,
        "seed": material.seed,
        "rng": np.random.default_rng([material.seed, 4]),
    }
    asked = inspect.signature(function).parameters
    return partial(function, **{name: value for name, value in facts.items() if name in asked})
