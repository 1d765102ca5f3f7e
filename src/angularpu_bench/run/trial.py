"""One cell made ready: its rows, its labels, its method, and which rows it is judged by."""

import functools
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from angularpu import files
from angularpu.data.assembly import subset
from angularpu.data.rows import Rows
from angularpu.data.sources import as_rows
from angularpu.decide.held_out import HeldOut
from angularpu.decide.prior_setting import Prior
from angularpu.errors import ModelError
from angularpu.fit.workflow import fit_method
from angularpu.methods.classical import ClassicalMethod
from angularpu.methods.configure import configure
from angularpu.methods.fitted import Fitted
from angularpu.methods.neural import NeuralMethod
from angularpu.methods.table import find_method
from angularpu.scenario.proportions import Proportions
from angularpu.scenario.sample import PUSample, Scenario, Truth
from angularpu.scenario.split import Validation
from angularpu.train.checkpoint import Checkpoint
from angularpu.train.selection import Judge
from angularpu_bench.catalogue.dataset import Dataset
from angularpu_bench.run.division import Division, choose_validation, divide
from angularpu_bench.run.epochs import Watch
from angularpu_bench.run.measure import Scored
from angularpu_bench.run.rows import Places, draw_sample, is_thinned, load_rows
from angularpu_bench.spec.bases import make_base
from angularpu_bench.spec.grid import Cell
from angularpu_bench.spec.protocol import WEIGHTS, find_weights

AnyMethod = NeuralMethod | ClassicalMethod


@dataclass(frozen=True, eq=False)
class Trial:
    """A cell with all that it needs.

    Attributes
    ----------
    dataset : Dataset
    sample : PUSample
    truth : Truth
        Of the sample's rows; for what is named oracle, and for measuring.
    method : NeuralMethod or ClassicalMethod
    division : Division
    seed : int
    judged_as : {"one-sample", "two-sample"}
        Which rows stand for the population when a threshold is chosen.
    """

    dataset: Dataset
    sample: PUSample
    truth: Truth
    method: AnyMethod
    division: Division
    seed: int
    judged_as: Scenario

    @property
    def shares(self) -> Proportions:
        """The true shares of positives, in the population as the sample shows it."""
        return Proportions(self.sample.n_pos, self.sample.n_unl, self.judged_as, self.alpha)

    @property
    def alpha(self) -> float:
        """The true share of positives among the unlabelled rows."""
        return float(self.truth.y[self.sample.unl].mean())

    @functools.cached_property
    def learn(self) -> PUSample:
        """What the fit is given."""
        return self.sample.take(self.division.learn) if self.division.is_ours else self.sample

    @property
    def held(self) -> tuple[Rows, Rows]:
        """The labelled and the unlabelled rows to judge by."""
        return subset(self.sample.rows, self.division.pos), subset(self.sample.rows, self.division.unl)

    def watch(self, directory: Path) -> Watch | None:
        """Return a watch over the epochs, with checkpoints in ``directory``; None where no one fit holds rows out."""
        if not (isinstance(self.method, NeuralMethod) and self.division.is_split):
            return None
        _clear_foreign(directory, key=self.method.key(self.learn, self.seed))
        sample, alpha = self.sample, self.alpha
        shares = Proportions(sample.n_pos, sample.n_unl, sample.scenario, alpha) if 0 < alpha < 1 else None
        return Watch(
            self.method,
            self.learn.rows,
            held=self.held,
            judge=Judge(shares=shares, truth=self.truth.take(self.division.unl)),
            test=as_rows(self.dataset.x_test),
            y_test=self.dataset.y_test,
            directory=directory,
        )

    def fit(self, watch: Watch | None) -> Fitted:
        """Fit the method; with a watch, go on from the checkpoint that it watches."""
        directory = None if watch is None else watch.directory
        return fit_method(self.method, self.learn, seed=self.seed, checkpoint_dir=directory, report=watch)

    def score(self, fitted: Fitted) -> Scored:
        """Score the rows to judge by and the test rows."""
        held = fitted.held
        if self.division.is_ours:
            pos, unl = (fitted.score(rows) for rows in self.held)
            held = HeldOut(pos, unl, self.sample.n_pos, self.sample.n_unl, self.sample.scenario, source="held out")
        y_unl: NDArray[np.int8] = self.truth.y[self.division.unl]
        held = replace(held, scenario=self.judged_as)
        assert (len(held.score_pos), len(held.score_unl)) == (len(self.division.pos), len(y_unl)), "another division"
        return Scored(held, y_unl, fitted.score(as_rows(self.dataset.x_test)), self.dataset.y_test)


def prepare_trial(cell: Cell, places: Places) -> Trial:
    """Load, label and configure a cell."""
    card = find_method(cell.method)
    dataset = load_rows(cell, places)
    sample, truth = draw_sample(dataset, cell, oracle=card.oracle)
    validation = cell.options.get("validation", choose_validation(sample.n_pos))
    prior = _tell_prior(cell, sample, truth)
    method = make_method(cell, prior=prior, data=places.data, validation=validation)
    keeps_last = isinstance(method, NeuralMethod) and method.settings.selection == "last"
    division = divide(sample, seed=cell.seed, keeps_last=keeps_last, validation=validation)
    return Trial(dataset, sample, truth, method, division, cell.seed, _judge_as(cell, sample, oracle=card.oracle))


def make_method(cell: Cell, *, prior: Prior, data: Path | None, validation: Validation = "auto") -> AnyMethod:
    """Make the method of a cell, refusing options that it does not have."""
    options: dict[str, Any] = {"validation": validation, **cell.options}
    if cell.track == "finetune" and data is not None and options["encoder"] in WEIGHTS:
        options["weights"] = str(find_weights(options["encoder"], data))
    if not find_method(cell.method).is_neural:
        options["base"] = make_base(cell.track, boosting_rounds=cell.boosting_rounds)
    return configure(cell.preset, method=cell.method, threshold=cell.threshold, prior=prior, options=options)


def _judge_as(cell: Cell, sample: PUSample, *, oracle: bool) -> Scenario:
    """Return which rows stand for the population: all labelled ones beside some of the others are no draw of it."""
    if oracle:
        return "one-sample"  # the unlabelled rows are the negatives
    return "two-sample" if is_thinned(cell) else sample.scenario


def _tell_prior(cell: Cell, sample: PUSample, truth: Truth) -> Prior:
    """Return what a method is told of the population's share of positives."""
    if cell.prior != "true":
        return cell.prior or "bbe"
    return float(truth.y.mean() if sample.scenario == "one-sample" else truth.y[sample.unl].mean())


def _clear_foreign(directory: Path, *, key: str) -> None:
    """Claim a checkpoint directory, throwing away what is left of a run with other rows, settings or code."""
    files.sweep(directory)
    try:
        Checkpoint(directory, key=key)
    except ModelError:
        files.remove(directory)
