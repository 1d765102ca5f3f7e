"""Whether a sample's labels look like a random draw of its positives."""

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.decomposition import TruncatedSVD

from angularpu.data.prepare.preparation import Preparation, fit_preparation
from angularpu.data.rows import Block
from angularpu.decide.scar import check_scar
from angularpu.decide.scar_tests import ScarCheck
from angularpu.fit.out_of_fold import score_out_of_fold
from angularpu.methods.protocol import Outcome
from angularpu.priors.bbe import LEAST_ROWS
from angularpu.scenario.sample import PUSample

MOST_COLUMNS = 50
MOST_ROWS = 5000
Index = NDArray[np.int64]


def check_labelling(
    sample: PUSample, *, alpha: float | None = None, classifier: Any = None, seed: int = 0
) -> ScarCheck:
    """Check the assumption (SCAR) on which every prior, threshold and precision of this package rests.

    Parameters
    ----------
    sample : PUSample
    alpha : float in (0, 1), optional
        Share of positives among the unlabelled rows when it is known from outside; it makes a second test possible.
    classifier : scikit-learn classifier, optional
        Makes the out-of-fold scores; see :func:`~angularpu.fit.out_of_fold.score_out_of_fold`.
    seed : int

    Examples
    --------
    >>> from angularpu.scenario.sample import make_sample
    >>> rng = np.random.default_rng(0)
    >>> x = np.concatenate([rng.normal(4, 1, (400, 2)), rng.normal(0, 1, (300, 2))])
    >>> sample = make_sample(x, np.arange(700) < 200, scenario="one-sample")
    >>> check_labelling(sample).holds
    True
    """
    made = score_out_of_fold(sample, classifier=classifier, seed=seed)
    prepare = fit_preparation(sample.rows).apply
    rng = np.random.default_rng([seed, 6])
    x_pos, x_unl = _read(sample, (sample.pos, sample.unl), prepare=prepare)
    return check_scar(made.score_pos, made.score_unl, x_pos, x_unl, alpha=alpha, rng=rng)


def check_held(
    sample: PUSample,
    outcome: Outcome,
    *,
    preparation: Preparation,
    alpha: float | None,
    seed: int,
) -> ScarCheck | None:
    """Check the labels by the scores that a method has made of rows it was not trained on.

    Parameters
    ----------
    sample : PUSample
    outcome : Outcome
        Of the method's training.
    preparation : Preparation
        Of the method.
    alpha : float in (0, 1) or None
        Share of positives among the unlabelled rows when it is known from outside. An estimated one must not be passed:
        it agrees with its own scores, whatever the labels are.
    seed : int

    Returns
    -------
    ScarCheck or None
        None where too few rows were held out, or none.
    """
    held, (pos, unl) = outcome.held, outcome.held_rows
    if held.source == "training" or min(len(pos), len(unl)) < LEAST_ROWS:
        return None
    rng = np.random.default_rng([seed, 6])
    kept = np.sort(rng.permutation(len(unl))[:MOST_ROWS])
    x_pos, x_unl = _read(sample, (pos, unl[kept]), prepare=preparation.apply)
    return check_scar(held.score_pos, held.score_unl[kept], x_pos, x_unl, alpha=alpha, rng=rng)


def _read(
    sample: PUSample, rows: tuple[Index, Index], *, prepare: Callable[[Block], NDArray[Any]]
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return two groups of rows as matrices, prepared; wide sparse ones by their 50 main directions."""
    n = len(rows[0])
    both = sample.rows.take(np.concatenate(rows))
    if sample.rows.kind == "sparse" and both.shape[1] > MOST_COLUMNS:
        reduced: NDArray[Any] = TruncatedSVD(MOST_COLUMNS, random_state=0).fit_transform(both)
        return reduced[:n], reduced[n:]
    prepared: Any = prepare(both)
    dense = np.asarray(prepared.toarray() if sp.issparse(prepared) else prepared).reshape(prepared.shape[0], -1)
    return dense[:n], dense[n:]
