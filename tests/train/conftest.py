"""A small problem and a small algorithm that train in a moment."""

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn.functional import binary_cross_entropy_with_logits

from angularpu.algorithms.base import Algorithm, Phase, PUBatch, Step, View
from angularpu.data.prepare.preparation import fit_preparation
from angularpu.scenario.sample import PUSample, make_sample
from angularpu.train.prepared_rows import prepare_rows
from angularpu.train.task import Task


def gaussians(n_pos: int, n_unl: int, *, seed: int = 0, columns: int = 4, apart: float = 3.0) -> PUSample:
    """Labelled positives around ``apart`` and unlabelled rows of which four in ten are."""
    rng = np.random.default_rng(seed)
    y = np.concatenate([np.ones(n_pos), rng.random(n_unl) < 0.4])
    x = rng.normal(size=(n_pos + n_unl, columns)) + apart * y[:, None] / np.sqrt(columns)
    s = np.arange(n_pos + n_unl) < n_pos
    return make_sample(x, s, scenario="one-sample")


@pytest.fixture
def few() -> PUSample:
    """Too few positives for a hold-out: folds."""
    return gaussians(40, 120)


@pytest.fixture
def many() -> PUSample:
    """Enough positives for one hold-out."""
    return gaussians(1000, 1500)


class Memory(nn.Module):
    """What the toy keeps for training alone: how often each row has been in a batch, and some noise."""

    def __init__(self, n_rows: int) -> None:
        super().__init__()
        self.register_buffer("seen", torch.zeros(n_rows))
        self.register_buffer("noise", torch.zeros(3))


class Toy(Algorithm):
    """A small network with dropout, two optimisers and two phases; it draws from torch's generator where it may."""

    def __init__(self, *, selects: tuple[bool, bool] = (False, True)) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Dropout(0.3))
        self.head = nn.Linear(8, 1)
        self.selects = selects
        self.begun: list[str] = []

    def build_scaffold(self, n_rows: int) -> Memory:
        return Memory(n_rows)

    def phases(self, *, epochs: int, learning_rate: float) -> tuple[Phase, ...]:
        first, second = self.selects
        return (
            Phase("first", 2, learning_rate, selects=first),
            Phase("second", epochs, learning_rate, selects=second, batches="paired"),
        )

    def parameter_groups(self) -> dict[str, list[nn.Parameter]]:
        return {"body": [*self.body.parameters()], "head": [*self.head.parameters()]}

    def begin_phase(self, view: View) -> None:
        self.begun.append(view.phase)
        self.find_scaffold(Memory).noise.normal_()

    def step(self, batch: PUBatch) -> Step:
        memory = self.find_scaffold(Memory)
        memory.seen[batch.index] += 1
        g = self.score(batch.x) + 0.01 * memory.noise.sum()
        label = (torch.arange(len(g)) < batch.n_pos).float()
        loss = binary_cross_entropy_with_logits(g, label)
        return Step(loss, loss, {"mean": g.mean()})

    def embed(self, x: torch.Tensor) -> torch.Tensor:
        return self.body(x)

    def score(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(self.body(x))[:, 0]


@pytest.fixture
def make_toy():
    """A function that makes the same toy every time."""

    def make(**options) -> Toy:
        with torch.random.fork_rng():
            torch.manual_seed(0)
            return Toy(**options)

    return make


@pytest.fixture
def task() -> Task:
    """Some rows to learn from and a quarter of each kind held out."""
    sample = gaussians(40, 120)
    prepared = prepare_rows(sample.rows, fit_preparation(sample.rows))
    pos, unl = sample.pos, sample.unl
    return Task(prepared, pos[10:], unl[30:], held_pos=pos[:10], held_unl=unl[:30])
