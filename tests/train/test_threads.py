"""Small networks train on one thread, whatever torch may use, unless the user says how many."""

import numpy as np
import pytest
import torch
from typer.testing import CliRunner

from angularpu.cli.main import app
from angularpu.data.sources import as_rows
from angularpu.fit.workflow import fit_method
from angularpu.methods.configure import configure
from angularpu.nets.build import build
from angularpu.scenario.sample import PUSample
from angularpu.threads import VARIABLE, given_threads
from angularpu.train import stages
from angularpu.train.threads import choose_update_threads, use_given_threads, use_threads


@pytest.fixture(autouse=True)
def two_threads(monkeypatch):
    monkeypatch.delenv(VARIABLE, raising=False)
    with use_threads(2):
        yield
        assert torch.get_num_threads() == 2


def fit_and_count():
    rng = np.random.default_rng(0)
    s = (np.arange(300) < 80).astype(np.int8)
    sample = PUSample(as_rows(rng.normal(size=(300, 4)) + s[:, None]), s, "one-sample")
    method = configure(method="angular", options={"epochs": 2, "validation": "hold-out", "device": "cpu"})
    seen = []
    fit_method(method, sample, seed=0, on_epoch=lambda _: seen.append(torch.get_num_threads()))
    return seen


def test_a_small_network_trains_on_one_thread_and_torch_has_its_own_number_again():
    assert fit_and_count() == [1, 1]
    assert torch.get_num_threads() == 2


def test_the_variable_wins_over_the_size_of_the_work(monkeypatch):
    monkeypatch.setenv(VARIABLE, "2")
    assert fit_and_count() == [2, 2]


def test_a_given_number_wins_too():
    with use_given_threads(3):
        assert fit_and_count() == [3, 3]
    with use_given_threads(None):
        assert fit_and_count() == [1, 1]


def test_a_given_number_is_forgotten_afterwards(monkeypatch):
    monkeypatch.setenv(VARIABLE, "7")
    with given_threads(2):
        pass
    with given_threads(None):
        monkeypatch.delenv(VARIABLE)
    with given_threads(2):
        pass
    assert fit_and_count() == [1, 1]


@pytest.mark.parametrize(
    ("encoder", "shape", "expected"), [("mlp", (784,), 1), ("mlp", (20_000,), 2), ("cnn13", (3, 32, 32), 2)]
)
def test_large_networks_have_all_threads(encoder, shape, expected):
    assert choose_update_threads(build(encoder, shape), torch.zeros(1, *shape), batch_size=128) == expected


def test_the_command_line_takes_a_number_of_threads(tmp_path, monkeypatch):
    rng = np.random.default_rng(0)
    lines = [f"{int(i < 60)},{x:.4f},{z:.4f}" for i, (x, z) in enumerate(rng.normal(size=(200, 2)))]
    (tmp_path / "rows.csv").write_text("\n".join(["s,x,z", *lines]) + "\n")
    seen, train = [], stages.train
    monkeypatch.setattr(stages, "train", lambda *a, **k: seen.append(torch.get_num_threads()) or train(*a, **k))
    command = ["fit", str(tmp_path / "rows.csv"), "--label", "s", "--method", "angular", "--set", "epochs=1"]
    command += ["--set", "validation=hold-out", "--out", str(tmp_path / "model")]
    done = CliRunner().invoke(app, [*command, "--threads", "2"])
    assert done.exit_code == 0, done.output
    assert seen == [2]
    assert CliRunner().invoke(app, [*command, "--threads", "0", "--force"]).exit_code == 2
