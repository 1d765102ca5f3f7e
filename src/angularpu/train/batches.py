"""Which rows stand together in a batch: all mixed, or a fixed number of positives beside unlabelled rows."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from angularpu.algorithms.base import Batches
from angularpu.errors import SettingError

PAIRED_SHARE = 4  # a paired batch has batch_size // 4 labelled positives


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


class Sampler(Protocol):
    """Deals row numbers into the batches of an epoch, by its number and a seed alone."""

    seed: tuple[int, ...]
    count: int

    @property
    def positive_weight(self) -> float:
        """Batches per epoch / labelled positives in an epoch."""
        ...

    def epoch(self, number: int) -> Epoch:
        """Return the batches of one epoch."""
        ...


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
    seed : tuple of int
        Together with the epoch's number it determines the epoch, so that nothing needs to be stored to resume.

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
        """Batches per epoch / labelled positives, 0 without any."""
        return self.count / max(1, len(self.pos))

    def epoch(self, number: int) -> Epoch:
        """Return the batches of one epoch."""
        rng = np.random.default_rng([*self.seed, number])
        batch = rng.permutation(self.count)
        # A batch with one positive more gets one unlabelled row less: sizes stay within one of each other.
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


class PairedBatches:
    """Put ``batch_size // 4`` labelled positives into every batch, for methods that compare positives in a batch.

    Every unlabelled row comes once per epoch; the positives come round by round, each once before any comes again. An
    epoch has as many batches as it has when the rows are mixed, so a batch may hold up to a quarter more than
    ``batch_size`` rows where positives are few, and fewer where they are many.

    Examples
    --------
    >>> batches = PairedBatches(np.arange(2), np.arange(2, 14), batch_size=8, seed=(0,))
    >>> batches.count, batches.epoch(0).n_pos
    (2, [2, 2])
    """

    def __init__(
        self, pos: NDArray[np.int64], unl: NDArray[np.int64], *, batch_size: int, seed: tuple[int, ...]
    ) -> None:
        mixed = MixedBatches(pos, unl, batch_size=batch_size, seed=seed)
        self.pos, self.unl, self.seed, self.count = pos, unl, seed, mixed.count
        self._each = max(1, batch_size // PAIRED_SHARE)

    @property
    def positive_weight(self) -> float:
        """Batches per epoch / labelled positives in an epoch, so that a weighted sum is the batch's mean."""
        return 1 / self._each

    def epoch(self, number: int) -> Epoch:
        """Return the batches of one epoch."""
        rng = np.random.default_rng([*self.seed, number])
        n = self.count * self._each
        rounds = -(-n // len(self.pos))
        pos = np.concatenate([rng.permutation(self.pos) for _ in range(rounds)])[:n]
        n_unl = _share_out(len(self.unl), rng.permutation(self.count))
        unl = np.split(rng.permutation(self.unl), np.cumsum(n_unl)[:-1])
        parts = [part for pair in zip(np.split(pos, self.count), unl, strict=True) for part in pair]
        return Epoch(np.concatenate(parts), [0, *np.cumsum(n_unl + self._each).tolist()], [self._each] * self.count)


def make_sampler(
    kind: Batches, pos: NDArray[np.int64], unl: NDArray[np.int64], *, batch_size: int, seed: tuple[int, ...]
) -> Sampler:
    """Return the sampler that a phase asks for.

    >>> make_sampler("paired", np.arange(6), np.arange(6, 90), batch_size=40, seed=(0,)).epoch(0).n_pos
    [10, 10, 10]
    """
    if kind == "paired":
        return PairedBatches(pos, unl, batch_size=batch_size, seed=seed)
    return MixedBatches(pos, unl, batch_size=batch_size, seed=seed)
