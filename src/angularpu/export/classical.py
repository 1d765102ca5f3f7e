"""The methods around scikit-learn classifiers: from what their classifiers say to the method's score."""

import numpy as np

from angularpu.classical.against_unlabelled import AgainstUnlabelled
from angularpu.classical.bagging import Bagging
from angularpu.classical.base import Classical
from angularpu.classical.base_classifier import SMALLEST, to_log_odds
from angularpu.classical.complement_nb import ComplementNB
from angularpu.classical.elkan_noto import ElkanNoto
from angularpu.classical.forest import HALF_A_VOTE, Forest
from angularpu.errors import ModelError
from angularpu.export.classifiers import add_decision, add_log_ratio, add_probability
from angularpu.export.graph import Graph, Value


def add_classical(graph: Graph, model: Classical, x: Value) -> Value:
    """Add a method around classifiers and return its score, float64 of shape (rows,).

    Parameters
    ----------
    graph : Graph
    model : Classical
    x : Value
        Prepared rows, float64.
    """
    parts = list(model.parts().values())
    first = parts[0]
    match model:
        case Bagging():
            if not hasattr(first, "predict_proba"):
                return graph.average([add_decision(graph, part, x) for part in parts])
            return _add_log_odds(graph, graph.average([add_probability(graph, part, x) for part in parts]))
        case Forest():
            trees, all_votes = model.trees, model.trees + 2 * HALF_A_VOTE
            share = graph.scale(add_probability(graph, first, x), trees, HALF_A_VOTE)
            return _add_log_odds(graph, graph.add("Div", share, graph.hold(np.float64(all_votes))))
        case ComplementNB():
            return add_log_ratio(graph, first, x)
        case AgainstUnlabelled():
            return add_decision(graph, first, x)
        case ElkanNoto():
            half = float(to_log_odds(np.array(model.numbers()["label_freq"] / 2)))
            return graph.scale(_ask(graph, first, x), 1.0, -half)
    if type(model)._score is not Classical._score:
        raise ModelError(f"the score of {type(model).__name__} has no place in an ONNX graph yet")
    return _ask(graph, first, x)


def _ask(graph: Graph, classifier: object, x: Value) -> Value:
    """Return log-odds, or decision values where the classifier has no probabilities."""
    if hasattr(classifier, "predict_proba"):
        return _add_log_odds(graph, add_probability(graph, classifier, x))
    return add_decision(graph, classifier, x)


def _add_log_odds(graph: Graph, probability: Value) -> Value:
    """Return log(p/(1 - p)), finite for 0 and 1 too."""
    bounds = (graph.hold(np.float64(bound)) for bound in (SMALLEST, 1 - SMALLEST))
    inside = graph.add("Clip", probability, *bounds)
    return graph.add("Log", graph.add("Div", inside, graph.add("Sub", graph.hold(np.float64(1)), inside)))
