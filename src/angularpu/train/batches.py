"""Which rows stand together in a batch: positives spread evenly, every row once per epoch."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from angularpu.errors import SettingError


@dataclass(frozen=True)
class Epoch:
    """One pass over the rows.

    Attributes
    ----------
    order : ndarray of int64
        All row numbers, batch after batch, each batch's labelled positives first.
    bounds : list of int
        Batch b is ``order[bounds[b]:bounds[b + 1]]``.
    n_pos : list of int
        Labelled positives in each batch.
    """

    order: NDArray[np.int64]
    bounds: list[int]
    n_pos: list[int]


class MixedBatches:
    """Shuffle positives and unlabelled rows into batches that hold what falls in them, as evenly as can be.

    Each labelled positive comes once per epoch: drawing it more often makes the encoder memorise it. Batch sizes
    differ by at most one and no batch holds a single row, so batch normalisation always has something to average.

    Parameters
    ----------
    pos, unl : ndarray of int64
        Row numbers of the labelled positives and of the unlabelled rows.
    batch_size : int
        At least 2; no batch is larger, but for three rows that would leave one alone in batches of two.
    seed : sequence of int
        Together with the epoch's number it determines the epoch, so that nothing needs to be stored to go on later.

    Examples
    --------
    >>> batches = MixedBatches(np.arange(2), np.arange(2, 10), batch_size=4, seed=(0,))
    >>> batches.count, np.diff(batches.epoch(0).bounds).tolist(), sum(batches.epoch(0).n_pos)
    (3, [4, 3, 3], 2)
    """

    def __init__(
        self, pos: NDArray[np.int64], unl: NDArray[np.int64], *, batch_size: int, seed: tuple[int, ...]
    ) -> None:
        if batch_size < 2:
            raise SettingError(f"batch_size must be at least 2, got {batch_size}")
        self.pos, self.unl, self.seed = pos, unl, seed
        n = len(pos) + len(unl)
        self.count = max(1, min(-(-n // batch_size), n // 2))

    @property
    def positive_weight(self) -> float:
        """Batches per epoch / labelled positives."""
        return self.count / len(self.pos)

    def epoch(self, number: int) -> Epoch:
        """Return the batches of one epoch."""
        rng = np.random.default_rng([*self.seed, number])
        batch = rng.permutation(self.count)
        # Whoever gets one positive more gets one unlabelled row less: sizes stay within one of each other.
        n_pos = _share_out(len(self.pos), batch)
        n_unl = _share_out(len(self.unl), batch[::-1])
        numbers = np.arange(self.count)
        owner = np.concatenate([np.repeat(numbers, n_pos), np.repeat(numbers, n_unl)])
        rows = np.concatenate([rng.permutation(self.pos), rng.permutation(self.unl)])
        order = rows[np.argsort(owner, kind="stable")]
        return Epoch(order, [0, *np.cumsum(n_pos + n_unl).tolist()], n_pos.tolist())


def _share_out(n: int, batch: NDArray[np.int64]) -> NDArray[np.int64]:
    """Divide n rows among the batches, the remainder one each to the first of ``batch``."""
    share = np.full(len(batch), n // len(batch))
    share[batch[: n % len(batch)]] += 1
    return share
