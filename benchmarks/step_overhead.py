"""What the training loop costs: an epoch of ours against a bare torch loop with the same network, loss and batches.

    python benchmarks/step_overhead.py [--json]

The two take turns within one run, with the same optimiser; the ratio is the median over the rounds. Shown apart: what
Adam's fused form gains over its plain form, and the same epoch fed by DataLoader over TensorDataset.
"""

import argparse
import json
import statistics
import time
from collections.abc import Callable

import numpy as np
import torch
from torch.nn.functional import softplus
from torch.optim import Adam
from torch.utils.data import DataLoader, TensorDataset

from angularpu.algorithms.angular import Angular
from angularpu.data.prepare.preparation import fit_preparation
from angularpu.data.sources import as_rows
from angularpu.geometry.dispersion import dispersion
from angularpu.nets.build import build
from angularpu.train.batches import MixedBatches
from angularpu.train.loop import _run_epoch
from angularpu.train.prepared_rows import prepare_rows

CASES = {"mlp": ((784,), 12_800, 128), "cnn13": ((3, 32, 32), 256, 64)}  # shape of a row, rows, batch size
ROUNDS = {"mlp": 40, "cnn13": 6}


class Bench:
    """One network, its rows and its batches, trained by four loops that compute the same thing."""

    def __init__(self, name: str) -> None:
        self.encoder, (shape, n, batch) = name, CASES[name]
        rng = np.random.default_rng(0)
        rows = as_rows(rng.normal(size=(n, *shape)).astype(np.float32))
        preparation = fit_preparation(rows)
        self.prepared = prepare_rows(rows, preparation)
        self.x = torch.from_numpy(np.concatenate([preparation.apply(block) for block in rows.chunks(n)]))
        n_pos = n // 20
        self.batches = MixedBatches(np.arange(n_pos), np.arange(n_pos, n), batch_size=batch, seed=(0,))
        self.shape = shape

    def make(self, *, fused: bool) -> tuple[Angular, Adam]:
        """Return the same algorithm every time, with its optimiser."""
        torch.manual_seed(0)
        algorithm = Angular(build(self.encoder, self.shape)).train()
        return algorithm, Adam(algorithm.parameters(), lr=1e-4, fused=fused)

    def ours(self, algorithm: Angular, optimizer: Adam, epoch: int) -> None:
        """Run an epoch of the package's loop."""
        _run_epoch(algorithm, [optimizer], self.prepared, batches=self.batches, epoch=epoch, epochs=100)

    def bare(self, algorithm: Angular, optimizer: Adam, epoch: int) -> None:
        """Run the same epoch as one would write it by hand."""
        plan = self.batches.epoch(epoch)
        order = torch.from_numpy(plan.order)
        weight = self.batches.positive_weight
        for b in range(self.batches.count):
            x = self.x.index_select(0, order[plan.bounds[b] : plan.bounds[b + 1]])
            descend(algorithm, optimizer, x, n_pos=plan.n_pos[b], weight=weight)

    def loader(self, algorithm: Angular, optimizer: Adam, epoch: int) -> None:
        """Run an epoch over shuffled batches of a DataLoader."""
        s = torch.zeros(len(self.x), dtype=torch.int8)
        s[self.batches.pos] = 1
        generator = torch.Generator().manual_seed(epoch)
        size = -(-len(self.x) // self.batches.count)
        for x, label in DataLoader(TensorDataset(self.x, s), size, shuffle=True, generator=generator):
            first = torch.argsort(label, descending=True)
            descend(algorithm, optimizer, x[first], n_pos=int(label.sum()), weight=self.batches.positive_weight)


def descend(algorithm: Angular, optimizer: Adam, x: torch.Tensor, *, n_pos: int, weight: float) -> None:
    """Take one step on AngularPU's default loss, written out by hand."""
    f = algorithm.encoder(x)
    length = torch.linalg.vector_norm(f, dim=-1, keepdim=True)
    z = f / length.masked_fill(length == 0, 1)
    cosine = z @ algorithm.mu[0]
    logit = 3.0 * cosine
    unl = logit[n_pos:]
    gate = torch.sigmoid(10.0 * (cosine[n_pos:] - algorithm.raw_margin))
    loss = ((softplus(unl) - unl / 2) * gate).mean() + 0.5 * dispersion(z[n_pos:], 2.0)
    if n_pos:
        loss = loss + weight * (-3.0 * cosine[:n_pos]).sum()
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    optimizer.step()
    with torch.no_grad():
        algorithm.mu.div_(algorithm.mu.norm())
        algorithm.raw_margin.clamp_(-1, 1)


def measure(name: str) -> dict[str, float]:
    bench = Bench(name)
    runs: dict[str, tuple[Callable[..., None], Angular, Adam]] = {
        "ours": (bench.ours, *bench.make(fused=True)),
        "bare": (bench.bare, *bench.make(fused=True)),
        "bare, plain Adam": (bench.bare, *bench.make(fused=False)),
        "bare, DataLoader": (bench.loader, *bench.make(fused=True)),
    }
    seconds: dict[str, list[float]] = {key: [] for key in runs}
    for epoch in range(ROUNDS[name] + 1):
        # whoever goes first finds a colder cache: the order turns with every round
        turn = list(runs)[epoch % len(runs) :] + list(runs)[: epoch % len(runs)]
        for key in turn:
            loop, algorithm, optimizer = runs[key]
            torch.manual_seed(epoch)  # equal dropout on all sides
            start = time.perf_counter()
            loop(algorithm, optimizer, epoch)
            if epoch:
                seconds[key].append(time.perf_counter() - start)
    ours, bare = runs["ours"][1], runs["bare"][1]
    same = all(torch.equal(a, b) for a, b in zip(ours.state_dict().values(), bare.state_dict().values(), strict=True))

    def ratio(key: str) -> float:
        return statistics.median(a / b for a, b in zip(seconds[key], seconds["bare"], strict=True))

    return {
        "ratio": ratio("ours"),
        "fused_gain": ratio("bare, plain Adam"),
        "loader_ratio": ratio("bare, DataLoader"),
        "step_ms": 1e3 * statistics.median(seconds["ours"]) / bench.batches.count,
        "same_weights_in_the_end": same,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    results = {name: measure(name) for name in CASES}
    if arguments.json:
        print(json.dumps(results, indent=1))
        return
    for name, row in results.items():
        print(
            f"{name:6s} ours/bare {row['ratio']:.3f}   plain/fused Adam {row['fused_gain']:.2f}   "
            f"DataLoader/bare {row['loader_ratio']:.2f}   {row['step_ms']:.2f} ms a step   "
            f"same weights: {row['same_weights_in_the_end']}"
        )


if __name__ == "__main__":
    main()
