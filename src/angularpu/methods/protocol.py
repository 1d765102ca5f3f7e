"""What a method is: settings that can be trained on a sample, what training gives, and what scores rows afterwards."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

from angularpu.data.prepare.preparation import Preparation
from angularpu.data.rows import Rows
from angularpu.decide.prior_setting import Prior
from angularpu.progress import ReportProgress
from angularpu.scenario.proportions import Proportions
from angularpu.scenario.sample import PUSample, Truth
from angularpu.train.cross_fitted import CrossFitted, Folds
from angularpu.train.finished_epoch import OnEpoch
from angularpu.train.outcome import Outcome, Scorer

__all__ = ["Member", "Method", "Outcome", "RunTasks", "Scorer"]
Item = TypeVar("Item")
Result = TypeVar("Result")


class RunTasks(Protocol):
    """How tasks that do not depend on each other are run, such as by the machines of a cluster."""

    def __call__(self, function: Callable[[Item], Result], items: Sequence[Item]) -> Iterator[Result]:
        """Call the function with every item, wherever and in whatever order, and yield what it returns, as it does."""
        ...


class Method(Protocol):
    """Settings that can be trained on a sample: a network's, or those around a scikit-learn classifier."""

    @property
    def name(self) -> str:
        """The method, by its name in the table."""
        ...

    @property
    def options(self) -> dict[str, Any]:
        """The method's own options, without the prior."""
        ...

    @property
    def threshold(self) -> str:
        """The rule that chooses the threshold."""
        ...

    @property
    def prior(self) -> Prior:
        """The share of positives in the population, or the estimator that finds it."""
        ...

    @property
    def preset(self) -> str:
        """Where the options came from."""
        ...

    @property
    def needs_prior(self) -> bool:
        """Whether training itself needs the share of positives."""
        ...

    def has_margin(self, *, n_pos: int, n_unl: int) -> bool:
        """Tell whether the model fitted on so many rows will have a margin of its own to cut at."""
        ...

    def prepare(self, rows: Rows) -> Preparation:
        """Learn how raw rows become what the method learns from."""
        ...

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
        """Train on a sample.

        ``shares`` is given when it is needed, ``truth`` only for what is called oracle. ``on_epoch`` is called after
        every epoch, where there are epochs; see :class:`~angularpu.train.finished_epoch.FinishedEpoch`. With
        ``run_tasks`` folds are trained elsewhere, wherever that runs them.
        """
        ...

    def describe(self) -> Mapping[str, Any]:
        """Return what a model's JSON says about how it was trained: ``options``, ``encoder`` and ``settings``."""
        ...

    def check_storable(self) -> None:
        """Refuse settings whose model could be fitted but not saved."""
        ...

    def key(self, sample: PUSample, seed: int) -> str:
        """Return a hash of data and settings: equal keys, equal models."""
        ...


class Member(Method, Protocol):
    """A method that can be one of an ensemble."""

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
        """Train one model for every fold, on the folds that all members share."""
        ...

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
        """Train the model of one fold and leave it in the checkpoint directory, where :meth:`cross_fit` finds it."""
        ...
