"""Scores that no model made of its own rows: for priors, calibration and selection."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from angularpu.classical.base_classifier import compute_log_odds, default_base
from angularpu.classical.threads import few_threads
from angularpu.data.prepare.preparation import fit_preparation
from angularpu.data.rows import Rows
from angularpu.errors import SettingError
from angularpu.methods.fitted import score_in_blocks
from angularpu.methods.neural import NeuralMethod
from angularpu.scenario.sample import PUSample
from angularpu.scenario.split import FEWEST_TO_HOLD_OUT, FOLDS, Validation, folds
from angularpu.train.settings import Settings

# Labels are noisy: hidden positives look labelled. With scikit-learn's larger trees and steps the out-of-fold log loss
# of P against U is higher (Gaussians, spam, Fashion-MNIST pixels; not letter), the highest scores mix, and alpha comes
# out too great. No early stopping: it sets rows aside, and with two positives there are none to spare.
BOOSTING = {"max_leaf_nodes": 4, "learning_rate": 0.05, "max_iter": 100}


@dataclass(frozen=True, eq=False)
class OutOfFold:
    """Log-odds of "labelled" for every row of a sample, each by a classifier that was not trained on it.

    Attributes
    ----------
    score_pos : float64 array of shape (n_pos,)
        In the order of ``sample.pos``.
    score_unl : float64 array of shape (n_unl,)
        In the order of ``sample.unl``.
    """

    score_pos: NDArray[np.float64]
    score_unl: NDArray[np.float64]


def score_out_of_fold(sample: PUSample, *, classifier: Any = None, seed: int = 0) -> OutOfFold:
    """Tell labelled from unlabelled rows by a classifier, five times, each time scoring the fifth it did not see.

    Parameters
    ----------
    sample : PUSample
    classifier : scikit-learn classifier, optional
        Cloned for every fold. By default histogram gradient boosting (a hundred trees of four leaves) for tables and
        vectors, logistic regression for sparse rows, and our own encoder for images.
    seed : int
        Deals the folds and seeds the default classifier.
    """
    k = min(FOLDS, sample.n_pos, sample.n_unl)
    if k < 2:
        raise SettingError(
            f"out-of-fold scores take two labelled positives and two unlabelled rows at least, got {sample.n_pos} and "
            f"{sample.n_unl}; collect more"
        )
    score = np.empty(len(sample.s))
    x = None if sample.rows.kind == "image" and classifier is None else _read(sample)
    for number, (train, held) in enumerate(folds(sample, k, rng=np.random.default_rng([seed, 3]))):
        if x is None:
            score[held] = _train_network(sample.take(train), sample.take(held).rows, seed=seed + number)
        else:
            model = clone(classifier) if classifier is not None else _default(sample, seed)
            with few_threads(x):
                score[held] = compute_log_odds(model.fit(x[train], sample.s[train]), x[held])
    return OutOfFold(score[sample.pos], score[sample.unl])


def _read(sample: PUSample) -> Any:
    """Return the rows as one matrix: sparse rows as they are, others prepared."""
    everything = sample.rows.take(np.arange(len(sample.s)))
    if sample.rows.kind == "sparse":
        return everything
    return fit_preparation(sample.rows).apply(everything).reshape(len(sample.s), -1)


def _train_network(sample: PUSample, rows: Rows, *, seed: int) -> NDArray[np.float32]:
    """Train our own encoder as a P-versus-U classifier, and score other rows with it."""
    # Folds within folds would train thirty networks, so a tenth chooses the epoch where it can.
    validation: Validation = "hold-out" if sample.n_pos >= FEWEST_TO_HOLD_OUT else "folds"
    method = NeuralMethod("naive", settings=Settings(validation=validation, refit=True))
    preparation = method.prepare(sample.rows)
    scorer = method.train(sample, preparation, seed=seed).scorer
    return score_in_blocks(scorer, rows, preparation=preparation)


def _default(sample: PUSample, seed: int) -> Any:
    base = default_base(sample.rows.kind, n=len(sample.s))
    return base if sample.rows.kind == "sparse" else base.set_params(**BOOSTING, random_state=seed % 2**32)
