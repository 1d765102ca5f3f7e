"""An epoch of ours against loops written by hand and against other libraries, in turns.

    python benchmarks/epochs.py [--rows 60000] [--turns 3] [--quick] [--json] [--save]

Rows of 784 numbers, 1000 of them labelled, MLP 784-256-256-128 (scikit-learn's has no dropout), batch 128, one thread,
processor time. By hand: shuffled indices, ``F.normalize``, the dispersion term as a masked log-sum-exp; "our optimiser"
is the same loop with Adam fused. skorch trains the same network on the labels as if they were classes, and so does
scikit-learn's MLPClassifier; pu-toolbox has an nnPU of its own, whose batches hold 128 positives beside 128 unlabelled
rows. Last: twice the rows against the rows once. --save writes the ratios to benchmarks/results/speed.csv.
"""

import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from command_line import parse
from torch import Tensor, nn
from torch.nn.functional import normalize, softplus
from torch.optim import Adam
from turns import Ratio, compare, find_rivals, make_turns_parser, take_turns, tell

from angularpu.algorithms.angular import Angular
from angularpu.algorithms.base import Algorithm
from angularpu.algorithms.nnpu import NNPU
from angularpu.data.prepare.preparation import fit_preparation
from angularpu.data.sources import as_rows
from angularpu.nets.build import build
from angularpu.train.loop import train
from angularpu.train.prepared_rows import prepare_rows
from angularpu.train.selection import Judge
from angularpu.train.settings import Schedule
from angularpu.train.task import Task

COLUMNS, BATCH, RATE, SHARE = 784, 128, 1e-4, 0.3
Loss = Callable[[nn.Module, Tensor, Tensor], Tensor]


def make_ours(algorithm: Algorithm, x: np.ndarray, n_pos: int) -> Callable[[], object]:
    """Return an epoch of the package's loop."""
    rows = as_rows(x)
    task = Task(prepare_rows(rows, fit_preparation(rows)), np.arange(n_pos), np.arange(n_pos, len(x)))
    schedule = Schedule(1, patience=1, batch_size=BATCH, learning_rate=RATE)
    return lambda: train(algorithm, task, schedule=schedule, seed=(0,), judge=Judge("last"))


def make_by_hand(network: nn.Module, loss: Loss, x: np.ndarray, n_pos: int, *, fused: bool) -> Callable[[], object]:
    """Return an epoch as one writes it by hand."""
    rows, label = torch.from_numpy(x), torch.arange(len(x)) < n_pos
    optimizer = Adam(network.parameters(), lr=RATE, fused=fused)

    def run() -> None:
        network.train()
        for index in torch.randperm(len(rows)).split(BATCH):
            optimizer.zero_grad()
            loss(network, rows[index], label[index]).backward()
            optimizer.step()

    return run


class AngularByHand(nn.Module):
    """The network, the prototype and the margin."""

    def __init__(self) -> None:
        super().__init__()
        self.encoder = build("mlp", (COLUMNS,))
        self.mu = nn.Parameter(normalize(torch.randn(128), dim=0))
        self.m = nn.Parameter(torch.tensor(0.5))


def angular_by_hand(network: AngularByHand, x: Tensor, label: Tensor) -> Tensor:
    """Return AngularPU's objective as the paper's formulas read."""
    with torch.no_grad():
        network.mu.copy_(normalize(network.mu, dim=0))
        network.m.clamp_(-1, 1)
    z = normalize(network.encoder(x))
    cosine = z @ network.mu
    unl, z_unl = cosine[~label], z[~label]
    n = len(z_unl)
    pairs = (2.0 * z_unl @ z_unl.T).masked_fill(torch.eye(n, dtype=torch.bool), -math.inf)
    spread = torch.logsumexp(pairs, (0, 1)) - math.log(n * (n - 1))
    weight = torch.sigmoid(10.0 * (unl - network.m))
    loss = (weight * (softplus(3.0 * unl) - 1.5 * unl)).mean() + 0.5 * spread
    return loss - 3.0 * cosine[label].mean() if label.any() else loss


def nnpu_by_hand(network: nn.Module, x: Tensor, label: Tensor) -> Tensor:
    """Return nnPU's risk as the paper's formulas read."""
    g = network(x)[:, 0]
    pos, unl = g[label], g[~label]
    if not len(pos):
        return torch.sigmoid(unl).mean()
    negative = torch.sigmoid(unl).mean() - SHARE * torch.sigmoid(pos).mean()
    positive = SHARE * torch.sigmoid(-pos).mean()
    return positive + negative if negative >= 0 else -negative


