"""What the training loop costs: an epoch of ours against a bare torch loop with the same network, loss and batches.

    python benchmarks/step_overhead.py [--quick] [--json] [--save] [--networks mlp cnn13]

One thread, processor time. All loops take turns within one run, with the same optimiser; a ratio is the median over the
rounds, with what one round of ten lies below and above. Besides the bare
loop there are two rivals: the bare loop with Adam's plain form instead of its fused one, and the bare loop fed by a
DataLoader over a TensorDataset. Our loop is ``angularpu.train.loop.train`` as a fit calls it: it is timed between two
calls of its progress report. Ours and the bare loop must end with the same weights to the bit, or the exit code is 1.
"""

import json
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import numpy as np
import torch
from command_line import make_parser, parse
from torch.nn.functional import softplus
from torch.optim import Adam
from torch.utils.data import DataLoader, TensorDataset
from turns import Ratio, compare, save, show

from angularpu.algorithms.angular import Angular
from angularpu.data.prepare.preparation import fit_preparation
from angularpu.data.sources import as_rows
from angularpu.geometry.dispersion import dispersion
from angularpu.nets.build import build
from angularpu.train.batches import MixedBatches
from angularpu.train.loop import train
from angularpu.train.prepared_rows import prepare_rows
from angularpu.train.selection import Judge
from angularpu.train.settings import Schedule
from angularpu.train.task import Task

SHAPES = {"mlp": (784,), "cnn13": (3, 32, 32)}
TITLES = {"mlp": "MLP 784-256-256-128", "cnn13": "CNN-13, 32 px"}
FULL = {"mlp": (12_800, 128, 20), "cnn13": (128, 64, 5)}  # rows, batch size, rounds
QUICK = {"mlp": (256, 64, 2), "cnn13": (20, 10, 1)}
NAMES = {"ours": "AngularPU", "plain": "bare loop, ordinary Adam", "loader": "bare loop, DataLoader"}
BARS = {"mlp": "at most 1.00", "cnn13": "at most 1.03"}
RATE = 1e-4
SEED = 0

Loop = Callable[[Angular, Adam, int], None]


