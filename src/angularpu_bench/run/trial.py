"""One cell made ready: its rows, its labels and its method."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from angularpu.data.assembly import subset
from angularpu.data.rows import Rows
from angularpu.data.sources import as_rows
from angularpu.decide.prior_setting import Prior
from angularpu.fit.workflow import fit_method
from angularpu.methods.configure import AnyMethod, configure
from angularpu.methods.fitted import Fitted
from angularpu.methods.table import find_method
from angularpu.scenario.proportions import Proportions
from angularpu.scenario.sample import PUSample, Scenario, Truth
from angularpu.scenario.split import FEWEST_TO_HOLD_OUT, Validation
from angularpu.train.finished_epoch import OnEpoch
from angularpu.train.selection import Judge
from angularpu_bench.catalogue.dataset import Dataset
from angularpu_bench.run.measure import Scored
from angularpu_bench.run.rows import Places, draw_sample, is_thinned, load_rows
from angularpu_bench.spec.bases import make_base, takes_base
from angularpu_bench.spec.grid import Cell
from angularpu_bench.spec.protocol import SINGLE, WEIGHTS, find_weights


@dataclass(frozen=True, eq=False)
class Trial:
    """A cell with all that it needs.

    Attributes
    ----------
    dataset : Dataset
    sample : PUSample
    truth : Truth
        Of the sample's rows; for what is named oracle, and for measuring.
    method : NeuralMethod, ClassicalMethod or EnsembleMethod
    seed : int
    judged_as : {"one-sample", "two-sample"}
        Which rows stand for the population when a threshold is chosen.
    """

    dataset: Dataset
    sample: PUSample
    truth: Truth
    method: AnyMethod
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

    @property
    def judge(self) -> Judge:
        """What measures held-out rows by every rule, with the true classes and the true share of positives."""
        sample, alpha = self.sample, self.alpha
        shares = Proportions(sample.n_pos, sample.n_unl, sample.scenario, alpha) if 0 < alpha < 1 else None
        return Judge(shares=shares, truth=self.truth)

    def key(self) -> str:
        """Return a hash of rows and settings: equal keys, equal fits."""
        return self.method.key(self.sample, self.seed)

    def fit(self, *, checkpoint_dir: Path | None = None, on_epoch: OnEpoch | None = None) -> Fitted:
        """Fit the method; with a checkpoint directory, an unfinished fit that is there is resumed."""
        return fit_method(self.method, self.sample, seed=self.seed, checkpoint_dir=checkpoint_dir, on_epoch=on_epoch)

    def score(self, fitted: Fitted, test: NDArray[np.float32] | None = None) -> Scored:
        """Return the scores to choose a threshold by and those of the test rows, with the true classes.

        ``test`` are the scores of the test rows, if they are known already.
        """
        y_unl: NDArray[np.int8] = self.truth.y[_list_held(fitted)[1]]
        held = replace(fitted.held, scenario=self.judged_as)
        test = fitted.score(as_rows(self.dataset.x_test)) if test is None else test
        return Scored(held, y_unl, test, self.dataset.y_test)

    def held(self, fitted: Fitted) -> tuple[Rows, Rows]:
        """Return the labelled and the unlabelled rows whose scores choose the threshold."""
        pos, unl = (subset(self.sample.rows, index) for index in _list_held(fitted))
        return pos, unl


def prepare_trial(cell: Cell, places: Places) -> Trial:
    """Load, label and configure a cell."""
    card = find_method(cell.method)
    dataset = load_rows(cell, places)
    sample, truth = draw_sample(dataset, cell, oracle=card.oracle)
    keeps_last = cell.options.get("selection") == "last"
    method = make_method(
        cell,
        prior=_choose_prior(cell, sample, truth),
        data=places.data,
        cache=places.cache,
        validation=choose_validation(sample.n_pos, keeps_last=keeps_last),
    )
    return Trial(dataset, sample, truth, method, cell.seed, _choose_scenario(cell, sample, oracle=card.oracle))


def choose_validation(n_pos: int, *, keeps_last: bool = False) -> Validation:
    """Return how a cell is validated: a tenth held out, as in the paper, wherever that leaves 30 positives to judge by.

    A cell that keeps its last epoch needs the held-out rows for the threshold alone and has a tenth held out always.

    >>> choose_validation(300), choose_validation(299), choose_validation(299, keeps_last=True)
    ('hold-out', 'folds', 'hold-out')
    """
    return "hold-out" if keeps_last or n_pos >= FEWEST_TO_HOLD_OUT else "folds"


def make_method(
    cell: Cell, *, prior: Prior, data: Path | None, cache: Path | None = None, validation: Validation = "auto"
) -> AnyMethod:
    """Make the method of a cell, refusing options that it does not have; its own validation and refit come first."""
    usual: dict[str, dict[str, Any]] = {
        "network": {"validation": validation, **SINGLE},
        "classical": {"validation": validation},
        "ensemble": {},
    }
    options = {**usual[find_method(cell.method).kind], **cell.options}
    if cell.track == "finetune" and data is not None and options["encoder"] in WEIGHTS:
        options["weights"] = str(find_weights(options["encoder"], data))
    if "frozen_blocks" in options and cache is not None:
        options["maps_dir"] = str(cache)
    if takes_base(cell.method):
        options["base"] = make_base(cell.track, boosting_rounds=cell.boosting_rounds)
    return configure(cell.preset, method=cell.method, threshold=cell.threshold, prior=prior, options=options)


def _list_held(fitted: Fitted) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    assert fitted.held_rows is not None, "only a model that was read does not know its rows"
    return fitted.held_rows


def _choose_scenario(cell: Cell, sample: PUSample, *, oracle: bool) -> Scenario:
    """Return which rows stand for the population: all labelled ones beside some of the others are no draw of it."""
    if oracle:
        return "one-sample"  # the unlabelled rows are the negatives
    return "two-sample" if is_thinned(cell) else sample.scenario


def _choose_prior(cell: Cell, sample: PUSample, truth: Truth) -> Prior:
    """Return the population's share of positives that a method is given, or the estimator that finds it."""
    if cell.prior != "true":
        return cell.prior or "bbe"
    return float(truth.y.mean() if sample.scenario == "one-sample" else truth.y[sample.unl].mean())
