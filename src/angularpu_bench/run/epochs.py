"""How good a fit is after every epoch, by every rule that could select one and by the test rows."""

import json
import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import safe_open

from angularpu import files
from angularpu.data.rows import Rows
from angularpu.methods.fitted import BLOCK_ROWS
from angularpu.methods.neural import NeuralMethod, NeuralScorer, restore_neural
from angularpu.metrics.ranking import auc
from angularpu.train.checkpoint import FILE
from angularpu.train.selection import Judge

NOTES = "epochs.json"
BEST = "best.safetensors"
ANY_SHARE = 0.5  # an algorithm that asks for one is not made without, but no score depends on it


@dataclass
class Watch:
    """Scores held-out and test rows with what the checkpoint of each epoch holds.

    It is a report function: call it after every epoch. What it saw is kept beside the checkpoint, so that a fit that
    was killed and resumed has seen the same.

    Attributes
    ----------
    method : NeuralMethod
    rows : Rows
        What the method learns from.
    held : (Rows, Rows)
        Labelled and unlabelled rows to judge by.
    judge : Judge
        With the truth about the unlabelled ones.
    test : Rows
    y_test : int8 array
    directory : Path
        Of the checkpoint.
    epochs : list of dict
        What was seen: ``phase``, ``epoch``, each rule's measure of the held-out rows, and ``test_auc``, of the last
        epoch and of the best by true classes, once all is done; test rows are many, and no others are asked for.
    before, spent : float
        Seconds that earlier, killed processes worked on the fit, and that watching took in this one.
    """

    method: NeuralMethod
    rows: Rows
    held: tuple[Rows, Rows]
    judge: Judge
    test: Rows
    y_test: NDArray[np.int8]
    directory: Path
    epochs: list[dict[str, Any]] = field(default_factory=list)
    before: float = 0.0
    spent: float = 0.0

    def __post_init__(self) -> None:
        self._start = time.process_time()
        self._preparation = self.method.prepare(self.rows)
        notes = self.directory / NOTES
        if notes.exists():
            kept = json.loads(notes.read_text(encoding="utf-8"))
            self.epochs, self.before = kept["epochs"], kept["seconds"]
        if (self.directory / FILE).exists():
            self._look()

    def __call__(self, done: int, total: int, text: str) -> None:
        """Look at the epoch that was finished last."""
        self._look()

    def complete(self) -> None:
        """Score the test rows with the last epoch and the best one by true classes; call it when the fit has ended."""
        if not self.epochs:
            return
        best, last = find_oracle_epoch(self.epochs), self.epochs[-1]
        last["test_auc"] = self._test(self._read(FILE)[1])
        if best["test_auc"] is None:
            best["test_auc"] = self._test(self._read(BEST)[1])

    @property
    def seconds(self) -> float:
        """How long the fit has taken so far, without watching."""
        return self.before + time.process_time() - self._start - self.spent

    def _look(self) -> None:
        start = time.process_time()
        where, scorer = self._read(FILE)
        if any(where.items() <= seen.items() for seen in self.epochs):
            return
        pos, unl = (self._score(scorer, rows) for rows in self.held)
        measures = self.judge.measure(pos, unl, index=np.arange(len(unl)))
        earlier = [seen["oracle_auc"] for seen in self.epochs if seen["phase"] == where["phase"]]
        if measures["oracle_auc"] >= max(earlier, default=0.0):
            self._keep()
        self.epochs.append({**where, **measures, "test_auc": None})
        self.spent += time.process_time() - start
        files.write_json(self.directory / NOTES, {"epochs": self.epochs, "seconds": self.seconds})

    def _keep(self) -> None:
        """Keep the checkpoint that is there: another name for it costs nothing, for the next one is a new file."""
        with files.atomic_file(self.directory / BEST) as temporary:
            temporary.unlink(missing_ok=True)
            try:
                temporary.hardlink_to(self.directory / FILE)
            except OSError:  # not every file system has links
                shutil.copyfile(self.directory / FILE, temporary)

    def _read(self, name: str) -> tuple[dict[str, int], NeuralScorer]:
        """Return which epoch a checkpoint is of, and the network it holds."""
        with safe_open(self.directory / name, framework="np") as file:
            current = json.loads(file.metadata()["info"])["current"]
            names = [name for name in file.keys() if name.startswith("current/model/")]  # noqa: SIM118 - not a dict
            arrays = {name.removeprefix("current/model/"): file.get_tensor(name) for name in names}
        learnt = {name: array for name, array in arrays.items() if not name.startswith("scaffold.")}
        return {"phase": current["phase"], "epoch": current["epoch"]}, self._restore(learnt)

    def _test(self, scorer: NeuralScorer) -> float:
        test = self._score(scorer, self.test)
        return auc(test[self.y_test == 1], test[self.y_test == 0])

    def _restore(self, arrays: dict[str, NDArray[Any]]) -> NeuralScorer:
        method = self.method
        if method.encoder.frozen_blocks:
            import torch

            from angularpu.methods.neural import make_algorithm

            shape = self._preparation.out_shape
            with torch.random.fork_rng(devices=[]):
                algorithm = make_algorithm(
                    method.name, method.options, alpha=ANY_SHARE, encoder=method.encoder.build_trainable(shape)
                )
            algorithm.load_state_dict({name: torch.from_numpy(array) for name, array in arrays.items()})
            algorithm.encoder = method.encoder.join(algorithm.encoder, shape)
            return NeuralScorer(algorithm.eval())
        description = {
            "method": method.name,
            "options": method.options,
            "encoder": method.encoder.describe(),
            "alpha": ANY_SHARE,
        }
        return restore_neural(description, arrays, in_shape=self._preparation.out_shape, encoder=None)

    def _score(self, scorer: NeuralScorer, rows: Rows) -> NDArray[np.float32]:
        return np.concatenate([scorer.score(self._preparation.apply(block)) for block in rows.chunks(BLOCK_ROWS)])


def find_oracle_epoch(epochs: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the epoch of the last phase that ranks the held-out rows best by their true classes, the last of equals.

    >>> seen = [{"phase": 0, "oracle_auc": 0.9}, {"phase": 1, "oracle_auc": 0.7}, {"phase": 1, "oracle_auc": 0.8}]
    >>> find_oracle_epoch(seen)
    {'phase': 1, 'oracle_auc': 0.8}
    """
    last = [seen for seen in epochs if seen["phase"] == epochs[-1]["phase"]]
    return max(reversed(last), key=lambda seen: float(seen["oracle_auc"]))
