import copy
import subprocess
import sys

import pytest
import torch
from torch import nn
from torch.optim import Adam

from angularpu.train.adam import LeanAdam


def make(kind, **options):
    torch.manual_seed(0)
    network = nn.Sequential(nn.Linear(5, 4), nn.ReLU(), nn.Linear(4, 1))
    return network, kind(network.parameters(), lr=0.01, fused=True, **options)


def descend(network, optimizer, steps, *, first=0, skip=()):
    for step in range(first, first + steps):
        x = torch.randn(8, 5, generator=torch.Generator().manual_seed(step))
        optimizer.zero_grad()
        out = network(x) if step not in skip else network[0](x)  # the last layer gets no gradient
        out.square().mean().backward()
        optimizer.step()


def equal(a, b):
    return all(torch.equal(p, q) for p, q in zip(a.parameters(), b.parameters(), strict=True))


@pytest.mark.parametrize("options", [{}, {"weight_decay": 0.1}, {"betas": (0.5, 0.9), "eps": 1e-4}])
@pytest.mark.parametrize("skip", [(), (0,), (3,)])
def test_it_walks_as_adam_to_the_bit(options, skip):
    (lean, mine), (plain, theirs) = make(LeanAdam, **options), make(Adam, **options)
    descend(lean, mine, 6, skip=skip)
    descend(plain, theirs, 6, skip=skip)
    assert equal(lean, plain)
    assert str(mine.state_dict()) == str(theirs.state_dict())


def test_a_rate_that_changes_counts_from_the_next_step():
    (lean, mine), (plain, theirs) = make(LeanAdam), make(Adam)
    for rate in (0.1, 0.001):
        for network, optimizer in ((lean, mine), (plain, theirs)):
            optimizer.param_groups[0]["lr"] = rate
            descend(network, optimizer, 3)
    assert equal(lean, plain)


def test_a_stored_state_is_taken_up_in_the_middle():
    lean, mine = make(LeanAdam)
    descend(lean, mine, 3)
    weights, state = copy.deepcopy(lean.state_dict()), copy.deepcopy(mine.state_dict())
    descend(lean, mine, 3, first=3)
    again, resumed = make(LeanAdam)
    descend(again, resumed, 2)  # its lists are of other tensors
    again.load_state_dict(weights)
    resumed.load_state_dict(state)
    descend(again, resumed, 3, first=3)
    assert equal(lean, again)


def test_a_closure_is_called():
    network, optimizer = make(LeanAdam)

    def closure():
        optimizer.zero_grad()
        loss = network(torch.ones(2, 5)).square().mean()
        loss.backward()
        return loss

    first = optimizer.step(closure).item()
    assert optimizer.step(closure).item() < first


def test_a_fit_with_checkpoints_does_not_import_the_compiler(tmp_path):
    code = """
import sys
import numpy as np
from angularpu.cli.main import main
x = np.random.default_rng(0).normal(size=(200, 3)).round(3)
rows = "\\n".join(",".join(map(str, [*row, int(n < 60)])) for n, row in enumerate(x))
open("rows.csv", "w").write("a,b,c,s\\n" + rows)
assert main(["fit", "rows.csv", "--label", "s", "--out", "model", "--method", "angular", "--set", "epochs=2"]) == 0
assert "torch.optim" in sys.modules
assert "torch._dynamo" not in sys.modules
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
