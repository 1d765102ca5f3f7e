"""A trained network, traced by torch's own exporter: the encoder, ours or a user's, and the method's score."""

import logging
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from numpy.typing import NDArray
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


def add_networks(graph: Graph, algorithms: Sequence[Algorithm], x: Value, *, in_shape: tuple[int, ...]) -> list[Value]:
    """Add networks that differ in nothing but their numbers, and return the scores of each, float32 of shape (rows,).

    Only the first is traced, which takes seconds; the others are its nodes with their own numbers.

    Parameters
    ----------
    graph : Graph
    algorithms : sequence of Algorithm
        One, or those of all folds.
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
        traced = _trace(algorithms[0], in_shape)
    except Exception as error:  # a user's network may do anything, and torch raise anything about it
        encoder = algorithms[0].encoder
        kind = type(encoder[0] if len(encoder) == 1 else encoder).__name__
        raise ModelError(
            f"torch cannot trace the encoder {kind} for ONNX; write its forward without branches and loops that depend "
            "on the rows, and fit again"
        ) from error
    return [graph.insert(traced, x, numbers=_list_numbers(each)) for each in algorithms]


def _trace(algorithm: Algorithm, in_shape: tuple[int, ...]) -> Any:
    """Return the network as an ONNX model whose constants have the names of its parameters and buffers."""
    with _silence():
        program = torch.onnx.export(
            _Score(algorithm).eval(),
            (torch.zeros(EXAMPLE_ROWS, *in_shape),),
            dynamo=True,
            dynamic_shapes=({0: torch.export.Dim(ROWS)},),
            opset_version=OPSETS[""],
            optimize=False,  # it would merge parameters, which then had no names; onnxruntime does it when it loads
            verbose=False,
        )
    assert program is not None  # it is None where torch writes the file itself
    return program.model_proto


def _list_numbers(algorithm: Algorithm) -> dict[str, NDArray[Any]]:
    """Return parameters and buffers as they lie in the network, which for sparse rows is not as they are saved."""
    network = _Score(algorithm)
    tensors = (*network.named_parameters(remove_duplicate=False), *network.named_buffers(remove_duplicate=False))
    return {name: tensor.detach().numpy() for name, tensor in tensors}


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
