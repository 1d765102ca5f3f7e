"""What a method is: settings that can be trained on a sample, what training gives, and what scores rows afterwards."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from angularpu.data.prepare.preparation import Preparation
from angularpu.data.rows import Rows
from angularpu.decide.held_out import HeldOut
from angularpu.decide.prior_setting import Prior
from angularpu.progress import ReportProgress
from angularpu.scenario.proportions import Proportions
from angularpu.scenario.sample import PUSample, Truth


class Scorer(Protocol):
    """What a method has learnt: from prepared rows to scores."""

    def score(self, x: Any) -> NDArray[np.float32]:
        """Return the scores of prepared rows; higher is more positive."""
        ...

    def embed(self, x: Any) -> NDArray[np.float32]:
        """Return the embeddings of prepared rows."""
        ...

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return what was learnt, as named arrays."""
        ...

    def files(self) -> dict[str, bytes]:
        """Return what was learnt and is no array, as files."""
        ...

    def numbers(self) -> dict[str, float]:
        """Return what was estimated on the way, for JSON."""
        ...


@dataclass(frozen=True)
class Outcome:
    """What training gave.

    Attributes
    ----------
    scorer : Scorer
    held : HeldOut
        Scores to choose a threshold by.
    rows : (ndarray, ndarray) of int64
        Numbers of the positives and of the unlabelled rows that those are the scores of.
    best_epoch : int
        The epoch that was kept, counted from 1; 0 where there are no epochs.
    history : list of dict
        One entry per stage and epoch.
    notes : tuple of str
        What a careful user should know about the validation.
    """

    scorer: Scorer
    held: HeldOut
    rows: tuple[NDArray[np.int64], NDArray[np.int64]]
    best_epoch: int
    history: list[dict[str, Any]]
    notes: tuple[str, ...]


class Method(Protocol):
    """Settings that can be trained on a sample: a network's, or those around a scikit-learn classifier."""

    @property
    def name(self) -> str:
        """The method, by its name in the table."""
        ...

    @property
    def options(self) -> dict[str, Any]:
        """The method's options, without the prior."""
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
        report: ReportProgress | None = None,
    ) -> Outcome:
        """Train on a sample; ``shares`` is given when it is needed, ``truth`` only for what is called oracle."""
        ...

    def describe(self) -> Mapping[str, Any]:
        """Return what a model's JSON says about how it was trained: ``encoder`` and ``settings``."""
        ...

    def key(self, sample: PUSample, seed: int) -> str:
        """Return a hash of data and settings: equal keys, equal models."""
        ...
