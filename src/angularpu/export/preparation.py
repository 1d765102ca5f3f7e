"""The inputs of the graph, and how raw rows become what the members take."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from angularpu.data.prepare.categories import Category
from angularpu.data.prepare.dense import DensePreparation
from angularpu.data.prepare.frame import FramePreparation
from angularpu.data.prepare.image import ImagePreparation
from angularpu.data.prepare.numbers import FARTHEST, Numbers
from angularpu.data.prepare.sparse import SparsePreparation
from angularpu.errors import ModelError, quote
from angularpu.export.graph import ML, Graph, Value
from angularpu.model.scored_pieces import OUTPUTS

MATRIX = "X"  # the one input of a model whose rows have no names


@dataclass(frozen=True)
class Prepared:
    """Prepared rows inside the graph.

    Attributes
    ----------
    graph : Graph
    x : Value
        float32, as networks take them.
    is_image : bool
    """

    graph: Graph
    x: Value
    is_image: bool = False

    @cached_property
    def matrix(self) -> Value:
        """The same as float64, a row of columns each, as classifiers take them: trees compare in float64."""
        rows = self.graph.add("Flatten", self.x) if self.is_image else self.x
        return self.graph.cast(rows, np.float64)


def add_preparation(graph: Graph, preparation: Any) -> Prepared:
    """Add the inputs and all nodes that prepare them.

    A table has an input for every column in use; all other rows come as one array.
    """
    match preparation:
        case FramePreparation():
            return Prepared(graph, _add_frame(graph, preparation))
        case DensePreparation():
            x = graph.add_input(MATRIX, np.float64, preparation.columns)
            return Prepared(graph, _join(graph, _add_numbers(graph, preparation.numbers, x)))
        case SparsePreparation():
            x = graph.add_input(MATRIX, np.float64, preparation.columns)
            kept = _take(graph, x, preparation.kept)
            return Prepared(graph, _clip(graph, graph.add("Div", kept, graph.hold(preparation.peak))))
        case ImagePreparation():
            return Prepared(graph, _add_images(graph, preparation), is_image=True)
    raise ModelError(f"a {type(preparation).__name__} has no place in an ONNX graph yet")


def _add_frame(graph: Graph, preparation: FramePreparation) -> Value:
    names = (*preparation.sources, *preparation.text_columns)
    for name in names:
        if not name or name in OUTPUTS:
            raise ModelError(
                f"a column cannot be called {quote(name)} in an ONNX graph, whose outputs are {', '.join(OUTPUTS)}; "
                "rename it and fit again"
            )
    numbers = [graph.add_input(name, np.float64, 1) for name in preparation.sources]
    texts = [graph.add_input(name, str, 1) for name in preparation.text_columns]
    parts = _add_numbers(graph, preparation.numbers, graph.add("Concat", *numbers, axis=1)) if numbers else []
    pairs = zip(preparation.categories, texts, strict=True)
    return _join(graph, [*parts, *(_add_category(graph, category, text) for category, text in pairs)])


def _add_numbers(graph: Graph, numbers: Numbers, x: Value) -> list[Value]:
    """Standardise in float64 and make missing values 0; then the columns that are 1 where a value is missing."""
    parts = []
    if len(numbers.kept):
        values = _take(graph, x, numbers.kept)
        centred = graph.add("Sub", values, graph.hold(numbers.mean))
        distance = graph.add("Div", centred, graph.hold(numbers.std))
        missing = graph.add("IsNaN", distance)
        parts.append(_clip(graph, graph.add("Where", missing, graph.hold(np.float64(0)), distance)))
    if len(numbers.flagged):
        parts.append(graph.cast(graph.add("IsNaN", _take(graph, x, numbers.flagged)), np.float32))
    return parts


def _add_category(graph: Graph, category: Category, text: Value) -> Value:
    """Look up the row of 0 and 1 of each level; an empty text is a missing value unless it is a level."""
    count = len(category.levels)
    unseen, missing = count, count + 1
    rows = np.zeros((count + 2, category.width), np.float32)
    rows[np.arange(count), np.arange(count)] = 1
    if category.other:
        rows[unseen, count] = 1
    if category.missing:
        rows[missing, -1] = 1
    codes = {"": missing, **{level: code for code, level in enumerate(category.levels)}}
    code = graph.add(
        "LabelEncoder",
        text,
        domain=ML,
        keys_strings=list(codes),
        values_int64s=list(codes.values()),
        default_int64=unseen,
    )
    return graph.add("GatherND", graph.hold(rows), code)


def _add_images(graph: Graph, preparation: ImagePreparation) -> Value:
    """Standardise by channel: bytes in float32, other pixels in float64, as the preparation itself does."""
    mean, std = (value[:, None, None] for value in (preparation.mean, preparation.std))
    if preparation.eight_bit:
        pixels = graph.cast(graph.add_input(MATRIX, np.uint8, *preparation.shape), np.float32)
        centred = graph.add("Sub", pixels, graph.hold((255.0 * mean).astype(np.float32)))
        return graph.add("Div", centred, graph.hold((255.0 * std).astype(np.float32)))
    pixels = graph.cast(graph.add_input(MATRIX, np.float32, *preparation.shape), np.float64)
    centred = graph.add("Sub", pixels, graph.hold(mean))
    return graph.cast(graph.add("Div", centred, graph.hold(std)), np.float32)


def _take(graph: Graph, x: Value, columns: Any) -> Value:
    return graph.add("Gather", x, graph.hold(np.asarray(columns, np.int64)), axis=1)


def _clip(graph: Graph, x: Value) -> Value:
    """Bring float64 numbers into the range that every model takes, as float32."""
    bounds = (graph.hold(np.float64(bound)) for bound in (-FARTHEST, FARTHEST))
    return graph.cast(graph.add("Clip", x, *bounds), np.float32)


def _join(graph: Graph, parts: list[Value]) -> Value:
    return parts[0] if len(parts) == 1 else graph.add("Concat", *parts, axis=1)
