"""Trees in one node: onnxruntime walks them as scikit-learn does, float64 numbers against float64 thresholds."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import numpy_helper

from angularpu.classical.storage.nodes import LEAF, Nodes, join_nodes, make_nodes
from angularpu.export.graph import ML, Graph, Value

SUM, NO_TRANSFORM, AT_MOST = 1, 0, 0  # by their numbers in the standard


def add_trees(graph: Graph, arrays: dict[str, NDArray[Any]], x: Value, *, target: int) -> Value:
    """Add trees and return the sum over them of what the row's leaves give, float64 of shape (rows,).

    Parameters
    ----------
    graph : Graph
    arrays : dict of str to array
        The nodes of all trees, as they are stored.
    x : Value
        float64 rows.
    target : int
        Which of the numbers of a leaf.
    """
    nodes = _plant(Nodes(**arrays))
    inner = np.flatnonzero(nodes.left != LEAF)
    leaf = np.flatnonzero(nodes.left == LEAF)
    # The standard counts inner nodes and leaves apart.
    place = np.empty(len(nodes.left), np.int64)
    place[inner], place[leaf] = np.arange(len(inner)), np.arange(len(leaf))
    starts = np.cumsum(nodes.sizes) - nodes.sizes
    offset = np.repeat(starts, nodes.sizes)
    sides = {"true": (nodes.left + offset)[inner], "false": (nodes.right + offset)[inner]}
    total = graph.add(
        "TreeEnsemble",
        x,
        domain=ML,
        aggregate_function=SUM,
        post_transform=NO_TRANSFORM,
        n_targets=1,
        tree_roots=place[starts].tolist(),
        nodes_featureids=nodes.feature[inner].tolist(),
        nodes_modes=numpy_helper.from_array(np.full(len(inner), AT_MOST, np.uint8)),
        nodes_splits=numpy_helper.from_array(nodes.threshold[inner]),
        leaf_targetids=[0] * len(leaf),
        leaf_weights=numpy_helper.from_array(np.ascontiguousarray(nodes.value[leaf, target])),
        **{f"nodes_{side}nodeids": place[child].tolist() for side, child in sides.items()},
        **{f"nodes_{side}leafs": (nodes.left[child] == LEAF).astype(int).tolist() for side, child in sides.items()},
    )
    return graph.add("Squeeze", total, graph.hold(np.array([1])))


def _plant(nodes: Nodes) -> Nodes:
    """Give every tree that is one leaf a split, both sides of which end in its value: the standard wants a root."""
    trees = []
    for tree in nodes.split():
        if len(tree.left) == 1:
            tree = make_nodes(
                np.array([1, LEAF, LEAF]),
                np.array([2, LEAF, LEAF]),
                feature=np.zeros(3),
                threshold=np.zeros(3),
                value=np.repeat(tree.value, 3, axis=0),
            )
        trees.append(tree)
    return join_nodes(trees)
