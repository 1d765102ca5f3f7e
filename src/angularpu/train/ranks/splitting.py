"""How several ranks train one network: each encodes its part of a batch, and all see what the others encoded.

Every rank draws the same batch. An encoder that is training takes this rank's rows of what it is given, and returns the
embeddings of all rows, gathered from all ranks. Whatever follows, the head, the loss, prototypes, queues, beliefs
by row, is the same on every rank, as if one process had encoded the whole batch: a method need not know. Backwards,
each rank differentiates through its own rows, so an encoder's gradients are summed over the ranks before the optimiser
steps.
"""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.autograd import Function
from torch.nn.modules.batchnorm import _BatchNorm
from torch.optim import Optimizer

from angularpu.algorithms.base import Algorithm
from angularpu.errors import SettingError
from angularpu.nets.encoder import Encoder
from angularpu.nets.sparse_linear import take_rows
from angularpu.train.ranks.batch_norm import normalise_batch
from angularpu.train.ranks.group import Ranks, find_ranks
from angularpu.train.seeding import generator_states, set_generator_states

DEVICES = ("cpu", "cuda")


class SplitTraining:
    """An algorithm whose encoders are shared out over the ranks until :meth:`end`.

    Parameters
    ----------
    algorithm : Algorithm
        With its scaffold, the same on every rank.
    ranks : Ranks
    """

    def __init__(self, algorithm: Algorithm, ranks: Ranks) -> None:
        _check(algorithm)
        self._ranks = ranks
        self._changed: list[nn.Module] = []
        encoders = _list_encoders(algorithm)
        self._partial = {id(parameter) for encoder in encoders for parameter in encoder.parameters()}
        for encoder in encoders:
            for module in encoder.modules():
                if isinstance(module, _BatchNorm):
                    self._change(module, partial(normalise_batch, module, ranks))
            self._change(encoder, partial(_encode_own, encoder, ranks, encoder.forward))

    def watch(self, optimizers: Sequence[Optimizer]) -> None:
        """Let optimisers step by the gradients of all ranks."""
        for optimizer in optimizers:
            optimizer.register_step_pre_hook(self._add_up_gradients)

    def end(self) -> None:
        """Give every module back its own way to compute."""
        for module in self._changed:
            del vars(module)["forward"]

    def _change(self, module: nn.Module, forward: Callable[[Tensor], Tensor]) -> None:
        vars(module)["forward"] = forward
        self._changed.append(module)

    def _add_up_gradients(self, optimizer: Optimizer, *_: Any) -> None:
        """Sum what is partial and average what all ranks have whole, in one message: no rank drifts from another."""
        groups = optimizer.param_groups
        slopes = {id(p): p.grad for group in groups for p in group["params"] if p.grad is not None}
        if not slopes:
            return
        parts = [slope if key in self._partial else slope / self._ranks.count for key, slope in slopes.items()]
        flat = self._ranks.add_up(torch.cat([part.flatten() for part in parts]))
        for slope, total in zip(slopes.values(), torch.split(flat, [part.numel() for part in parts]), strict=True):
            slope.copy_(total.view_as(slope))


def split_training(algorithm: Algorithm) -> SplitTraining | None:
    """Share an algorithm's encoders out over the ranks; None where this process trains alone."""
    ranks = find_ranks()
    return None if ranks is None else SplitTraining(algorithm, ranks)


def share_out(
    function: Callable[[NDArray[np.int64]], NDArray[np.float32]], index: NDArray[np.int64]
) -> NDArray[np.float32]:
    """Return a function of rows, computed for a part of them by every rank, or for all of them in a process alone.

    A row's value may not depend on the rows beside it.
    """
    ranks = find_ranks()
    if ranks is None:
        return function(index)
    size = ranks.share(len(index))
    places = np.arange(ranks.number * size, (ranks.number + 1) * size).clip(max=len(index) - 1)
    joined: NDArray[np.float32] = ranks.join_rows(torch.from_numpy(function(index[places]))).numpy()
    return joined[: len(index)]


class _JoinRows(Function):
    """The rows of all ranks. Every rank has the same loss of them, so its own rows' gradient is whole as it comes."""

    @staticmethod
    def forward(ctx: Any, part: Tensor, ranks: Ranks, n: int) -> Tensor:
        ctx.own = ranks.own_rows(n)
        padded = part.new_zeros((ranks.share(n), *part.shape[1:]))
        padded[: len(part)] = part
        return ranks.join_rows(padded)[:n]

    @staticmethod
    def backward(ctx: Any, *slope: Tensor) -> tuple[Tensor, None, None]:
        return slope[0][ctx.own], None, None


def _encode_own(encoder: Encoder, ranks: Ranks, encode: Callable[[Tensor], Tensor], x: Tensor) -> Tensor:
    """Encode this rank's rows while training and return those of all ranks; encode all rows otherwise."""
    if not encoder.training:
        return encode(x)
    with _own_randomness(ranks, x.device):
        part = encode(take_rows(x, ranks.own_rows(len(x))))
    joined: Tensor = _JoinRows.apply(part, ranks, len(x))  # type: ignore[no-untyped-call]
    return joined


@contextlib.contextmanager
def _own_randomness(ranks: Ranks, device: torch.device) -> Iterator[None]:
    """Let each rank drop other units; the generators go on alike on all ranks, which a checkpoint relies on."""
    seed = int(torch.randint(2**62, ()))
    states = generator_states(device)
    torch.manual_seed(seed + ranks.number)
    try:
        yield
    finally:
        set_generator_states(states, device)


def _list_encoders(algorithm: Algorithm) -> list[Encoder]:
    """Return the algorithm's encoders, those of its scaffold too, without any that is part of another."""
    encoders = [module for module in algorithm.modules() if isinstance(module, Encoder)]
    inner = {id(part) for encoder in encoders for part in encoder.modules() if part is not encoder}
    return [encoder for encoder in encoders if id(encoder) not in inner]


def _check(algorithm: Algorithm) -> None:
    """Refuse what would not be the same on several ranks as in one process."""
    device = next(algorithm.parameters()).device.type
    if device not in DEVICES:
        raise SettingError(f"several ranks train on the CPU or on CUDA's GPUs, not on {device!r}; pass device='cpu'")
    for name in algorithm.row_options:
        if getattr(algorithm, name) is not None:
            raise SettingError(
                f"{name} cannot be used on several ranks, for its gradients are taken row by row; leave it out, or "
                "start without torchrun"
            )
