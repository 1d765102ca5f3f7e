"""The one way rows are scored: in eval mode, in chunks of one size."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from angularpu.algorithms.base import Algorithm
from angularpu.train.chunks import run_in_chunks
from angularpu.train.fold_mean import FoldMean
from angularpu.train.outcome import Scorer
from angularpu.train.prepared_rows import PreparedRows, to_tensor
from angularpu.train.ranks.splitting import share_out


def score_block(algorithm: Algorithm, x: Tensor) -> NDArray[np.float32]:
    """Score prepared rows that are already in memory."""
    return _run(algorithm, x, embed=False).numpy()


def embed_block(algorithm: Algorithm, x: Tensor) -> NDArray[np.float32]:
    """Embed prepared rows that are already in memory."""
    return _run(algorithm, x, embed=True).numpy()


def score_rows(algorithm: Algorithm, prepared: PreparedRows, index: NDArray[np.int64]) -> NDArray[np.float32]:
    """Score the prepared rows with these numbers."""
    return share_out(lambda own: np.concatenate([score_block(algorithm, x) for x in _gather(prepared, own)]), index)


def embed_rows(algorithm: Algorithm, prepared: PreparedRows, index: NDArray[np.int64]) -> NDArray[np.float32]:
    """Embed the prepared rows with these numbers."""
    return share_out(lambda own: np.concatenate([embed_block(algorithm, x) for x in _gather(prepared, own)]), index)


@dataclass(frozen=True)
class NeuralScorer:
    """A trained algorithm as a scorer.

    Attributes
    ----------
    algorithm : Algorithm
        On the CPU, in eval mode.
    """

    algorithm: Algorithm

    def score(self, x: Any) -> NDArray[np.float32]:
        """Return the scores of prepared rows."""
        return score_block(self.algorithm, to_tensor(x))

    def embed(self, x: Any) -> NDArray[np.float32]:
        """Return the embeddings of prepared rows."""
        return embed_block(self.algorithm, to_tensor(x))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the algorithm's parameters and buffers."""
        return {name: tensor.contiguous().numpy() for name, tensor in self.algorithm.state_dict().items()}

    def structure(self) -> dict[str, Any]:
        """Return nothing: all of it is arrays."""
        return {}

    def numbers(self) -> dict[str, float]:
        """Return nothing: all of it is arrays."""
        return {}


def list_algorithms(scorer: Scorer) -> list[Algorithm]:
    """Return the trained algorithms behind a scorer: one, or one of every fold."""
    models = scorer.models if isinstance(scorer, FoldMean) else (scorer,)
    return [model.algorithm for model in models if isinstance(model, NeuralScorer)]


def _gather(prepared: PreparedRows, index: NDArray[np.int64], rows: int = 8192) -> Iterator[Tensor]:
    numbers = torch.from_numpy(np.ascontiguousarray(index))
    for start in range(0, len(numbers), rows):
        yield prepared.gather(numbers[start : start + rows])


def _run(algorithm: Algorithm, x: Tensor, *, embed: bool) -> Tensor:
    was_training = algorithm.training
    algorithm.eval()
    device = next(algorithm.parameters()).device
    outputs = run_in_chunks(algorithm.embed if embed else algorithm.score, x, device=device)
    algorithm.train(was_training)
    return outputs
