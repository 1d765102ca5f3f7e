"""The end of the graph: score, probability and prediction."""

import numpy as np

from angularpu.export.curve import add_curve
from angularpu.export.graph import Graph, Value, as_constant
from angularpu.methods.fitted import Fitted


def add_decision_outputs(graph: Graph, fitted: Fitted, score: Value) -> None:
    """Add the outputs: score (float32), probability (float64) and prediction, a class by the user's own name.

    Parameters
    ----------
    graph : Graph
    fitted : Fitted
    score : Value
        float32 of shape (rows,).
    """
    threshold, curve = fitted.decision.threshold, fitted.calibration
    exact = graph.cast(score, np.float64)
    if curve is None:
        probability = graph.add("Sigmoid", graph.add("Sub", exact, graph.hold(np.float64(threshold))))
    else:
        probability = add_curve(graph, exact, curve.score, curve.probability)
    above = graph.add("Greater", score, graph.hold(np.float32(threshold)))
    classes = np.asarray(fitted.classes)
    prediction = graph.add("Gather", graph.hold(as_constant(classes)), graph.cast(above, np.int64))
    graph.add_output("score", score, np.float32)
    graph.add_output("probability", probability, np.float64)
    graph.add_output("prediction", prediction, str if classes.dtype.kind == "U" else classes.dtype)
