"""The one way rows are scored: in eval mode, in chunks of one size."""

from collections.abc import Iterator

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from angularpu.algorithms.base import Algorithm
from angularpu.train.chunks import run_in_chunks
from angularpu.train.source import Source


def score_block(algorithm: Algorithm, x: Tensor) -> NDArray[np.float32]:
    """Score prepared rows that are already in memory."""
    return _run(algorithm, x, embed=False).numpy()


def embed_block(algorithm: Algorithm, x: Tensor) -> NDArray[np.float32]:
    """Embed prepared rows that are already in memory."""
    return _run(algorithm, x, embed=True).numpy()


def score_rows(algorithm: Algorithm, source: Source, index: NDArray[np.int64]) -> NDArray[np.float32]:
    """Score the rows of a source with these numbers."""
    return np.concatenate([score_block(algorithm, x) for x in _gather(source, index)])


def embed_rows(algorithm: Algorithm, source: Source, index: NDArray[np.int64]) -> NDArray[np.float32]:
    """Embed the rows of a source with these numbers."""
    return np.concatenate([embed_block(algorithm, x) for x in _gather(source, index)])


def _gather(source: Source, index: NDArray[np.int64], rows: int = 8192) -> Iterator[Tensor]:
    numbers = torch.from_numpy(np.ascontiguousarray(index))
    for start in range(0, len(numbers), rows):
        yield source.gather(numbers[start : start + rows])


def _run(algorithm: Algorithm, x: Tensor, *, embed: bool) -> Tensor:
    was_training = algorithm.training
    algorithm.eval()
    device = next(algorithm.parameters()).device
    outputs = run_in_chunks(algorithm.embed if embed else algorithm.score, x, device=device)
    algorithm.train(was_training)
    return outputs
