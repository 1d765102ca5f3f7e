"""The one way rows are scored: in eval mode, in chunks of one size, the last one padded with zeros.

Every chunk has the same shape, so a row's score has the same bytes whatever stands beside it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from angularpu.algorithms.base import Algorithm
from angularpu.train.prepared_rows import PreparedRows

# 256 vectors reach 95 % of the bulk speed of 4096 and cost a single row under 2 ms; images carry far more work each.
VECTOR_CHUNK = 256
IMAGE_CHUNK = 32


def chunk_size(x_shape: tuple[int, ...]) -> int:
    """Return how many rows of a shape are scored together."""
    return IMAGE_CHUNK if len(x_shape) == 3 else VECTOR_CHUNK


def score_block(algorithm: Algorithm, x: Tensor) -> NDArray[np.float32]:
    """Score prepared rows that are already in memory."""
    return _run(algorithm, x, embed=False).numpy()


def embed_block(algorithm: Algorithm, x: Tensor) -> NDArray[np.float32]:
    """Embed prepared rows that are already in memory."""
    return _run(algorithm, x, embed=True).numpy()


def score_rows(algorithm: Algorithm, prepared: PreparedRows, index: NDArray[np.int64]) -> NDArray[np.float32]:
    """Score the prepared rows with these numbers."""
    return np.concatenate([score_block(algorithm, x) for x in _gather(prepared, index)])


def embed_rows(algorithm: Algorithm, prepared: PreparedRows, index: NDArray[np.int64]) -> NDArray[np.float32]:
    """Embed the prepared rows with these numbers."""
    return np.concatenate([embed_block(algorithm, x) for x in _gather(prepared, index)])


@dataclass(frozen=True)
class NeuralScorer:
    """A trained algorithm as a scorer.

    Attributes
    ----------
    algorithm : Algorithm
        On the CPU, in eval mode.
    """

    algorithm: Algorithm

    def score(self, x: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the scores of prepared rows."""
        return score_block(self.algorithm, torch.from_numpy(x))

    def embed(self, x: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the embeddings of prepared rows."""
        return embed_block(self.algorithm, torch.from_numpy(x))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the algorithm's parameters and buffers."""
        return {name: tensor.numpy() for name, tensor in self.algorithm.state_dict().items()}

    def files(self) -> dict[str, bytes]:
        """Return nothing: all of it is arrays."""
        return {}

    def numbers(self) -> dict[str, float]:
        """Return nothing: all of it is arrays."""
        return {}


def _gather(prepared: PreparedRows, index: NDArray[np.int64], rows: int = 8192) -> Iterator[Tensor]:
    numbers = torch.from_numpy(np.ascontiguousarray(index))
    for start in range(0, len(numbers), rows):
        yield prepared.gather(numbers[start : start + rows])


def _run(algorithm: Algorithm, x: Tensor, *, embed: bool) -> Tensor:
    size = chunk_size(tuple(x.shape[1:]))
    device = next(algorithm.parameters()).device
    was_training = algorithm.training
    algorithm.eval()
    outputs = []
    with torch.inference_mode():
        for start in range(0, len(x), size):
            chunk = x[start : start + size]
            n = len(chunk)
            if n < size:
                padded = x.new_zeros((size, *x.shape[1:]))
                padded[:n] = chunk
                chunk = padded
            chunk = chunk.to(device)
            outputs.append((algorithm.embed(chunk) if embed else algorithm.score(chunk))[:n].cpu())
    algorithm.train(was_training)
    return torch.cat(outputs)
