"""Histogram gradient boosting: trees whose values are added up to log-odds."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.special import expit
from sklearn.ensemble import HistGradientBoostingClassifier

from angularpu.checks import check_range, check_whole
from angularpu.classical.storage.internals import BOOSTING_ATTRIBUTES, find_internals, require_attributes
from angularpu.classical.storage.kind import CLASSES, Arrays, Fields, Kind, Pieces, check_classes, check_width
from angularpu.classical.storage.nodes import LEAF, Nodes, join_nodes, make_nodes, outline_nodes
from angularpu.errors import ModelError
from angularpu.files import Outline

WORDS = 8  # in which scikit-learn marks the categories of a column; none is categorical here


class BoostedTrees:
    """Boosted trees that were read: score as the classifier that was saved.

    Parameters
    ----------
    nodes : Nodes
        Checked; a leaf gives what it adds to the log-odds.
    baseline : float
        Log-odds before the first tree.
    columns : int
    """

    classes_ = CLASSES

    def __init__(self, nodes: Nodes, baseline: float, columns: int) -> None:
        self.nodes, self.baseline, self.columns = nodes, baseline, columns
        self._trees = _make_trees(nodes)
        self._no_categories = np.zeros((0, WORDS), np.uint32), np.zeros(columns, np.uint32)

    def decision_function(self, x: Any) -> NDArray[np.float64]:
        """Return the log-odds of each row."""
        if sp.issparse(x):
            raise ModelError("boosted trees cannot read sparse rows; pass them as an array")
        check_width(x, self.columns)
        rows = np.asarray(x, np.float64)
        threads = find_internals()._openmp_effective_n_threads()
        total = np.full(len(rows), self.baseline)
        for tree in self._trees:
            total += tree.predict(rows, *self._no_categories, threads)
        return total

    def predict_proba(self, x: Any) -> NDArray[np.float64]:
        """Return the probabilities of the two classes, of shape (n, 2)."""
        positive = expit(self.decision_function(x))
        return np.stack([1 - positive, positive], axis=1)


class BoostingKind(Kind):
    """Histogram gradient boosting without categorical columns."""

    name = "boosted_trees"
    types = (HistGradientBoostingClassifier, BoostedTrees)
    field_names = ("trees", "nodes", "baseline")

    def split(self, model: Any) -> Pieces:
        """Put the nodes of all trees one behind the other."""
        check_classes(model)
        if isinstance(model, BoostedTrees):
            nodes, baseline = model.nodes, model.baseline
        else:
            require_attributes(model, BOOSTING_ATTRIBUTES)
            nodes = join_nodes([_take_nodes(tree.nodes) for (tree,) in model._predictors])
            baseline = float(model._baseline_prediction.item())
        return Pieces({"trees": len(nodes.sizes), "nodes": len(nodes.left), "baseline": baseline}, nodes.arrays())

    def outline(self, fields: Fields, columns: int) -> dict[str, Outline]:
        """Return the arrays of the nodes."""
        check_range("baseline", fields["baseline"])
        trees, nodes = (check_whole(name, fields[name], low=1) for name in ("trees", "nodes"))
        return outline_nodes(trees, nodes, width=1)

    def join(self, fields: Fields, arrays: Arrays, *, children: Mapping[str, Any], columns: int) -> BoostedTrees:
        """Check the nodes and make the trees."""
        nodes = Nodes(**arrays)
        nodes.check(columns)
        return BoostedTrees(nodes, float(fields["baseline"]), columns)

    def list_unfitted(self, model: Any) -> list[Any]:
        """Refuse columns that are said to be categories."""
        if getattr(model, "categorical_features", None) not in (None, "from_dtype"):
            raise _refuse_categories()
        return []

    def reads_sparse(self, fields: Fields) -> bool:
        """Tell that it does not."""
        return False


def _take_nodes(records: NDArray[Any]) -> Nodes:
    if np.any(records["is_categorical"]):
        raise _refuse_categories()
    left = np.where(records["is_leaf"], LEAF, records["left"].astype(np.int64))
    return make_nodes(
        left,
        records["right"],
        feature=records["feature_idx"],
        threshold=records["num_threshold"],
        value=records["value"][:, None],
    )


def _make_trees(nodes: Nodes) -> list[Any]:
    internals = find_internals()
    records = np.zeros(len(nodes.left), internals.PREDICTOR_RECORD_DTYPE)
    leaf = nodes.left == LEAF
    records["is_leaf"] = leaf
    records["left"], records["right"] = np.where(leaf, 0, nodes.left), np.where(leaf, 0, nodes.right)
    records["feature_idx"], records["num_threshold"] = nodes.feature, nodes.threshold
    records["value"] = nodes.value[:, 0]
    no_categories = np.zeros((0, WORDS), np.uint32)
    trees = np.split(records, np.cumsum(nodes.sizes)[:-1])
    return [internals.TreePredictor(tree, no_categories, no_categories) for tree in trees]


def _refuse_categories() -> ModelError:
    return ModelError("boosted trees that split by category cannot be saved; leave categorical_features out")
