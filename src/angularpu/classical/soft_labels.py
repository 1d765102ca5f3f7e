"""Fitting on unlabelled rows that are positive only in part."""

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from angularpu.classical.base_classifier import Matrix, fit_base


def fit_soft(base: Any, x: Matrix, *, s: NDArray[np.int8], share: NDArray[np.float64], rng: np.random.Generator) -> Any:
    """Fit with every unlabelled row in twice: as a positive of weight w and as a negative of weight 1 - w.

    Parameters
    ----------
    base : scikit-learn classifier or None
        Its fit must take row weights.
    x : matrix of shape (n, d)
    s : int8 array of shape (n,)
        Labelled rows enter once, as positives of weight 1.
    share : float64 array of shape (n,), in [0, 1]
        w; what stands at labelled rows is not read.
    rng : numpy.random.Generator
    """
    unl = s == 0
    w = share[unl]
    rows = sp.vstack([x, x[unl]], format="csr") if sp.issparse(x) else np.concatenate([x, x[unl]])
    y = np.concatenate([np.ones(len(s), np.int8), np.zeros(len(w), np.int8)])
    weight = np.concatenate([np.where(unl, share, 1.0), 1 - w])
    return fit_base(base, rows, y, rng=rng, weight=weight)
