"""What the loop hands to a function passed as ``on_epoch``, after every epoch."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:  # so that the protocol of methods can be imported without torch
    from torch import Tensor

    from angularpu.algorithms.base import Algorithm

ONE_SPLIT = "training"  # the stage of a fit that holds rows out once


@dataclass(frozen=True, eq=False)
class FinishedEpoch:
    """One epoch that has just been trained and measured.

    The function that was passed as ``on_epoch`` is called with it after every epoch of every stage, just before that
    epoch's checkpoint is written. A run that was killed and is resumed calls it for the epochs that it still trains. So
    no epoch is left out, and one that was trained but not yet in the checkpoint comes twice, with the same numbers. A
    function that keeps something from epoch to epoch saves it during the call and allows for that repetition.

    Nothing in it may be changed, and nothing may be drawn from torch's global generator. The algorithm is the one in
    training, not a copy, and a run that is looked at must end as one that is not.

    Attributes
    ----------
    algorithm : Algorithm
        In training mode, on the device where it trains; :func:`~angularpu.train.scoring.score_block` scores rows by it.
    stage : str
        "training" where rows are held out once; "fold 2 of 5"; "all rows" for a training that holds out none.
    phase : str
        The algorithm's name of the current phase.
    phase_number : int
        Counted from 0.
    epoch : int
        Number in the phase, counted from 1.
    metrics : mapping of str to float
        Means of the objective and its terms over the batches and, where rows are held out, what was measured on these.
    held_rows : (ndarray, ndarray) of int64
        Numbers of the labelled positives and of the unlabelled rows that are held out; both empty where none are.
    held_scores : (ndarray, ndarray) of float32, or None
        Their scores at this epoch; None where none are held out.
    """

    algorithm: "Algorithm"
    stage: str
    phase: str
    phase_number: int
    epoch: int
    metrics: Mapping[str, float]
    held_rows: tuple[NDArray[np.int64], NDArray[np.int64]]
    held_scores: tuple[NDArray[np.float32], NDArray[np.float32]] | None

    def copy_weights(self) -> "dict[str, Tensor]":
        """Return a copy, on the CPU, of all that the algorithm scores by at this epoch."""
        state = self.algorithm.state_dict()
        kept = {name: tensor for name, tensor in state.items() if not name.startswith("scaffold.")}
        return {name: tensor.detach().cpu().clone() for name, tensor in kept.items()}


OnEpoch = Callable[[FinishedEpoch], None]
