"""Decision trees, extra trees and forests of either: trees whose shares of the classes are averaged."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier, ExtraTreeClassifier

from angularpu.checks import check_whole
from angularpu.classical.storage.internals import find_internals
from angularpu.classical.storage.kind import CLASSES, Arrays, Fields, Kind, Pieces, check_classes, check_width
from angularpu.classical.storage.nodes import Nodes, join_nodes, make_nodes, outline_nodes
from angularpu.files import Outline


class TreeVotes:
    """Trees that were read: score as the forest, or the one tree, that was saved, by one thread.

    Parameters
    ----------
    nodes : Nodes
        Checked; a leaf gives the shares of the two classes.
    columns : int
    """

    classes_ = CLASSES

    def __init__(self, nodes: Nodes, columns: int) -> None:
        self.nodes, self.columns = nodes, columns
        self._trees = [_make_tree(tree, columns) for tree in nodes.split()]

    def predict_proba(self, x: Any) -> NDArray[np.float64]:
        """Return the mean shares of the two classes over the trees, of shape (n, 2)."""
        check_width(x, self.columns)
        rows = sp.csr_matrix(x, dtype=np.float32) if sp.issparse(x) else np.asarray(x, np.float32)
        total = np.zeros((x.shape[0], len(CLASSES)))
        for tree in self._trees:
            total += tree.predict(rows)
        total /= len(self._trees)
        return total


class TreesKind(Kind):
    """Trees and forests; only what scoring needs is kept, so no importances of columns."""

    name = "trees"
    types = (
        DecisionTreeClassifier,
        ExtraTreeClassifier,
        RandomForestClassifier,
        ExtraTreesClassifier,
        TreeVotes,
    )
    field_names = ("trees", "nodes")

    def split(self, model: Any) -> Pieces:
        """Put the nodes of all trees one behind the other."""
        check_classes(model)
        nodes = model.nodes if isinstance(model, TreeVotes) else _join(model)
        return Pieces({"trees": len(nodes.sizes), "nodes": len(nodes.left)}, nodes.arrays())

    def outline(self, fields: Fields, columns: int) -> dict[str, Outline]:
        """Return the arrays of the nodes."""
        trees, nodes = (check_whole(name, fields[name], low=1) for name in self.field_names)
        return outline_nodes(trees, nodes, width=len(CLASSES))

    def join(self, fields: Fields, arrays: Arrays, *, children: Mapping[str, Any], columns: int) -> TreeVotes:
        """Check the nodes and make the trees."""
        nodes = Nodes(**arrays)
        nodes.check(columns)
        return TreeVotes(nodes, columns)


def take_votes(model: Any) -> TreeVotes:
    """Return what scoring needs of a fitted forest or tree; a row is scored without joblib and checks of its type."""
    check_classes(model)
    return TreeVotes(_join(model), model.n_features_in_)


def _join(model: Any) -> Nodes:
    return join_nodes([_take_nodes(each.tree_) for each in getattr(model, "estimators_", [model])])


def _take_nodes(tree: Any) -> Nodes:
    return make_nodes(
        tree.children_left,
        tree.children_right,
        feature=tree.feature,
        threshold=tree.threshold,
        value=tree.value[:, 0, :],
    )


def _make_tree(nodes: Nodes, columns: int) -> Any:
    internals = find_internals()
    records = np.zeros(len(nodes.left), internals.NODE_DTYPE)
    records["left_child"], records["right_child"] = nodes.left, nodes.right
    records["feature"], records["threshold"] = nodes.feature, nodes.threshold
    tree = internals.Tree(columns, np.array([len(CLASSES)], np.intp), 1)
    value = np.ascontiguousarray(nodes.value[:, None, :])
    tree.__setstate__({"max_depth": len(records), "node_count": len(records), "nodes": records, "values": value})
    return tree
