"""What the networks of several epochs say of the same rows, none of them computed twice."""

import copy
import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from angularpu.algorithms.base import Algorithm
from angularpu.data.rows import Rows
from angularpu.methods.fitted import Fitted
from angularpu.nets.vgg import VGG
from angularpu.train.prepared_rows import PreparedMaps, PreparedRows, prepare_rows
from angularpu.train.scoring import NeuralScorer, score_rows

Scores = NDArray[np.float32]


class LastMaps:
    """Keeps the maps that were computed last: cells come data set by data set, and their test rows are the same."""

    def __init__(self) -> None:
        self._key, self._maps = "", None  # type: tuple[str, PreparedRows | None]

    def get(self, key: str, make: Callable[[], PreparedRows]) -> PreparedRows:
        """Return what was made under this key, if that was the last one, else what is made now."""
        if self._maps is None or key != self._key:
            self._maps = None  # before the next ones take their room
            self._key, self._maps = key, make()
        return self._maps


MAPS = LastMaps()  # of this process


class EpochScores:
    """The scores that a fitted method gives to rows, by its own weights or by those of another epoch.

    Equal weights score once. Frozen blocks are the same in every epoch, so what comes out of them is computed once, and
    kept for the next fit with the same blocks and the same preparation of the same rows.

    Parameters
    ----------
    fitted : Fitted
    rows : Rows
    name : str
        Of the rows: other rows have another name.
    """

    def __init__(self, fitted: Fitted, rows: Rows, *, name: str) -> None:
        self._fitted, self._rows, self._name = fitted, rows, name
        self._known: list[tuple[Mapping[str, Tensor], Scores]] = []

    def score(self, weights: Mapping[str, Tensor] | None = None) -> Scores:
        """Score the rows; ``weights`` are those of an epoch of a single network, without its frozen blocks."""
        scorer = self._fitted.scorer
        if not isinstance(scorer, NeuralScorer):
            return self._fitted.score(self._rows)
        whole = {**scorer.algorithm.state_dict(), **(weights or {})}
        for known, score in self._known:
            if all(torch.equal(tensor, known[name]) for name, tensor in whole.items()):
                return score
        algorithm = copy.deepcopy(scorer.algorithm)
        algorithm.load_state_dict(whole)
        self._known.append((whole, self._compute(algorithm)))
        return self._known[-1][1]

    def _compute(self, algorithm: Algorithm) -> Scores:
        blocks = self._fitted.encoder.get("frozen_blocks", 0)
        if not blocks:
            return replace(self._fitted, scorer=NeuralScorer(algorithm)).score(self._rows)
        encoder = algorithm.encoder
        assert isinstance(encoder, VGG), "only a VGG has frozen blocks"
        stem, algorithm.encoder = encoder.cut(blocks)

        def make() -> PreparedRows:
            prepared = prepare_rows(self._rows, self._fitted.preparation)
            return PreparedMaps(prepared, copy.deepcopy(stem), n_rows=len(self._rows))

        return score_rows(algorithm, MAPS.get(self._identify(), make), np.arange(len(self._rows)))

    def _identify(self) -> str:
        """Return a text that differs whenever the frozen blocks would give other maps."""
        arrays, content = self._fitted.preparation.state()
        about: dict[str, Any] = {"rows": self._name, "preparation": content, "encoder": self._fitted.encoder}
        digest = hashlib.sha256(json.dumps(about, sort_keys=True).encode())
        for name in sorted(arrays):
            digest.update(arrays[name].tobytes())
        return digest.hexdigest()