class Bench:
    """One network, its rows and its batches, trained by four loops that compute the same thing."""

    def __init__(self, encoder: str, *, rows: int, batch: int) -> None:
        self.encoder, self.shape = encoder, SHAPES[encoder]
        rng = np.random.default_rng(0)
        block = as_rows(rng.normal(size=(rows, *self.shape)).astype(np.float32))
        preparation = fit_preparation(block)
        self.x = torch.from_numpy(np.concatenate([preparation.apply(part) for part in block.chunks(rows)]))
        pos, unl = np.arange(rows // 20), np.arange(rows // 20, rows)
        self.task = Task(prepare_rows(block, preparation), pos, unl)
        self.batches = MixedBatches(pos, unl, batch_size=batch, seed=(SEED, 0))  # the loop adds the phase's number
        self.batch = batch

    def make(self) -> Angular:
        """Return the same algorithm every time."""
        torch.manual_seed(0)
        return Angular(build(self.encoder, self.shape)).train()

    def make_rival(self, *, fused: bool) -> tuple[Angular, Adam]:
        """Return the same algorithm with an optimiser."""
        algorithm = self.make()
        return algorithm, Adam(algorithm.parameters(), lr=RATE, fused=fused)

    def train(self, algorithm: Angular, *, epochs: int, report: Callable[[int, int, str], None]) -> None:
        """Run the package's loop; ``report`` is called after every epoch."""
        schedule = Schedule(epochs, patience=epochs, batch_size=self.batch, learning_rate=RATE)
        train(algorithm, self.task, schedule=schedule, seed=(SEED,), judge=Judge("last"), report=report)

    def run_bare(self, algorithm: Angular, optimizer: Adam, epoch: int) -> None:
        """Run the same epoch as one would write it by hand."""
        plan = self.batches.epoch(epoch)
        order = torch.from_numpy(plan.order)
        weight = self.batches.positive_weight
        for b in range(self.batches.count):
            x = self.x.index_select(0, order[plan.bounds[b] : plan.bounds[b + 1]])
            descend(algorithm, optimizer, x, n_pos=plan.n_pos[b], weight=weight)

    def run_loader(self, algorithm: Angular, optimizer: Adam, epoch: int) -> None:
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


class Turns:
    """Our loop and its rivals, an epoch each in turn: the rivals run while our loop waits in its report."""

    def __init__(self, bench: Bench) -> None:
        self.ours = bench.make()
        self.rivals: dict[str, tuple[Loop, Angular, Adam]] = {
            "bare": (bench.run_bare, *bench.make_rival(fused=True)),
            "plain": (bench.run_bare, *bench.make_rival(fused=False)),
            "loader": (bench.run_loader, *bench.make_rival(fused=True)),
        }
        self.seconds: dict[str, list[float]] = {name: [] for name in ("ours", *self.rivals)}

    def begin_epoch(self, epoch: int) -> None:
        """Start the clock for an epoch of ours."""
        torch.manual_seed(epoch)  # equal dropout on all sides
        self.started = time.process_time()

    def finish_epoch(self, done: int, *_: object) -> None:
        """Stop the clock, let each rival run the same epoch, and start the clock again."""
        self.seconds["ours"].append(time.process_time() - self.started)
        epoch = done - 1
        names = list(self.rivals)
        # Who goes first finds a colder cache, so the order turns with every round.
        for name in names[epoch % len(names) :] + names[: epoch % len(names)]:
            loop, algorithm, optimizer = self.rivals[name]
            torch.manual_seed(epoch)
            start = time.process_time()
            loop(algorithm, optimizer, epoch)
            self.seconds[name].append(time.process_time() - start)
        self.begin_epoch(done)

    def ratio(self, name: str, network: str, *, bar: str = "") -> Ratio:
        """Return how many times as long as the bare loop a loop takes; the first epoch only warms up."""
        mine, bare = self.seconds[name][1:], self.seconds["bare"][1:]
        return compare(f"step, {network}", (NAMES[name], mine), ("bare loop, fused Adam", bare), bar=bar)

    def end_alike(self) -> bool:
        """Tell whether ours and the bare loop have the same weights to the bit."""
        bare = self.rivals["bare"][1].state_dict()
        return all(torch.equal(tensor, bare[name]) for name, tensor in self.ours.state_dict().items())


def measure(encoder: str, *, rows: int, batch: int, rounds: int) -> dict[str, Any]:
    bench = Bench(encoder, rows=rows, batch=batch)
    turns = Turns(bench)
    turns.begin_epoch(0)
    bench.train(turns.ours, epochs=rounds + 1, report=turns.finish_epoch)
    return {
        "ratios": [turns.ratio(name, TITLES[encoder], bar=BARS[encoder] if name == "ours" else "") for name in NAMES],
        "step_ms": 1e3 * statistics.median(turns.seconds["ours"][1:]) / bench.batches.count,
        "same_weights": turns.end_alike(),
    }


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--networks", nargs="+", choices=SHAPES)
    parser.add_argument("--save", action="store_true", help="write the ratios to benchmarks/results/speed.csv")
    arguments = parse(parser, full={"cases": FULL, "networks": list(SHAPES)}, quick={"cases": QUICK})
    torch.set_num_threads(1)
    results = {}
    for encoder in arguments.networks:
        rows, batch, rounds = arguments.cases[encoder]
        results[encoder] = measure(encoder, rows=rows, batch=batch, rounds=rounds)
    ratios = [ratio for row in results.values() for ratio in row["ratios"]]
    if arguments.json:
        print(json.dumps(results, indent=1, default=asdict))
    else:
        show(ratios)
        for encoder, row in results.items():
            same = "the same weights as" if row["same_weights"] else "OTHER WEIGHTS THAN"
            print(f"\n{TITLES[encoder]}: {row['step_ms']:.2f} ms a step, {same} the bare loop", end="")
        print()
    if arguments.save:
        save(ratios)
    sys.exit(not all(row["same_weights"] for row in results.values()))


if __name__ == "__main__":
    main()
