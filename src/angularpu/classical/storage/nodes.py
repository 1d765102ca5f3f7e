"""The nodes of some binary trees, one tree behind the other, checked so that no row can leave its tree."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from angularpu.errors import ModelError
from angularpu.files import Outline

LEAF = -1


@dataclass(frozen=True, eq=False)
class Nodes:
    """Nodes of t trees, n in all.

    Attributes
    ----------
    sizes : (t,) int64
        How many nodes each tree has.
    left, right : (n,) int32
        Number of each node's children in its own tree; -1 for a leaf.
    feature : (n,) int32
        The column that is compared; 0 for a leaf.
    threshold : (n,) float64
        A row goes left where its value is not above it; 0 for a leaf.
    value : (n, k) float64
        What a leaf gives.
    """

    sizes: NDArray[np.int64]
    left: NDArray[np.int32]
    right: NDArray[np.int32]
    feature: NDArray[np.int32]
    threshold: NDArray[np.float64]
    value: NDArray[np.float64]

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays by name."""
        return dict(vars(self))

    def split(self) -> Iterator["Nodes"]:
        """Give the nodes of each tree."""
        ends = np.cumsum(self.sizes)
        for size, end in zip(self.sizes.tolist(), ends.tolist(), strict=True):
            span = slice(end - size, end)
            parts = [each[span] for name, each in self.arrays().items() if name != "sizes"]
            yield Nodes(np.array([size]), *parts)

    def check(self, columns: int) -> None:
        """Refuse nodes that point outside their tree or the columns, or at a node before them.

        Every walk then ends at a leaf: each step leads to a later node of the same tree.
        """
        if np.any(self.sizes < 1) or np.any(self.sizes > len(self.left)) or self.sizes.sum() != len(self.left):
            raise ModelError(f"the sizes of {len(self.sizes)} trees do not add up to {len(self.left)} nodes")
        size = np.repeat(self.sizes, self.sizes)
        place = np.arange(len(size)) - np.repeat(np.cumsum(self.sizes) - self.sizes, self.sizes)
        inner = self.left != LEAF
        if np.any(self.right[~inner] != LEAF):
            raise ModelError("a tree has a leaf with a child")
        for child in (self.left[inner], self.right[inner]):
            if np.any(child <= place[inner]) or np.any(child >= size[inner]):
                raise ModelError("a tree has a node whose child is not a later node of the tree")
        if np.any(self.feature < 0) or np.any(self.feature >= columns):
            raise ModelError(f"a tree compares a column that is none of {columns}")


def join_nodes(trees: Sequence[Nodes]) -> Nodes:
    """Put the nodes of several trees one behind the other."""
    parts = [tree.arrays() for tree in trees]
    return Nodes(**{name: np.concatenate([part[name] for part in parts]) for name in parts[0]})


def make_nodes(
    left: NDArray[Any], right: NDArray[Any], *, feature: NDArray[Any], threshold: NDArray[Any], value: NDArray[Any]
) -> Nodes:
    """Make the nodes of one tree, with nothing in a leaf but its value, so that equal trees give equal bytes."""
    inner = left != LEAF
    return Nodes(
        np.array([len(left)], np.int64),
        np.where(inner, left, LEAF).astype(np.int32),
        np.where(inner, right, LEAF).astype(np.int32),
        np.where(inner, feature, 0).astype(np.int32),
        np.where(inner, threshold, 0.0).astype(np.float64),
        np.ascontiguousarray(value, np.float64),
    )


def outline_nodes(trees: int, nodes: int, *, width: int) -> dict[str, Outline]:
    """Return the arrays of so many trees with so many nodes, whose leaves give ``width`` numbers."""
    return {
        "sizes": Outline((trees,), "int64"),
        "left": Outline((nodes,), "int32"),
        "right": Outline((nodes,), "int32"),
        "feature": Outline((nodes,), "int32"),
        "threshold": Outline((nodes,), "float64"),
        "value": Outline((nodes, width), "float64"),
    }
