"""The adapter that makes a method of a classical one: matrices in, folds for honest scores, no epochs."""

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

import numpy as np
import torch
from joblib import Parallel, delayed
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from angularpu.checks import check_choice
from angularpu.classical.base import Classical
from angularpu.classical.storage.parts import check_storable, dump_parts
from angularpu.data.prepare.matrix import MatrixOnDisk, open_matrix
from angularpu.data.prepare.preparation import Preparation, fit_preparation
from angularpu.data.rows import Rows
from angularpu.decide.held_out import HeldOut, Origin
from angularpu.decide.prior_setting import Prior
from angularpu.errors import SettingError
from angularpu.methods.fitted_fold import FittedFold
from angularpu.methods.many_rows import score_matrix, thin_unlabelled
from angularpu.methods.protocol import Outcome, RunTasks
from angularpu.methods.table import find_method
from angularpu.progress import ReportProgress
from angularpu.scenario.proportions import Proportions
from angularpu.scenario.reviews import apply_reviews
from angularpu.scenario.sample import PUSample, Truth
from angularpu.scenario.split import Validation, plan_validation
from angularpu.train.checkpoint import Checkpoint
from angularpu.train.cross_fitted import CrossFitted, Folds
from angularpu.train.finished_epoch import OnEpoch

CHUNK = 1024


@dataclass(frozen=True)
class ClassicalScorer:
    """A fitted classical model as a scorer.

    Attributes
    ----------
    model : Classical
    """

    model: Classical

    def score(self, x: Any) -> NDArray[np.float32]:
        """Return the scores of prepared rows, the same bytes whatever stands beside a row.

        A matrix product may round otherwise for other numbers of rows, so dense rows go through in chunks of one size;
        trees multiply nothing, and take any number.
        """
        if not isinstance(x, np.ndarray):
            return self.model.score(x).astype(np.float32)
        rows = x.reshape(len(x), -1)
        if not self.model.rounds_by_size:
            return self.model.score(rows).astype(np.float32)
        chunks = [rows[start : start + CHUNK] for start in range(0, len(rows), CHUNK)]
        chunks[-1] = np.pad(chunks[-1], ((0, CHUNK - len(chunks[-1])), (0, 0)))
        score = np.concatenate([self.model.score(chunk) for chunk in chunks])
        return score[: len(rows)].astype(np.float32)

    def embed(self, x: Any) -> NDArray[np.float32]:
        """Refuse: there is no network, hence no embedding."""
        raise SettingError("a method around a scikit-learn classifier has no embeddings; choose one with a network")

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the numbers of the fitted classifiers."""
        return dump_parts(self.model.parts())[1]

    def structure(self) -> dict[str, Any]:
        """Return which classifiers those are."""
        return dump_parts(self.model.parts())[0]

    def numbers(self) -> dict[str, float]:
        """Return estimates and counts of the fit."""
        return self.model.numbers()


@dataclass(frozen=True)
class ClassicalMethod:
    """A method made of scikit-learn classifiers.

    Attributes
    ----------
    name : str
        The method, by its name in the table.
    options : dict
        The method's options, without the prior and the base.
    base : scikit-learn classifier or None
        None: boosted trees, or logistic regression for sparse rows. A method that is one classifier itself takes none.
    validation : {"auto", "hold-out", "folds"}
        What is held out for the threshold; see :func:`angularpu.scenario.split.plan_validation`.
    threshold : str
        The rule that chooses the threshold.
    prior : float in (0, 1) or str
        The share of positives in the population, or the estimator that finds it.
    preset : str
    """

    name: str
    options: dict[str, Any] = field(default_factory=dict)
    base: Any = None
    validation: Validation = "auto"
    threshold: str = "auto"
    prior: Prior = "bbe"
    preset: str = "default"

    def __post_init__(self) -> None:
        check_choice("validation", self.validation, get_args(Validation))

    @property
    def needs_prior(self) -> bool:
        """Whether the method needs the share of positives."""
        return "prior" in find_method(self.name).traits

    def has_margin(self, *, n_pos: int, n_unl: int) -> bool:
        """No: only networks have one."""
        return False

    def prepare(self, rows: Rows) -> Preparation:
        """Learn how raw rows become the columns of a matrix; sparse rows stay sparse."""
        return fit_preparation(rows, keep_sparse=True)

    def train(
        self,
        sample: PUSample,
        preparation: Preparation,
        *,
        seed: int,
        shares: Proportions | None = None,
        truth: Truth | None = None,
        checkpoint_dir: Path | None = None,
        on_epoch: OnEpoch | None = None,
        report: ReportProgress | None = None,
        run_tasks: RunTasks | None = None,
    ) -> Outcome:
        """Fit on a sample: once where enough positives can be held out, otherwise once per fold and once on all.

        There are no epochs, so nothing is checkpointed and ``on_epoch`` is never called; nor is anything run elsewhere.
        """
        x = open_matrix(sample.rows, preparation)
        unfitted = self._make(None if shares is None else shares.alpha)
        plan = plan_validation(sample, rng=np.random.default_rng([seed, 0]), validation=self.validation)
        score = np.full(len(sample.s), np.nan, np.float32)
        for number, (train, held) in enumerate(plan.splits):
            model = _fit(unfitted, x, sample, train, seed=(seed, 6, number))
            score[held] = score_matrix(ClassicalScorer(model), x, held)
            if report:
                report(number + 1, len(plan.splits) + (len(plan.splits) > 1), "fits")
        if len(plan.splits) != 1:
            model = _fit(unfitted, x, sample, np.arange(len(sample.s)), seed=(seed, 7))
        if not plan.splits:
            score = score_matrix(ClassicalScorer(model), x, np.arange(len(sample.s)))
        origin: Origin = "held out" if len(plan.splits) == 1 else "cross-fitted" if plan.splits else "training"
        scored = np.isfinite(score)
        pos, unl = (rows[scored[rows]] for rows in (sample.pos, sample.unl))
        held_out = HeldOut(score[pos], score[unl], sample.n_pos, sample.n_unl, sample.scenario, source=origin)
        return Outcome(ClassicalScorer(model), held_out, (pos, unl), best_epoch=0, history=[], notes=(plan.note,))

    def cross_fit(
        self,
        sample: PUSample,
        preparation: Preparation,
        *,
        folds: Folds,
        seed: int,
        shares: Proportions | None = None,
        checkpoint_dir: Path | None = None,
        report: ReportProgress | None = None,
    ) -> CrossFitted:
        """Fit once for every fold, side by side on as many threads as torch may use; finished folds are kept."""
        x = open_matrix(sample.rows, preparation)
        unfitted = self._make(None if shares is None else shares.alpha)
        checkpoint = Checkpoint(checkpoint_dir, key=self.key(sample, seed)) if checkpoint_dir else None
        count = len(folds.splits)

        def fit_one(number: int) -> ClassicalScorer:
            kept = _keep_fold(checkpoint, folds, number)
            return ClassicalScorer(_fit_fold(unfitted, x, sample, folds=folds, number=number, seed=seed, kept=kept))

        with threadpool_limits(1):
            spread = Parallel(n_jobs=torch.get_num_threads(), prefer="threads", return_as="generator")
            models = []
            for model in spread(delayed(fit_one)(number) for number in range(count)):
                models.append(model)
                if report:
                    report(len(models), count, "folds")
        rows = zip(models, folds.held, strict=True)
        held = tuple((score_matrix(model, x, pos), score_matrix(model, x, unl)) for model, (pos, unl) in rows)
        return CrossFitted(
            models=tuple(models),
            held=held,
            unchosen=held,
            seen=tuple(score_matrix(model, x, folds.seen) for model in models),
            epochs=(0,) * count,
            history=[],
        )

    def fit_fold(
        self,
        sample: PUSample,
        preparation: Preparation,
        *,
        folds: Folds,
        number: int,
        seed: int,
        shares: Proportions | None,
        checkpoint_dir: Path,
    ) -> None:
        """Fit the classifier of one fold and leave it in the checkpoint directory."""
        x = open_matrix(sample.rows, preparation)
        unfitted = self._make(None if shares is None else shares.alpha)
        kept = _keep_fold(Checkpoint(checkpoint_dir, key=self.key(sample, seed)), folds, number)
        with threadpool_limits(1):
            _fit_fold(unfitted, x, sample, folds=folds, number=number, seed=seed, kept=kept)

    def describe(self) -> dict[str, Any]:
        """Return what a model's JSON says about options and training: there is no network."""
        base = {} if self.base is None else {"base": repr(self.base)}
        return {"options": self.options, "encoder": {}, "settings": {"validation": self.validation, **base}}

    def key(self, sample: PUSample, seed: int) -> str:
        """Return a hash of data and settings: equal keys, equal models."""
        run = {
            "sample": sample.fingerprint(),
            "method": self.name,
            "options": self.options,
            "base": repr(self.base),
            "validation": self.validation,
            "prior": self.prior if self.needs_prior else None,
            "seed": seed,
        }
        return hashlib.sha256(json.dumps(run, sort_keys=True).encode()).hexdigest()

    def check_storable(self) -> None:
        """Refuse a base that fits and scores but could not be saved."""
        check_storable(self.base)

    def _make(self, alpha: float | None) -> Classical:
        known = {"alpha": alpha} if self.needs_prior else {}
        around = {} if self.base is None else {"base": self.base}
        made: Classical = find_method(self.name).load()(**around, **self.options, **known)
        return made


