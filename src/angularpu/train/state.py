"""What the loop knows between two epochs, and its form on disk."""

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.optim import Optimizer

from angularpu.algorithms.base import Phase
from angularpu.errors import ModelError

HeldScores = tuple[NDArray[np.float32], NDArray[np.float32]]  # of positives and of unlabelled rows
RECORD = ("phase", "epoch", "history", "best_epoch", "best_value", "values", "stops")


@dataclass
class State:
    """How far training has come.

    Attributes
    ----------
    phase, epoch : int
        The current phase and the epochs finished in it.
    history : list of dict
        One entry per epoch: means of the objective and its terms, and the measures of the rows held out.
    best_epoch : int
        Number of the best epoch of the phase, counted from 1; the latest of equals. 0 before there is one.
    best_value : float
        What the selection compares, at that epoch.
    values : list of float
        What the selection compares, after each epoch of the phase.
    stops : list of int
        The epoch at which each phase before the current one was left.
    best : dict of str to Tensor
        The algorithm as it was then; empty when no rows are held out.
    held : list of (ndarray, ndarray)
        Scores of held-out positives and unlabelled rows after each epoch of the phase.
    """

    phase: int = 0
    epoch: int = 0
    history: list[dict[str, Any]] = field(default_factory=list)
    best_epoch: int = 0
    best_value: float = -math.inf
    values: list[float] = field(default_factory=list)
    stops: list[int] = field(default_factory=list)
    best: dict[str, Tensor] = field(default_factory=dict)
    held: list[HeldScores] = field(default_factory=list)

    def enter(self, phase: int) -> None:
        """Begin a phase: the selection starts again from nothing."""
        if phase:
            self.stops.append(self.kept_epoch)
        self.phase, self.epoch, self.best_epoch, self.best_value = phase, 0, 0, -math.inf
        self.values, self.best, self.held = [], {}, []

    @property
    def kept_epoch(self) -> int:
        """The epoch of the phase whose weights are kept: the best where there is one, otherwise the last."""
        return self.best_epoch or self.epoch

    def finish_epoch(self, entry: dict[str, Any]) -> None:
        """Take note of a finished epoch."""
        self.epoch += 1
        self.history.append({"epoch": self.epoch, **entry})

    def compare(self, held: HeldScores, value: float, *, algorithm: nn.Module, selects: bool) -> None:
        """Keep the held-out scores of the epoch that was finished last, and the algorithm if it is the best so far."""
        self.held.append(held)
        self.values.append(value)
        if selects and value >= self.best_value:
            self.best_epoch, self.best_value = self.epoch, value
            self.best = {name: tensor.detach().clone() for name, tensor in algorithm.state_dict().items()}

    def phase_is_over(self, phase: Phase, *, patience: int, stop: int | None = None) -> bool:
        """Tell whether the phase's epochs, or the patience with it, are used up, or the epoch to stop at is reached."""
        tired = self.best_epoch > 0 and self.epoch - self.best_epoch >= patience
        return self.epoch >= (stop or phase.epochs) or tired


def flatten(
    state: State, algorithm: nn.Module, optimizers: list[Optimizer], generators: dict[str, Tensor]
) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """Return everything needed to resume, as named tensors and JSON."""
    tensors = {f"model/{name}": tensor for name, tensor in algorithm.state_dict().items()}
    tensors |= {f"best/{name}": tensor for name, tensor in state.best.items()}
    tensors |= {f"generator/{name}": tensor for name, tensor in generators.items()}
    for number, optimizer in enumerate(optimizers):
        for slot, values in optimizer.state_dict()["state"].items():
            tensors |= {f"optimizer/{number}/{slot}/{name}": tensor for name, tensor in values.items()}
    record, info = flatten_record(state)
    return tensors | record, info


def restore(
    saved: tuple[dict[str, Tensor], dict[str, Any]], algorithm: nn.Module, optimizers: list[Optimizer]
) -> tuple[State, dict[str, Tensor]]:
    """Put algorithm and optimisers back as they were; return the loop's state and the generators' states."""
    tensors, info = saved
    try:
        algorithm.load_state_dict(below("model/", tensors))
    except RuntimeError as error:
        raise ModelError(
            "the checkpoint is of another network than this training's; restart to throw it away (--restart)"
        ) from error
    for number, optimizer in enumerate(optimizers):
        slots: dict[int, dict[str, Tensor]] = {}
        for path, tensor in below(f"optimizer/{number}/", tensors).items():
            slot, name = path.split("/")
            slots.setdefault(int(slot), {})[name] = tensor
        optimizer.load_state_dict({"state": slots, "param_groups": optimizer.state_dict()["param_groups"]})
    state = restore_record(tensors, info)
    state.best = below("best/", tensors)
    return state, below("generator/", tensors)


def flatten_record(state: State) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """Return what is worth keeping of a state once its training has ended: the history and the held-out scores."""
    tensors: dict[str, Tensor] = {}
    for epoch, (pos, unl) in enumerate(state.held):
        tensors |= {f"held/{epoch}/pos": torch.from_numpy(pos), f"held/{epoch}/unl": torch.from_numpy(unl)}
    return tensors, {name: getattr(state, name) for name in RECORD}


def restore_record(tensors: dict[str, Tensor], info: dict[str, Any]) -> State:
    """Return the state that :func:`flatten_record` was given, without the algorithm's copy."""
    held = below("held/", tensors)
    pairs = [(held[f"{e}/pos"].numpy(), held[f"{e}/unl"].numpy()) for e in range(len(held) // 2)]
    return State(**info, held=pairs)


def below(prefix: str, tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    """Return the tensors whose names begin with ``prefix``, without it."""
    return {name.removeprefix(prefix): tensor for name, tensor in tensors.items() if name.startswith(prefix)}