def make_network() -> nn.Module:
    return nn.Sequential(build("mlp", (COLUMNS,)), nn.ReLU(), nn.Linear(128, 1))


def make_skorch(x: np.ndarray, s: np.ndarray) -> Callable[[], object]:
    from skorch import NeuralNetBinaryClassifier

    net = NeuralNetBinaryClassifier(
        nn.Sequential(make_network(), nn.Flatten(0)),
        max_epochs=1,
        batch_size=BATCH,
        lr=RATE,
        optimizer=Adam,
        iterator_train__shuffle=True,
        train_split=None,
        verbose=0,
    ).initialize()
    return lambda: net.partial_fit(x, s.astype(np.float32))


def make_sklearn(x: np.ndarray, s: np.ndarray) -> Callable[[], object]:
    from sklearn.neural_network import MLPClassifier

    net = MLPClassifier((256, 256, 128), batch_size=BATCH, learning_rate_init=RATE)
    return lambda: net.partial_fit(x, s, classes=[0, 1])


def make_pu_toolbox(x: np.ndarray, s: np.ndarray) -> Callable[[], object]:
    from pu_toolbox.estimators.risk.nnpu import NonNegativePUClassifier

    net = NonNegativePUClassifier(make_network(), class_prior=SHARE, batch_size=BATCH, max_epochs=1, device="cpu")
    return lambda: net.fit(x, s)


def make_ways(rows: int, n_pos: int) -> dict[str, Callable[[], object]]:
    """Return an epoch of every contender that is installed."""
    x = np.random.default_rng(0).normal(size=(rows, COLUMNS)).astype(np.float32)
    s = (np.arange(rows) < n_pos).astype(int)
    rivals: dict[str, tuple[str, Callable[..., Any]]] = {
        "skorch": ("skorch", make_skorch),
        "scikit-learn's MLPClassifier": ("sklearn", make_sklearn),
        "pu-toolbox": ("pu_toolbox", make_pu_toolbox),
    }
    found = find_rivals(*(module for module, _ in rivals.values()))
    angular, nnpu = Angular(build("mlp", (COLUMNS,))), NNPU(build("mlp", (COLUMNS,)), alpha=SHARE)
    return {
        "AngularPU": make_ours(angular, x, n_pos),
        "nnPU": make_ours(nnpu, x, n_pos),
        "AngularPU by hand, ordinary Adam": make_by_hand(AngularByHand(), angular_by_hand, x, n_pos, fused=False),
        "AngularPU by hand, our optimiser": make_by_hand(AngularByHand(), angular_by_hand, x, n_pos, fused=True),
        "nnPU by hand, ordinary Adam": make_by_hand(make_network(), nnpu_by_hand, x, n_pos, fused=False),
        **{name: make(x, s) for name, (module, make) in rivals.items() if module in found},
        "AngularPU on half of the rows": make_ours(Angular(build("mlp", (COLUMNS,))), x[: rows // 2], n_pos),
    }


def measure(rows: int, *, n_pos: int, turns: int) -> tuple[list[Ratio], dict[str, list[float]]]:
    for way in make_ways(1000, 100).values():  # libraries set themselves up
        way()
    seconds = take_turns(make_ways(rows, n_pos), turns)
    bars = {
        "AngularPU by hand, ordinary Adam": "at most 0.80",
        "AngularPU by hand, our optimiser": "at most 1.00",
        "AngularPU on half of the rows": "at most 2.10",
        "skorch": "at most 0.65",
        "scikit-learn's MLPClassifier": "at most 0.65",
        "pu-toolbox": "at most 0.65",
    }
    ratios = []
    for name in seconds:
        if name not in {"AngularPU", "nnPU"}:
            ours = "AngularPU" if name.startswith("AngularPU") else "nnPU"
            ratios.append(compare("epoch", (ours, seconds[ours]), (name, seconds[name]), bar=bars.get(name, "")))
    return ratios, seconds


def main() -> None:
    full, quick = {"rows": 60_000, "turns": 3, "n_pos": 1000}, {"rows": 1000, "turns": 2, "n_pos": 100}
    arguments = parse(make_turns_parser(__doc__), full=full, quick=quick)
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    ratios, seconds = measure(arguments.rows, n_pos=arguments.n_pos, turns=arguments.turns)
    text = ", ".join(f"{name} {min(each):.2f}" for name, each in seconds.items())
    tell(arguments, ratios, {"seconds": seconds}, f"seconds an epoch: {text}")


if __name__ == "__main__":
    main()