def _fit(
    unfitted: Classical, x: Any, sample: PUSample, index: NDArray[np.int64], *, seed: tuple[int, ...]
) -> Classical:
    """Fit a model to some of the rows, with what a person said about them; of very many unlabelled ones to a draw."""
    thinned = thin_unlabelled(index, sample, most=unfitted.limit_unlabelled, seed=seed)
    rows, label = apply_reviews(thinned, sample.s, sample.reviews)
    is_whole = len(rows) == x.shape[0] and rows is index and not isinstance(x, MatrixOnDisk)
    return unfitted.fit(x if is_whole else x[rows], label, rng=np.random.default_rng(seed))


def _keep_fold(checkpoint: Checkpoint | None, folds: Folds, number: int) -> FittedFold | None:
    """Return where the model of a fold is kept, if anywhere."""
    return None if checkpoint is None else FittedFold(checkpoint.of_stage(f"fold {number + 1} of {len(folds.splits)}"))


def _fit_fold(
    unfitted: Classical, x: Any, sample: PUSample, *, folds: Folds, number: int, seed: int, kept: FittedFold | None
) -> Any:
    """Fit the model of one fold and keep it, unless it was kept before."""
    model = None if kept is None else kept.load(unfitted, columns=x.shape[1])
    if model is None:
        with threadpool_limits(1, user_api="openmp"):  # every thread has its own limit
            model = _fit(unfitted, x, sample, folds.splits[number].train, seed=(seed, 6, number))
        if kept is not None:
            kept.save(model)
    return model
