"""Started by torchrun: train every network alone, then together with the other rank, and print how far they differ."""

import json
from dataclasses import replace

import numpy as np
import torch

from angularpu.algorithms.base import Algorithm
from angularpu.data.prepare.preparation import fit_preparation
from angularpu.methods.neural import make_algorithm
from angularpu.methods.table import METHODS
from angularpu.nets.build import build
from angularpu.scenario.sample import make_sample
from angularpu.train.loop import Task, train
from angularpu.train.prepared_rows import prepare_rows
from angularpu.train.ranks.group import find_ranks, join_ranks
from angularpu.train.selection import make_judge
from angularpu.train.settings import Schedule
from angularpu.train.state import State
from angularpu.train.views import VIEWS

NETWORKS = [name for name, card in METHODS.items() if card.kind == "network"]
FIFTY_STEPS = Schedule(epochs=5, patience=5, batch_size=16, learning_rate=1e-4)


def deal(x: np.ndarray, n_pos: int) -> Task:
    """Hold out every eighth row of a sample that begins with its labelled positives."""
    sample = make_sample(x, np.arange(len(x)) < n_pos, scenario="one-sample")
    everything = Task(
        prepare_rows(sample.rows, fit_preparation(sample.rows)),
        sample.pos,
        sample.unl,
        make_view=VIEWS[sample.rows.kind],
    )
    numbers = np.arange(len(x))
    return everything.split(numbers[numbers % 8 > 0], numbers[numbers % 8 == 0])


def make_table() -> Task:
    """Two Gaussians, in ten batches."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(180, 6)).astype(np.float32)
    x[:90] += 1
    return deal(x, 48)


def make_images() -> Task:
    """Small images, some brighter than others."""
    x = np.random.default_rng(0).integers(0, 128, (48, 1, 8, 8), dtype=np.uint8)
    x[:24] += 100
    return deal(x, 16)


def run(name: str, task: Task, *, encoder: str, schedule: Schedule) -> tuple[Algorithm, State, int]:
    """Train one method, without dropout, and count the steps."""
    torch.manual_seed(0)
    shape = tuple(task.prepared.gather(torch.tensor([0])).shape[1:])
    algorithm = make_algorithm(name, {}, alpha=0.4, encoder=build(encoder, shape, d=8, dropout=0.0))
    judge = make_judge("last", shares=None, truth=None)
    state = train(algorithm, task, schedule=schedule, seed=(0,), judge=judge)
    return algorithm, state, len(state.history) * -(-(len(task.pos) + len(task.unl)) // schedule.batch_size)


def run_all() -> dict[str, tuple[Algorithm, State, int]]:
    """Train every network on the table, and one with batch normalisation on the images."""
    table, images = make_table(), make_images()
    done = {name: run(name, table, encoder="mlp", schedule=FIFTY_STEPS) for name in NETWORKS}
    few = replace(FIFTY_STEPS, epochs=2)
    return done | {"batch norm": run("angular", images, encoder="cnn13", schedule=few)}


def measure(alone: tuple[Algorithm, State, int], together: tuple[Algorithm, State, int]) -> dict[str, float]:
    """Return the greatest differences between two trainings of the same thing."""
    (one, state, steps), (two, others, _) = alone, together
    pairs = zip(one.state_dict().values(), two.state_dict().values(), strict=True)
    weights = max((a.float() - b.float()).abs().max().item() for a, b in pairs)
    held = zip(state.held, others.held, strict=True)
    scores = max(float(np.abs(a - b).max()) for before, after in held for a, b in zip(before, after, strict=True))
    return {"steps": steps, "weights": weights, "scores": scores}


def main() -> None:
    """Print one line of JSON from every rank."""
    alone = run_all()
    assert find_ranks() is None
    with join_ranks() as ranks:
        together = run_all()
        found = {name: measure(alone[name], together[name]) for name in alone}
        texts = ranks.exchange(json.dumps(found))
    if ranks.leads:
        print("\n".join(texts))


if __name__ == "__main__":
    main()
