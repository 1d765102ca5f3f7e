"""How good a fit is after every epoch, by every rule that could select one and by the test rows."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from angularpu import files
from angularpu.errors import ModelError
from angularpu.metrics.ranking import auc
from angularpu.train.checkpoint import Checkpoint
from angularpu.train.finished_epoch import ONE_SPLIT, FinishedEpoch
from angularpu.train.selection import Judge
from angularpu.train.state import below
from angularpu_bench.run.epoch_scores import EpochScores


class EpochRecorder:
    """Measures the rows held out after every epoch, with the truth about them; pass it to a fit as ``on_epoch``.

    What it has recorded is kept in a checkpoint of its own, so that a fit that was killed and resumed has the same
    record in the end. It records fits that hold rows out once; of others, and of those without epochs, it has the time.

    Parameters
    ----------
    judge : Judge
        With the true classes of the sample.
    checkpoint : Checkpoint
        Of the recorder alone.

    Attributes
    ----------
    epochs : list of dict
        Of each epoch ``phase``, ``epoch``, each rule's measure of the held-out rows, and ``test_auc``. That is None but
        for the last epoch and the best by true classes, which :meth:`test` fills in: test rows are many.
    """

    def __init__(self, judge: Judge, checkpoint: Checkpoint) -> None:
        self._judge, self._checkpoint = judge, checkpoint
        tensors, info = checkpoint.load() or ({}, {"epochs": [], "seconds": 0.0})
        self.epochs: list[dict[str, Any]] = info["epochs"]
        self._last = below("last/", tensors)
        self._best = below("best/", tensors) or self._last
        self._before, self._spent, self._start = info["seconds"], 0.0, time.process_time()

    @property
    def seconds(self) -> float:
        """How long the fit has taken so far, in all processes that worked on it, without recording."""
        return float(self._before + time.process_time() - self._start - self._spent)

    def __call__(self, finished: FinishedEpoch) -> None:
        """Record the epoch that was finished last."""
        start, seconds = time.process_time(), self.seconds
        if finished.stage == ONE_SPLIT and finished.held_scores is not None:
            self._record(finished, *finished.held_scores)
        self._save(seconds)
        self._spent += time.process_time() - start

    def test(self, scores: EpochScores, *, y: NDArray[np.int8]) -> None:
        """Test the last epoch and the best one by true classes; call it when the fit has ended."""
        if not self.epochs:
            return
        best, last = find_oracle_epoch(self.epochs), self.epochs[-1]
        for epoch, weights in ((last, self._last), (best, self._best)):
            score = scores.score(weights)
            epoch["test_auc"] = auc(score[y == 1], score[y == 0])

    def _record(self, finished: FinishedEpoch, pos: NDArray[np.float32], unl: NDArray[np.float32]) -> None:
        where = finished.phase_number, finished.epoch
        # After a kill, an epoch that was recorded and not yet in the fit's checkpoint comes a second time.
        self.epochs = [seen for seen in self.epochs if (seen["phase"], seen["epoch"]) < where]
        measures = self._judge.measure(pos, unl, index=finished.held_rows[1])
        earlier = [seen["oracle_auc"] for seen in self.epochs if seen["phase"] == where[0]]
        self._last = finished.copy_weights()
        if measures["oracle_auc"] >= max(earlier, default=0.0):
            self._best = self._last
        self.epochs.append({"phase": where[0], "epoch": where[1], **measures, "test_auc": None})

    def _save(self, seconds: float) -> None:
        tensors = {f"last/{name}": tensor for name, tensor in self._last.items()}
        if self._best is not self._last:
            tensors |= {f"best/{name}": tensor for name, tensor in self._best.items()}
        self._checkpoint.save(tensors, {"epochs": self.epochs, "seconds": seconds})


def claim_record(directory: Path, *, key: str) -> Checkpoint:
    """Return the checkpoint of a recorder, ``epochs`` in an unfinished cell's directory.

    Where there is none, or one of a run with other rows or settings, all that is in the directory is removed first: a
    fit whose epochs were not recorded cannot be resumed.

    Parameters
    ----------
    directory : Path
        Of the unfinished cell.
    key : str
        Of the cell's rows and settings.
    """
    files.sweep(directory)
    own = directory / "epochs"
    if not own.exists():
        files.remove(directory)
    try:
        return Checkpoint(own, key=key)
    except ModelError:
        files.remove(directory)
        return Checkpoint(own, key=key)


def find_oracle_epoch(epochs: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the epoch of the last phase that ranks the held-out rows best by their true classes, the last of equals.

    >>> seen = [{"phase": 0, "oracle_auc": 0.9}, {"phase": 1, "oracle_auc": 0.7}, {"phase": 1, "oracle_auc": 0.8}]
    >>> find_oracle_epoch(seen)
    {'phase': 1, 'oracle_auc': 0.8}
    """
    last = [seen for seen in epochs if seen["phase"] == epochs[-1]["phase"]]
    return max(reversed(last), key=lambda seen: float(seen["oracle_auc"]))
