"""TIcE: the label frequency in the subset of rows that a tree finds richest in labels."""

import numpy as np

from angularpu.priors.alpha import Alpha
from angularpu.priors.inputs import Floats, Matrix, check_matrices
from angularpu.priors.label_frequency import convert_label_freq
from angularpu.priors.tice_tree import grow_subsets

_FOLDS = 5
_LEAST_ROWS = 10
_ROUNDS = 20
_NEARLY_ALL = 0.9


def estimate_tice(x_pos: Matrix, x_unl: Matrix, *, seed: int = 0, splits: int = 500) -> Alpha:
    """Bound the label frequency from below in many subsets of the rows, and derive alpha from the best bound.

    A subset of T rows, L of them labelled, says c >= L/T - sqrt(c (1 - c)(1 - delta)/(delta T)) with
    delta = max(0.025, 1/(1 + 0.004 T)), where T in delta counts the rows of all estimation folds (Bekker and Davis
    2018, TIcE). Trees grown on one fold propose the subsets, the other folds bound c in them. c starts at 1/2 and is
    put back into its bound until it no longer changes. Where no subset is purely positive, c comes out too low and
    alpha too high.

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
    x = _scale(np.concatenate([pos, unl]))
    labelled = np.arange(len(x)) < len(pos)
    fold = np.random.default_rng(seed).permutation(len(x)) % _FOLDS
    subsets = [grow_subsets(x, labelled, grown_on=fold == part, splits=splits) for part in range(_FOLDS)]
    whole = len(pos) / len(x)
    label_freq = 0.5
    for _ in range(_ROUNDS):
        before, label_freq = label_freq, float(np.mean([_bound(*each, c=label_freq) for each in subsets]))
        label_freq = max(whole, label_freq)
        if abs(label_freq - before) < 1e-6:
            break
    alpha, notes = convert_label_freq(label_freq, n_pos=len(pos), n_unl=len(unl))
    if alpha > _NEARLY_ALL:
        notes += (
            "no subset of rows is much richer in labels than the whole: no region is seen to be purely positive, "
            "so alpha is only an upper bound",
        )
    tried = float(np.mean([len(total) for total, _ in subsets]))
    return Alpha(alpha, {"label_freq": label_freq, "whole": whole, "subsets": tried}, notes)


def _scale(x: Floats) -> Floats:
    low, width = x.min(axis=0), np.ptp(x, axis=0)
    scaled: Floats = (x - low) / np.where(width > 0, width, 1.0)
    return scaled


def _bound(total: Floats, labelled: Floats, *, c: float) -> float:
    """Return the best lower bound on c over subsets of ``total`` rows; the first of them is the whole fold."""
    delta = max(0.025, 1 / (1 + 0.004 * total[0]))
    enough = total >= _LEAST_ROWS
    total, labelled = total[enough], labelled[enough]
    bound = labelled / total - np.sqrt(c * (1 - c) * (1 - delta) / (delta * total))
    return float(bound.max(initial=0.0))
