"""A trained network, traced by torch's own exporter: the encoder, ours or a user's, and the method's score."""

import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import Tensor, nn

from angularpu.algorithms.base import Algorithm
from angularpu.errors import ModelError
from angularpu.export.graph import OPSETS, ROWS, Graph, Value

EXAMPLE_ROWS = 2  # with one, torch would take the number of rows for a constant


class _Score(nn.Module):
    """What is traced: prepared rows in, scores out."""

    def __init__(self, algorithm: Algorithm) -> None:
        super().__init__()
        self.algorithm = algorithm

    def forward(self, x: Tensor) -> Tensor:
        return self.algorithm.score(x)


def add_network(graph: Graph, algorithm: Algorithm, x: Value, *, in_shape: tuple[int, ...]) -> Value:
    """Add a network and return its scores, float32 of shape (rows,).

    Parameters
    ----------
    graph : Graph
    algorithm : Algorithm
    x : Value
        Prepared rows.
    in_shape : tuple of int
        The shape of one of them.

    Raises
    ------
    ModelError
        When torch cannot trace the network, which may happen to a user's own.
    """
    try:
        with _silence():
            program = torch.onnx.export(
                _Score(algorithm).eval(),
                (torch.zeros(EXAMPLE_ROWS, *in_shape),),
                dynamo=True,
                dynamic_shapes=({0: torch.export.Dim(ROWS)},),
                opset_version=OPSETS[""],
                verbose=False,
            )
    except Exception as error:  # a user's network may do anything, and torch raise anything about it
        encoder = next(iter(algorithm.encoder)) if len(algorithm.encoder) == 1 else algorithm.encoder
        raise ModelError(
            f"torch cannot trace the encoder {type(encoder).__name__} for ONNX; "
            "write its forward without branches and loops that depend on the rows, and fit again"
        ) from error
    assert program is not None  # it is None where torch writes the file itself
    return graph.insert(program.model_proto, x)


@contextmanager
def _silence() -> Iterator[None]:
    """Keep torch's remarks about itself and about packages that are not needed from the user."""
    logger = logging.getLogger("torch.onnx")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings(action="ignore"):
            yield
    finally:
        logger.setLevel(level)
