"""How many threads torch computes with, for the length of a block."""

import contextlib
from collections.abc import Iterator

import torch
from torch import Tensor, nn

from angularpu.threads import MULTIPLICATIONS, choose_threads, given_threads


@contextlib.contextmanager
def use_threads(count: int) -> Iterator[None]:
    """Let torch compute on so many threads, and on as many as before afterwards.

    >>> with use_threads(1):
    ...     torch.get_num_threads()
    1
    """
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)


@contextlib.contextmanager
def use_given_threads(count: int | None) -> Iterator[None]:
    """Compute on as many threads as the user says, whatever the size of the work; None leaves the choice open."""
    with given_threads(count), use_threads(count or torch.get_num_threads()):
        yield


def choose_update_threads(network: nn.Module, x: Tensor, *, batch_size: int) -> int:
    """Return how many threads an update of a network gets.

    Parameters
    ----------
    network : nn.Module
    x : Tensor, shape (1, ...)
        A prepared row.
    batch_size : int
    """
    work = 3 * batch_size * count_multiplications(network, x)
    return choose_threads(work, enough=MULTIPLICATIONS, most=torch.get_num_threads())


def count_multiplications(network: nn.Module, x: Tensor) -> int:
    """Return about how many numbers a network multiplies for a row; a filter comes once for every pixel.

    >>> count_multiplications(nn.Linear(10, 3, bias=False), torch.zeros(1, 10))
    30
    >>> count_multiplications(nn.Conv2d(1, 2, 3, bias=False), torch.zeros(1, 1, 4, 4))
    288
    """
    if x.layout == torch.sparse_csr:
        return 0  # what is not 0 is little
    pixels = x[0, 0].numel()
    return sum(p.numel() * (pixels if p.ndim == 4 else 1) for p in network.parameters())
