"""The scikit-learn classifiers that a model directory can hold, each by the fields and arrays it is stored with."""

from typing import Any

import numpy as np

from angularpu.classical.storage.kind import Pieces
from angularpu.classical.storage.pipeline import LAST
from angularpu.classical.storage.table import find_kind, list_estimators
from angularpu.errors import ModelError
from angularpu.export.curve import add_curve
from angularpu.export.graph import Graph, Value
from angularpu.export.trees import add_trees


def add_decision(graph: Graph, model: Any, x: Value) -> Value:
    """Return what ``decision_function`` gives, float64 of shape (rows,)."""
    kind, pieces = _take_apart(model)
    match kind:
        case "boosted_trees":
            return graph.scale(add_trees(graph, pieces.arrays, x, target=0), 1.0, pieces.fields["baseline"])
        case "logistic_regression" | "linear_svc":
            return _add_sum(graph, x, pieces.arrays["coef_"][0], float(pieces.arrays["intercept_"][0]))
        case "pipeline":
            return add_decision(graph, pieces.children[LAST], _add_scalers(graph, pieces, x))
    raise _refuse(model)


def add_probability(graph: Graph, model: Any, x: Value) -> Value:
    """Return the second column of what ``predict_proba`` gives, float64 of shape (rows,)."""
    kind, pieces = _take_apart(model)
    match kind:
        case "trees":
            votes = add_trees(graph, pieces.arrays, x, target=1)
            return graph.add("Div", votes, graph.hold(np.float64(pieces.fields["trees"])))
        case "boosted_trees" | "logistic_regression":
            return graph.add("Sigmoid", add_decision(graph, model, x))
        case "calibrated":
            return _add_calibrated(graph, pieces, x)
        case "pipeline":
            return add_probability(graph, pieces.children[LAST], _add_scalers(graph, pieces, x))
    return graph.add("Sigmoid", add_log_ratio(graph, model, x))


def add_log_ratio(graph: Graph, model: Any, x: Value) -> Value:
    """Return the logarithm of the ratio of the two classes' probabilities by naive Bayes."""
    kind, pieces = _take_apart(model)
    arrays = {name: np.asarray(array, np.float64) for name, array in pieces.arrays.items()}
    match kind:
        case "gaussian_nb":
            return _add_gaussian(graph, arrays, x)
        case "complement_nb":
            (low, high) = arrays["feature_log_prob_"]
            return _add_sum(graph, x, high - low, 0.0)
        case "multinomial_nb" | "bernoulli_nb":
            (low, high), (prior_low, prior_high) = arrays["feature_log_prob_"], arrays["class_log_prior_"]
            shift = prior_high - prior_low
            if kind == "multinomial_nb":
                return _add_sum(graph, x, high - low, shift)
            if pieces.fields["binarize"] is not None:
                above = graph.add("Greater", x, graph.hold(np.float64(pieces.fields["binarize"])))
                x = graph.cast(above, np.float64)
            absent_low, absent_high = (np.log(1 - np.exp(each)) for each in (low, high))
            weights = (high - absent_high) - (low - absent_low)
            return _add_sum(graph, x, weights, shift + float((absent_high - absent_low).sum()))
    raise _refuse(model)


def _take_apart(model: Any) -> tuple[str, Pieces]:
    """Return the kind of a fitted model and what it is made of."""
    try:
        kind = find_kind(model)
    except ModelError:
        raise _refuse(model) from None
    return kind.name, kind.split(model)


def _refuse(model: Any) -> ModelError:
    return ModelError(
        f"{type(model).__name__} has no place in an ONNX graph; fit with one of {', '.join(list_estimators())} as base"
    )


def _add_sum(graph: Graph, x: Value, weights: Any, shift: float) -> Value:
    product = graph.add("MatMul", x, graph.hold(np.asarray(weights, np.float64)))
    return graph.add("Add", product, graph.hold(np.float64(shift)))


def _add_gaussian(graph: Graph, arrays: dict[str, Any], x: Value) -> Value:
    """Return log f_1/f_0 of two laws with independent normal columns."""
    terms = []
    for mean, variance in zip(arrays["theta_"], arrays["var_"], strict=True):
        centred = graph.add("Sub", x, graph.hold(mean))
        terms.append(graph.add("MatMul", graph.add("Mul", centred, centred), graph.hold(-0.5 / variance)))
    prior, log_variance = np.log(arrays["class_prior_"]), np.log(arrays["var_"]).sum(axis=1)
    shift = (prior[1] - prior[0]) - 0.5 * (log_variance[1] - log_variance[0])
    return graph.scale(graph.add("Sub", terms[1], terms[0]), 1.0, float(shift))


def _add_calibrated(graph: Graph, pieces: Pieces, x: Value) -> Value:
    """Return the mean of the members' probabilities, each by its curve."""
    chances = []
    for number in range(len(pieces.children) // 2):
        classifier, calibrator = (pieces.children[f"{role}_{number}"] for role in ("classifier", "calibrator"))
        told = add_decision if hasattr(classifier, "decision_function") else add_probability
        score = told(graph, classifier, x)
        kind, curve = _take_apart(calibrator)
        if kind == "sigmoid":
            chances.append(graph.add("Sigmoid", graph.scale(score, -curve.fields["a"], -curve.fields["b"])))
        else:
            chances.append(add_curve(graph, score, curve.arrays["score"], curve.arrays["probability"]))
    return graph.average(chances)


def _add_scalers(graph: Graph, pieces: Pieces, x: Value) -> Value:
    for scaler in list(pieces.children.values())[:-1]:
        _, inside = _take_apart(scaler)
        for operator, name in (("Sub", "mean_"), ("Div", "scale_")):
            if name in inside.arrays:
                x = graph.add(operator, x, graph.hold(inside.arrays[name]))
    return x
