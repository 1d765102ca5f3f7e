"""The adapter that makes a method of an algorithm: which network, how it is trained, what scores its rows."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from angularpu.algorithms.base import Algorithm
from angularpu.data.prepare.preparation import Preparation, fit_preparation
from angularpu.data.rows import Rows
from angularpu.decide.prior_setting import Prior
from angularpu.errors import SettingError
from angularpu.methods.encoder_choice import EncoderChoice
from angularpu.methods.fold_tasks import FoldFitter, spread_folds
from angularpu.methods.known_rows import drop_known_rows, fingerprint_known_rows, prepare_known_rows
from angularpu.methods.protocol import Outcome, RunTasks, Scorer
from angularpu.methods.table import find_method
from angularpu.nets.encoder import Encoder
from angularpu.nets.sparse_linear import SPARSE_FORM, lay_out_by_column
from angularpu.progress import ReportProgress
from angularpu.scenario.proportions import Proportions
from angularpu.scenario.sample import PUSample, Truth
from angularpu.scenario.split import count_splits
from angularpu.train.checkpoint import Checkpoint
from angularpu.train.cross_fitted import CrossFitted, Folds
from angularpu.train.finished_epoch import OnEpoch
from angularpu.train.fitting import fit, plan_fit
from angularpu.train.fold_fitting import fit_fold, fit_folds
from angularpu.train.prepared_maps import prepare_maps
from angularpu.train.prepared_rows import PreparedRows, prepare_rows
from angularpu.train.scoring import list_algorithms
from angularpu.train.selection_names import NEEDS_PRIOR
from angularpu.train.settings import Settings


@dataclass(frozen=True)
class NeuralMethod:
    """A method whose algorithm trains a network.

    Attributes
    ----------
    name : str
        The method, by its name in the table.
    options : dict
        The algorithm's options, without the prior.
    encoder : EncoderChoice
    settings : Settings
    threshold : str
        The rule that chooses the threshold.
    prior : float in (0, 1) or str
        The share of positives in the population, or the estimator that finds it.
    preset : str
        Where the options came from.
    """

    name: str
    options: dict[str, Any] = field(default_factory=dict)
    encoder: EncoderChoice = field(default_factory=EncoderChoice)
    settings: Settings = field(default_factory=Settings)
    threshold: str = "auto"
    prior: Prior = "bbe"
    preset: str = "default"

    @property
    def needs_prior(self) -> bool:
        """Whether the algorithm or the selection of the epoch needs the share of positives."""
        return "prior" in find_method(self.name).traits or self.settings.selection in NEEDS_PRIOR

    def has_margin(self, *, n_pos: int, n_unl: int) -> bool:
        """Tell whether the algorithm has a margin, and one model scores: a mean of models has none."""
        algorithm: type[Algorithm] = find_method(self.name).load()
        return algorithm.has_margin and self.makes_one_network(n_pos=n_pos, n_unl=n_unl)

    def makes_one_network(self, *, n_pos: int, n_unl: int) -> bool:
        """Tell whether one network scores in the end, rather than the mean of the folds' networks."""
        settings = self.settings
        splits = count_splits(settings.validation, n_pos=n_pos, n_unl=n_unl, enough=settings.enough_positives)
        return settings.refit or splits < 2

    def prepare(self, rows: Rows) -> Preparation:
        """Learn how raw rows become the numbers that go into the network."""
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
        """Train on a sample; with a checkpoint directory, an unfinished run that is there is resumed."""
        if run_tasks is not None and not self.makes_one_network(n_pos=sample.n_pos, n_unl=sample.n_unl):
            folds = Folds.of(sample, plan_fit(sample, self.settings, seed=seed).splits)
            fit_one = FoldFitter({"": self}, sample, preparation, folds, seed, shares, checkpoint_dir)
            spread_folds(fit_one, run_tasks, report=report)
        build, prepared = self._set_up(sample, preparation, shares=shares)
        outcome = fit(
            build,
            sample,
            prepared=prepared,
            settings=self.settings,
            seed=seed,
            shares=shares,
            truth=truth,
            checkpoint=self._open_checkpoint(sample, seed, directory=checkpoint_dir),
            on_epoch=on_epoch,
            report=report,
        )
        self._complete(outcome.scorer, preparation)
        return outcome

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
        """Train one network for every fold."""
        build, prepared = self._set_up(sample, preparation, shares=shares)
        cross = fit_folds(
            build,
            sample,
            folds,
            prepared=prepared,
            settings=self.settings,
            seed=seed,
            shares=shares,
            checkpoint=self._open_checkpoint(sample, seed, directory=checkpoint_dir),
            report=report,
        )
        for model in cross.models:
            self._complete(model, preparation)
        return cross

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
        """Train the network of one fold and leave it in the checkpoint directory."""
        build, prepared = self._set_up(sample, preparation, shares=shares)
        fit_fold(
            build,
            sample,
            folds,
            number=number,
            prepared=prepared,
            settings=self.settings,
            seed=seed,
            shares=shares,
            checkpoint=Checkpoint(checkpoint_dir, key=self.key(sample, seed)),
        )

    def _set_up(
        self, sample: PUSample, preparation: Preparation, *, shares: Proportions | None
    ) -> tuple[Callable[[], Algorithm], PreparedRows]:
        """Return what makes a fresh algorithm, and the rows it learns from, behind frozen blocks if there are any."""
        if len(sample.refuted) and not find_method(self.name).load().learns_from_negatives:
            raise SettingError(
                f"{self.name} has no term for rows that were found negative; fit the ensemble, angular, nnpu or "
                "another method that has (docs/reviews.md), or leave the negatives out of the reviews"
            )
        alpha = None if shares is None else shares.alpha
        options = prepare_known_rows(self.name, self.options, preparation=preparation)
        in_shape = preparation.out_shape
        stem = self.encoder.build_stem(in_shape)

        def build() -> Algorithm:
            encoder = self.encoder.build_trainable(in_shape)
            if sample.rows.kind == "sparse":
                lay_out_by_column(encoder)
            return make_algorithm(self.name, options, alpha=alpha, encoder=encoder)

        if stem is None:
            return build, prepare_rows(sample.rows, preparation)
        return build, prepare_maps(sample.rows, preparation, stem, directory=self.encoder.maps_directory)

    def _complete(self, scorer: Scorer, preparation: Preparation) -> None:
        """Put the frozen blocks back in front of what was trained."""
        if self.encoder.frozen_blocks:
            for algorithm in list_algorithms(scorer):
                algorithm.encoder = self.encoder.complete(algorithm.encoder, preparation.out_shape)

    def _open_checkpoint(self, sample: PUSample, seed: int, *, directory: Path | None) -> Checkpoint | None:
        return Checkpoint(directory, key=self.key(sample, seed)) if directory else None

    def describe(self) -> dict[str, Any]:
        """Return what a model's JSON says about the options, the network and its training."""
        return {
            "options": drop_known_rows(self.name, self.options),
            "encoder": self.encoder.describe(),
            "settings": asdict(self.settings),
        }

    def check_storable(self) -> None:
        """Refuse nothing: every network is stored as its tensors."""

    def key(self, sample: PUSample, seed: int) -> str:
        """Return a hash of data and settings: equal keys, equal models."""
        run = {
            "sample": sample.fingerprint(),
            "method": self.name,
            "options": drop_known_rows(self.name, self.options),
            **fingerprint_known_rows(self.name, self.options),
            "encoder": self.encoder.fingerprint(),
            "settings": asdict(self.settings),
            "prior": self.prior if self.needs_prior else None,
            "seed": seed,
            **(SPARSE_FORM if sample.rows.kind == "sparse" else {}),
        }
        return hashlib.sha256(json.dumps(run, sort_keys=True).encode()).hexdigest()


def make_algorithm(method: str, options: dict[str, Any], *, alpha: float | None, encoder: Encoder) -> Algorithm:
    """Make a method's algorithm around an encoder, with the share of positives if it needs that."""
    card = find_method(method)
    known = {"alpha": alpha} if "prior" in card.traits else {}
    algorithm: Algorithm = card.load()(encoder, **options, **known)
    return algorithm
