"""From prepared rows to the score: one model, the mean of the folds' models, or the weighted sum of several methods."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from angularpu.errors import ModelError
from angularpu.export.classical import add_classical
from angularpu.export.graph import Graph, Value
from angularpu.export.network import add_networks
from angularpu.export.preparation import Prepared
from angularpu.methods.classical import ClassicalScorer
from angularpu.methods.ensemble_scorer import WEIGHT, EnsembleScorer
from angularpu.train.fold_mean import LARGEST, FoldMean, Scale
from angularpu.train.scoring import NeuralScorer


def add_scorer(graph: Graph, scorer: Any, rows: Prepared, *, in_shape: tuple[int, ...]) -> Value:
    """Add all nodes between prepared rows and their score, float32 of shape (rows,), which is returned.

    Every step is rounded to float32 where the library rounds it.

    Parameters
    ----------
    graph : Graph
    scorer : Scorer
    rows : Prepared
    in_shape : tuple of int
        The shape of one prepared row.
    """
    match scorer:
        case EnsembleScorer():
            means = [add_scorer(graph, member.mean, rows, in_shape=in_shape) for member in scorer.members]
            weights = [member.description[WEIGHT] for member in scorer.members]
            weighted = [
                graph.scale(graph.cast(mean, np.float64), weight) for mean, weight in zip(means, weights, strict=True)
            ]
            return graph.cast(graph.add_up(weighted), np.float32)
        case FoldMean():
            scores = _add_folds(graph, scorer.models, rows, in_shape=in_shape)
            pairs = zip(scores, scorer.scales, strict=True)
            return graph.cast(graph.average([_add_scale(graph, score, scale) for score, scale in pairs]), np.float32)
    return _add_folds(graph, [scorer], rows, in_shape=in_shape)[0]


def _add_folds(graph: Graph, models: Sequence[Any], rows: Prepared, *, in_shape: tuple[int, ...]) -> list[Value]:
    """Return the score of each of several models that differ in nothing but what they have learnt."""
    match models[0]:
        case NeuralScorer():
            algorithms = [model.algorithm for model in models]
            return add_networks(graph, algorithms, rows.x, in_shape=in_shape)
        case ClassicalScorer():
            scores = (add_classical(graph, model.model, rows.matrix) for model in models)
            return [graph.cast(score, np.float32) for score in scores]
    raise ModelError(f"a {type(models[0]).__name__} has no place in an ONNX graph yet")


def _add_scale(graph: Graph, score: Value, scale: Scale) -> Value:
    """Bring a model's scores to the common scale of log-odds."""
    odds = graph.scale(graph.cast(score, np.float64), scale.slope / LARGEST, scale.shift / LARGEST)
    return graph.scale(graph.add("Tanh", odds), LARGEST)
