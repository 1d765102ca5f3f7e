"""Started by torchrun: train every network in one process, then on all ranks, and print how far they differ."""

import hashlib
import json
import os
from dataclasses import replace

import numpy as np
import scipy.sparse as sp
import torch

from angularpu.algorithms.base import Algorithm
from angularpu.data.prepare.preparation import fit_preparation
from angularpu.methods.neural import make_algorithm
from angularpu.methods.table import METHODS
from angularpu.nets.build import build
from angularpu.nets.sparse_linear import lay_out_by_column
from angularpu.scenario.sample import make_sample
from angularpu.train.loop import train
from angularpu.train.prepared_rows import PreparedSparse, prepare_rows
from angularpu.train.ranks.group import join_ranks
from angularpu.train.selection import make_judge
from angularpu.train.settings import Schedule
from angularpu.train.state import State
from angularpu.train.task import Task
from angularpu.train.views import VIEWS

Trained = tuple[Algorithm, State, int]  # with the number of steps
NETWORKS = [name for name, card in METHODS.items() if card.kind == "network"]
FIFTY_STEPS = Schedule(epochs=5, patience=5, batch_size=16, learning_rate=1e-4)


def deal(x: np.ndarray | sp.csr_matrix, n_pos: int) -> Task:
    """Hold out every eighth row of a sample that begins with its labelled positives."""
    numbers = np.arange(x.shape[0])
    sample = make_sample(x, numbers < n_pos, scenario="one-sample")
    everything = Task(
        prepare_rows(sample.rows, fit_preparation(sample.rows)),
        sample.pos,
        sample.unl,
        make_view=VIEWS[sample.rows.kind],
    )
    return everything.split(numbers[numbers % 8 > 0], numbers[numbers % 8 == 0])


def make_table() -> Task:
    """Two Gaussians, in ten batches."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(180, 6)).astype(np.float32)
    x[:90] += 1
    return deal(x, 48)


def make_words() -> Task:
    """Counts of words, in ten batches of sparse rows."""
    rate = np.where(np.arange(180)[:, None] < 90, np.linspace(0.1, 1, 30), np.linspace(1, 0.1, 30))
    return deal(sp.csr_matrix(np.random.default_rng(0).poisson(rate).astype(np.float32)), 48)


def make_images() -> Task:
    """Small images, some brighter than others."""
    x = np.random.default_rng(0).integers(0, 128, (48, 1, 8, 8), dtype=np.uint8)
    x[:24] += 100
    return deal(x, 16)


def run(name: str, task: Task, *, encoder: str, schedule: Schedule) -> Trained:
    """Train one method, without dropout, and count the steps."""
    torch.manual_seed(0)
    shape = tuple(task.prepared.gather(torch.tensor([0])).shape[1:])
    network = build(encoder, shape, d=8, dropout=0.0)
    if isinstance(task.prepared, PreparedSparse):
        lay_out_by_column(network)
    algorithm = make_algorithm(name, {}, alpha=0.4, encoder=network)
    judge = make_judge("last", shares=None, truth=None)
    state = train(algorithm, task, schedule=schedule, seed=(0,), judge=judge)
    return algorithm, state, len(state.history) * -(-(len(task.pos) + len(task.unl)) // schedule.batch_size)


def run_all() -> dict[str, Trained]:
    """Train every network on the table, one on sparse rows, and one with batch normalisation on the images."""
    table, images = make_table(), make_images()
    done = {name: run(name, table, encoder="mlp", schedule=FIFTY_STEPS) for name in NETWORKS}
    few = replace(FIFTY_STEPS, epochs=2)
    done["sparse rows"] = run("angular", make_words(), encoder="mlp", schedule=FIFTY_STEPS)
    return done | {"batch norm": run("angular", images, encoder="cnn13", schedule=few)}


def measure(alone: Trained, together: Trained) -> dict[str, float]:
    """Return the greatest differences between two trainings of the same thing."""
    (one, state, steps), (two, others, _) = alone, together
    pairs = zip(one.state_dict().values(), two.state_dict().values(), strict=True)
    weights = max((a.float() - b.float()).abs().max().item() for a, b in pairs)
    held = zip(state.held, others.held, strict=True)
    scores = max(float(np.abs(a - b).max()) for before, after in held for a, b in zip(before, after, strict=True))
    return {"steps": steps, "weights": weights, "scores": scores}


def digest(trained: Trained) -> str:
    """Return what two ranks must have the same bytes of."""
    algorithm, state, _ = trained
    arrays = [
        *(tensor.numpy() for tensor in algorithm.state_dict().values()),
        *(part for both in state.held for part in both),
    ]
    return hashlib.sha256(b"".join(array.tobytes() for array in arrays)).hexdigest()


def main() -> None:
    """Print one line of JSON: for every network how far two ranks are from one process, and whether they differ."""
    alone = run_all() if os.environ["RANK"] == "0" else {}
    with join_ranks() as ranks:
        together = run_all()
        digests = [json.loads(text) for text in ranks.exchange(json.dumps({n: digest(t) for n, t in together.items()}))]
    if alone:
        differ = {name: {"ranks differ": digests[0][name] != digests[1][name]} for name in alone}
        print(json.dumps({name: measure(alone[name], together[name]) | differ[name] for name in alone}))


if __name__ == "__main__":
    main()
