"""What the networks of several epochs say of the same rows, none of them computed twice."""

import copy
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from angularpu.algorithms.base import Algorithm
from angularpu.data.rows import Rows
from angularpu.methods.fitted import Fitted
from angularpu.nets.vgg import VGG
from angularpu.train.prepared_maps import prepare_maps
from angularpu.train.prepared_rows import PreparedRows
from angularpu.train.scoring import NeuralScorer, score_rows

Scores = NDArray[np.float32]


class EpochScores:
    """The scores that a fitted method gives to rows, by its own weights or by those of another epoch.

    Equal weights score once. Frozen blocks are the same in every epoch, so what comes out of them is computed once and,
    with a directory, kept for the next fit with the same blocks and the same preparation of the same rows.

    Parameters
    ----------
    fitted : Fitted
    rows : Rows
    maps_dir : Path, optional
        Where the maps are kept.
    """

    def __init__(self, fitted: Fitted, rows: Rows, *, maps_dir: Path | None = None) -> None:
        self._fitted, self._rows, self._directory = fitted, rows, maps_dir
        self._maps: PreparedRows | None = None
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
        if self._maps is None:
            preparation = self._fitted.preparation
            self._maps = prepare_maps(self._rows, preparation, copy.deepcopy(stem), directory=self._directory)
        return score_rows(algorithm, self._maps, np.arange(len(self._rows)))
