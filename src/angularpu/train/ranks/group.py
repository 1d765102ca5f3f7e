"""The processes that train one network together, each a rank, and what they tell each other."""

import contextlib
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

import torch
import torch.distributed as dist
from torch import Tensor

from angularpu.errors import RankError, SettingError

# Within an epoch ranks wait for each other's sums alone. Between trainings one may wait for another's forests or file.
LONGEST_STEP = timedelta(minutes=5)
LONGEST_WAIT = timedelta(days=1)
WITHOUT_GPUS, WITH_GPUS = "gloo", "cpu:gloo,cuda:nccl"
RESUME = "start the same command again to resume from the last checkpoint"


@dataclass(eq=False)
class Ranks:
    """The ranks of this run, as one of them sees them.

    Attributes
    ----------
    number : int
        This rank's number, from 0; rank 0 leads: it alone writes and prints.
    count : int
        How many ranks there are.
    patient : ProcessGroup
        All ranks, for what one may have to wait long for.
    agreed : bool
        Whether the ranks have compared what they were started with.
    started : bool
        Whether rank 0 has said if there is anything to train, or need not say it.
    """

    number: int
    count: int
    patient: dist.ProcessGroup
    agreed: bool = False
    started: bool = False

    @property
    def leads(self) -> bool:
        """Whether this is rank 0."""
        return self.number == 0

    def own_rows(self, n: int) -> slice:
        """Return which of n rows are this rank's; the last ranks may have fewer, or none."""
        size = self.share(n)
        return slice(min(self.number * size, n), min((self.number + 1) * size, n))

    def share(self, n: int) -> int:
        """Return how many of n rows one rank has at most."""
        return -(-n // self.count)

    def add_up(self, values: Tensor) -> Tensor:
        """Put the sum over all ranks in place of the values, the same bytes on every rank."""
        with _reachable(self.number):
            dist.all_reduce(values)
        return values

    def join_rows(self, part: Tensor) -> Tensor:
        """Return the rows of all ranks, one rank after the other; all have as many."""
        parts = [torch.empty_like(part) for _ in range(self.count)]
        with _reachable(self.number):
            dist.all_gather(parts, part.contiguous())
        return torch.cat(parts)

    def hand_out(self, content: bytes = b"", *, source: int = 0) -> bytes:
        """Return what one rank has to say; the others wait for it."""
        size = torch.tensor([len(content)])
        with _reachable(self.number):
            dist.broadcast(size, source, group=self.patient)
            message = torch.empty(int(size), dtype=torch.uint8)
            if self.number == source and content:
                message = torch.frombuffer(bytearray(content), dtype=torch.uint8)
            if len(message):
                dist.broadcast(message, source, group=self.patient)
        return message.numpy().tobytes()

    def exchange(self, text: str) -> list[str]:
        """Return what every rank has to say."""
        return [
            self.hand_out(text.encode() if rank == self.number else b"", source=rank).decode()
            for rank in range(self.count)
        ]

    def start(self, *, training: bool) -> None:
        """Tell the others, as rank 0, whether there is anything to train."""
        self.started = True
        self.hand_out(b"train" if training else b"end")

    def wait_for_start(self) -> bool:
        """Return what rank 0 says: whether there is anything to train."""
        self.started = True
        return self.hand_out() == b"train"


_joined: Ranks | None = None


def find_ranks() -> Ranks | None:
    """Return the ranks that train together, or None where this process trains alone.

    >>> find_ranks() is None
    True
    """
    return _joined


def start_ranks(*, training: bool) -> None:
    """Tell the other ranks, if there are any, whether there is anything to train."""
    if _joined is not None:
        _joined.start(training=training)


@contextlib.contextmanager
def join_ranks() -> Iterator[Ranks]:
    """Train, for the length of a block, together with the other processes that torchrun or Ray Train started."""
    global _joined
    introduced = dist.is_initialized()  # as Ray Train does it, which torchrun leaves to the processes
    if not introduced:
        _introduce(place=int(os.environ["LOCAL_RANK"]))
    with _reachable(int(os.environ["RANK"])):
        patient = dist.new_group(backend="gloo", timeout=LONGEST_WAIT)
    _joined = Ranks(dist.get_rank(), dist.get_world_size(), patient)
    gone = False
    try:
        yield _joined
    except RankError:
        gone = True
        raise
    finally:
        _joined = None
        if not gone and not introduced:  # it would wait for them
            dist.destroy_process_group()


def _introduce(*, place: int) -> None:
    """Let this process, with its number on this machine, and the others find each other."""
    backend = choose_backend(gpus=torch.cuda.device_count(), place=place)
    with _reachable(int(os.environ["RANK"])):
        dist.init_process_group(backend, timeout=LONGEST_STEP)
    if backend != WITHOUT_GPUS:
        torch.cuda.set_device(place)


def choose_backend(*, gpus: int, place: int) -> str:
    """Return how ranks talk: over nccl with a GPU for each, over gloo where the machine has none.

    Parameters
    ----------
    gpus : int
        On this machine.
    place : int
        This rank's number on this machine.

    Examples
    --------
    >>> choose_backend(gpus=0, place=1), choose_backend(gpus=2, place=1)
    ('gloo', 'cpu:gloo,cuda:nccl')
    """
    if not gpus:
        return WITHOUT_GPUS
    if place >= gpus:
        raise SettingError(
            f"every rank needs a GPU of its own, and this machine has {gpus}; pass --nproc-per-node {gpus}, or train "
            "on the CPU with CUDA_VISIBLE_DEVICES= in front of the command"
        )
    return WITH_GPUS


@contextlib.contextmanager
def _reachable(number: int) -> Iterator[None]:
    """Say in one sentence that another rank has gone, as gloo and nccl say in many."""
    try:
        yield
    except RuntimeError as error:
        reason = re.sub(r"\[\S+:\d+\] ", "", str(error).strip().partition("\n")[0]).partition(". ")[
            0
        ]  # no file of gloo's
        raise RankError(
            f"rank {number} has lost another rank, which ended or cannot be reached ({reason}); {RESUME}"
        ) from error
