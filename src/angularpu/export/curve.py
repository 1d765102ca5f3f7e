"""A line through knots, level beyond the outermost ones: what np.interp computes."""

from typing import Any

import numpy as np

from angularpu.export.graph import Graph, Value


def add_curve(graph: Graph, value: Value, knots: Any, heights: Any) -> Value:
    """Return the height of the line at every value, float64 of shape (rows,).

    Parameters
    ----------
    graph : Graph
    value : Value
        float64 of shape (rows,).
    knots, heights : arrays of shape (m,)
        The line passes through these points; the knots ascend.
    """
    knots, heights = np.asarray(knots, np.float64), np.asarray(heights, np.float64)
    if len(knots) == 1:  # a line of one knot is level; the value counts nothing but its rows
        return graph.scale(value, 0.0, float(heights[0]))
    inside = graph.add("Clip", value, *(graph.hold(knots[place]) for place in (0, -1)))
    # As many inner knots as lie below tell the piece of the line.
    below = graph.add("Greater", graph.add("Unsqueeze", inside, graph.hold(np.array([1]))), graph.hold(knots[1:-1]))
    piece = graph.add("ReduceSum", graph.cast(below, np.int64), graph.hold(np.array([1])), keepdims=0)
    table = (knots[:-1], np.diff(heights) / np.diff(knots), heights[:-1])
    start, slope, height = (graph.add("Gather", graph.hold(each), piece) for each in table)
    rise = graph.add("Mul", slope, graph.add("Sub", inside, start))
    return graph.add("Add", rise, height)
