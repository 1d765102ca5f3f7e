"""TIcE: the label frequency in the subset of rows that a tree finds richest in labels."""

import numpy as np
from numpy.typing import NDArray

from angularpu.priors.alpha import Alpha
from angularpu.priors.inputs import Floats, Matrix, check_matrices
from angularpu.priors.label_frequency import convert_label_freq
from angularpu.priors.tice_tree import PARTS, Tree

_FOLDS = 5
_ROUNDS = 2
_NEARLY_ALL = 0.9


def estimate_tice(x_pos: Matrix, x_unl: Matrix, *, seed: int = 0, splits: int = 500) -> Alpha:
    """Bound the label frequency from below in many subsets of the rows, and derive alpha from the best bound.

    A subset of T rows, L of them labelled, says c >= L/T - sqrt(c (1 - c)(1 - delta)/(delta T)) with
    delta = max(0.025, 1/(1 + 0.004 T)), where T in delta counts the rows of all estimation folds (Bekker and Davis
    2018, TIcE). Trees grown on one fold propose the subsets, the other folds bound c in them. c starts at 1/2, and
    the estimate is put into the bound once more. Where no subset is purely positive, c comes out too low and alpha
    too high.

    Parameters
    ----------
    x_pos, x_unl : float arrays of shape (n_pos, columns) and (n_unl, columns)
        Rows; every column is scaled to [0, 1].
    seed : int
        Fixes the folds.
    splits : int
        How often each tree may split.

    Returns
    -------
    Alpha
        With the diagnostics label_freq (c), whole (labelled share of all rows, the least c) and subsets (how many were
        tried, on average over folds).

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> x_pos, x_unl = rng.normal(9, 1, (500, 2)), np.append(rng.normal(9, 1, (500, 2)), rng.normal(0, 1, (500, 2)), 0)
    >>> bool(0.5 <= estimate_tice(x_pos, x_unl).alpha < 0.7)
    True
    """
    pos, unl = check_matrices(x_pos, x_unl)
    quarter = _quarter(np.concatenate([pos, unl]))
    labelled = np.arange(len(quarter)) < len(pos)
    fold = np.random.default_rng(seed).permutation(len(quarter)) % _FOLDS
    bounds, tried = bound_label_freq(quarter, labelled, fold=fold, splits=splits)
    whole = len(pos) / len(quarter)
    label_freq = max(whole, float(np.mean(bounds[-1])))
    alpha, notes = convert_label_freq(label_freq, n_pos=len(pos), n_unl=len(unl))
    if alpha > _NEARLY_ALL:
        notes += (
            "no subset of rows is much richer in labels than the whole: no region is seen to be purely positive, "
            "so alpha is only an upper bound",
        )
    return Alpha(alpha, {"label_freq": label_freq, "whole": whole, "subsets": tried}, notes)


def bound_label_freq(
    quarter: NDArray[np.intp], labelled: NDArray[np.bool_], *, fold: NDArray[np.intp], splits: int
) -> tuple[list[list[float]], float]:
    """Return the best lower bound on c of every fold in both rounds, and how many subsets a tree of the last tried."""
    c, bounds = 0.5, []
    for _ in range(_ROUNDS):
        trees = [Tree(quarter, labelled, grown_on=fold == part, c=c) for part in range(_FOLDS)]
        for tree in trees:
            tree.grow(splits=splits)
        bounds.append([tree.best for tree in trees])
        c = float(np.mean(bounds[-1]))
    return bounds, float(np.mean([tree.subsets for tree in trees]))


def _quarter(x: Floats) -> NDArray[np.intp]:
    """Return which quarter of its column's range every number lies in, counted through the columns."""
    low, width = x.min(axis=0), np.ptp(x, axis=0)
    scaled = (x - low) / np.where(width > 0, width, 1.0)
    quarter: NDArray[np.intp] = np.minimum((scaled * PARTS).astype(np.intp), PARTS - 1) + PARTS * np.arange(x.shape[1])
    return quarter
