"""Rows that a person found negative, beside the batches of labelled positives and unlabelled rows."""

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from angularpu.algorithms.base import KnownNegatives
from angularpu.scenario.reviews import weigh_negatives
from angularpu.train.prepared_rows import PreparedRows

MOST = 64  # in one batch


@dataclass(frozen=True)
class Negatives:
    """Rows that a person found negative: some of them for every batch."""

    prepared: PreparedRows
    rows: NDArray[np.int64]
    n_pos: int

    def draw(self, generator: torch.Generator, device: torch.device) -> KnownNegatives:
        """Return up to 64 of the rows, and what they count beside the unlabelled ones."""
        chosen = torch.randperm(len(self.rows), generator=generator, device=device)[:MOST].cpu()
        x = self.prepared.gather(torch.from_numpy(self.rows)[chosen]).to(device, non_blocking=True)
        return KnownNegatives(x, weigh_negatives(n_pos=self.n_pos, n_neg=len(self.rows)))
