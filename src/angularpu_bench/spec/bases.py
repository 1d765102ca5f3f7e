"""The classifier inside a classical method: trees for tables, linear models for frozen features and text."""

import inspect
from typing import Any

from angularpu.methods.table import find_method

# Frozen features have about as many columns as there are labelled positives, so a linear model needs a strong penalty.
PENALTY = 0.001
TREES_ONLY = ("pu_boosting",)


def uses_trees(method: str, track: str) -> bool:
    """Tell whether a method uses boosted trees on a track.

    >>> uses_trees("bagging", "table"), uses_trees("bagging", "features"), uses_trees("pu_boosting", "features")
    (True, False, True)
    """
    if not takes_base(method) or track == "text":
        return False
    return track == "table" or method in TREES_ONLY


def takes_base(method: str) -> bool:
    """Tell whether a method stands around a classifier of the user's choice.

    >>> takes_base("bagging"), takes_base("extra_trees"), takes_base("nnpu")
    (True, False, False)
    """
    card = find_method(method)
    return card.kind == "classical" and "base" in inspect.signature(card.load()).parameters


def make_base(track: str, *, boosting_rounds: int | None) -> Any:
    """Make the classifier inside a classical method, or None for the package's default.

    Parameters
    ----------
    track : str
    boosting_rounds : int or None
        Rounds of boosted trees; None for a linear model.

    Examples
    --------
    >>> make_base("table", boosting_rounds=30)
    HistGradientBoostingClassifier(max_iter=30)
    >>> make_base("features", boosting_rounds=None)
    LogisticRegression(C=0.001)
    """
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.linear_model import LogisticRegression

    if boosting_rounds is not None:
        return HistGradientBoostingClassifier(max_iter=boosting_rounds)
    return None if track == "text" else LogisticRegression(C=PENALTY)
