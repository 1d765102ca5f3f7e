"""Trees whose nodes point outside the tree are refused before scikit-learn follows them.

scikit-learn walks a tree by the numbers in its nodes and checks none of them. A forged file could make it read memory
that is not its own, or loop without end.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble._forest import BaseForest
from sklearn.ensemble._gb import BaseGradientBoosting
from sklearn.ensemble._hist_gradient_boosting.predictor import TreePredictor
from sklearn.tree._tree import Tree

from angularpu.errors import ModelError


def refuse_invalid_trees(parts: Mapping[str, Any]) -> None:
    """Refuse scikit-learn objects with a tree whose nodes point outside it.

    Every inner node must point to two later nodes of its tree and to a column of the estimator that owns it.

    Parameters
    ----------
    parts : mapping of str to fitted scikit-learn object

    Raises
    ------
    ModelError
    """
    _walk(parts, columns=0, in_forest=False)


def _walk(item: Any, *, columns: int, in_forest: bool) -> None:
    if isinstance(item, Tree):
        nodes = item.__getstate__()["nodes"]
        inner = nodes["left_child"] != -1
        _check(nodes["left_child"], nodes["right_child"], nodes["feature"], inner=inner, columns=columns)
    elif isinstance(item, TreePredictor):
        nodes = item.nodes
        if np.any(nodes["is_categorical"]):
            raise ModelError("a boosted tree splits by category, which is not stored safely; fit the model again")
        _check(nodes["left"], nodes["right"], nodes["feature_idx"], inner=nodes["is_leaf"] == 0, columns=columns)
    else:
        # A forest hands its rows to its trees without looking at how many columns those were fitted with.
        columns = columns if in_forest else getattr(item, "n_features_in_", columns)
        in_forest = in_forest or isinstance(item, BaseForest | BaseGradientBoosting)
        for child in _list_children(item):
            _walk(child, columns=columns, in_forest=in_forest)


def _list_children(item: Any) -> Iterable[Any]:
    if isinstance(item, Mapping):
        return item.values()
    if isinstance(item, list | tuple | set):
        return item
    if isinstance(item, np.ndarray):
        return item.ravel().tolist() if item.dtype == object else ()
    if type(item).__module__.startswith("sklearn."):
        return getattr(item, "__dict__", {}).values()
    return ()


def _check(
    left: NDArray[Any], right: NDArray[Any], feature: NDArray[Any], *, inner: NDArray[np.bool_], columns: int
) -> None:
    here = np.flatnonzero(inner)
    ahead = [(here < child[inner]) & (child[inner] < len(inner)) for child in (left, right)]
    known = (feature[inner] >= 0) & (feature[inner] < columns)
    if not len(inner) or not np.all(ahead[0] & ahead[1] & known):
        raise ModelError("a tree's nodes point outside the tree or its columns; copy or fit the model again")
