"""Real processes, started by torchrun: what several ranks learn, refuse and resume."""

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from angularpu.cli import fit as fit_command
from angularpu.cli.main import main
from angularpu.methods.table import METHODS
from angularpu.model import read_model
from angularpu.progress import ReportProgress
from angularpu.train.scoring import list_algorithms

HERE = Path(__file__).parent
NETWORKS = sum(card.kind == "network" for card in METHODS.values())
LAUNCH = [sys.executable, "-m", "torch.distributed.run", "--nproc-per-node", "2"]
OPTIONS = ["--method", "angular", "--set", "dropout=0", "--set", "epochs=6", "--set", "batch_size=32"]


def start(*command: str) -> subprocess.Popen:
    """Start two ranks, one thread each, on ports that torchrun finds."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(
        [*LAUNCH, "--rdzv-backend", "c10d", "--rdzv-endpoint", "127.0.0.1:0", *command],
        env=environment,
        text=True,
        **pipes,
    )


def launch(*command: str) -> str:
    """Run two ranks to their end and return what they printed."""
    process = start(*command)
    said, complaints = process.communicate(timeout=500)
    assert process.returncode == 0, complaints
    return said


def find_ports(count: int) -> list[str]:
    """Return ports that nobody listens on."""
    held = [socket.socket() for _ in range(count)]
    try:
        for each in held:
            each.bind(("127.0.0.1", 0))
        return [str(each.getsockname()[1]) for each in held]
    finally:
        for each in held:
            each.close()


def find_rank(launcher: int, number: int) -> int:
    """Return the process of one rank, a child of torchrun."""
    children = Path(f"/proc/{launcher}/task/{launcher}/children").read_text().split()
    return next(
        int(pid) for pid in children if f"\0RANK={number}\0".encode() in Path(f"/proc/{pid}/environ").read_bytes()
    )


@contextlib.contextmanager
def interrupted_in_the_second_fold(*, shown: bool) -> Iterator[ReportProgress]:
    """Stand in for the progress bar, and for a user who presses Ctrl-C."""

    def report(done: int, _total: int, text: str) -> None:
        if text.startswith("fold 2") and done == 3:
            raise KeyboardInterrupt

    yield report


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Rows of two Gaussian classes as data.csv, and fewer of them as other.csv."""
    folder = tmp_path_factory.mktemp("ranks")
    rng = np.random.default_rng(0)
    x, s = rng.normal(size=(240, 4)), np.arange(240) < 50
    x[:120] += 1.5
    lines = [
        "a,b,c,d,s",
        *(",".join(f"{value:.5f}" for value in [*row, label]) for row, label in zip(x, s, strict=True)),
    ]
    (folder / "data.csv").write_text("\n".join(lines))
    (folder / "other.csv").write_text("\n".join(lines[:-20]))
    (folder / "taken").mkdir()
    (folder / "taken" / "file").touch()
    return folder


@pytest.fixture(scope="module")
def expected(folder) -> np.ndarray:
    """What one process learns without a break."""
    assert main(command(folder, "whole")) == 0
    return read_weights(folder, "whole")


def command(folder: Path, model: str) -> list[str]:
    return ["fit", str(folder / "data.csv"), "--label", "s", "--out", str(folder / model), *OPTIONS]


def read_weights(folder: Path, model: str) -> np.ndarray:
    algorithms = list_algorithms(read_model(folder / model).scorer)
    return np.concatenate([tensor.numpy().ravel() for each in algorithms for tensor in each.state_dict().values()])


def test_two_ranks_equal_one_process_over_fifty_steps_for_every_network():
    found = json.loads(launch(str(HERE / "compare_with_one.py")))
    assert len(found) == NETWORKS + 2
    for name, figures in found.items():
        assert figures["steps"] >= (6 if name == "batch norm" else 50), name
        assert max(figures["weights"], figures["scores"]) < 1e-5, name
        assert figures["ranks differ"] is False, name


def test_what_several_ranks_cannot_do_is_refused_in_one_sentence_by_rank_0_alone(folder):
    told = launch(str(HERE / "refusals.py"), str(folder), *find_ports(7)).splitlines()
    said = {(name, rank): (code, text) for name, rank, code, text in (line.split(" | ") for line in told)}
    expected = {
        "other data": "rank 1 was started with other data than rank 0",
        "no data": "rank 1: .*absent.csv does not exist",
        "other settings": "rank 1 was started with other settings than rank 0",
        "no network": "extra_trees has no network that several ranks could train; start it without torchrun",
        "no model": "taken exists already",
        "no fit": "torchrun trains, with angularpu fit; start angularpu info without it",
        "no option": "No such option: --colour",
    }
    for name, sentence in expected.items():
        code, text = said[name, "rank 0"]
        assert code == "2"
        assert re.search(sentence, text), text
        assert said[name, "rank 1"][1] == ""
    assert not (folder / "model").exists()
    assert not (folder / "model.part").exists()


def test_a_killed_rank_ends_the_others_within_seconds_and_one_process_resumes(folder, expected):
    process = start("-m", "angularpu", *command(folder, "killed"))
    first = folder / "killed.part" / "fold-2-of-5.safetensors"
    while not first.exists():
        assert process.poll() is None, process.communicate()[1]
        time.sleep(0.01)
    os.kill(find_rank(process.pid, 1), signal.SIGKILL)
    killed = time.monotonic()
    _, complaints = process.communicate(timeout=60)
    assert time.monotonic() - killed < 30
    assert process.returncode != 0
    errors = [line for line in complaints.splitlines() if line.startswith("Error: ")]
    assert len(errors) == 1
    assert errors[0].startswith("Error: rank 0 ")
    assert errors[0].endswith("start the same command again to resume from the last checkpoint")
    assert not (folder / "killed").exists()
    assert main(command(folder, "killed")) == 0
    np.testing.assert_allclose(read_weights(folder, "killed"), expected, atol=1e-5, rtol=0)


def test_two_ranks_resume_what_one_process_began(folder, expected, monkeypatch):
    monkeypatch.setattr(fit_command, "show_progress", interrupted_in_the_second_fold)
    assert main(command(folder, "begun")) == 130
    assert (folder / "begun.part" / "fold-2-of-5.safetensors").exists()
    process = start("-m", "angularpu", *command(folder, "begun"), "--json")
    said, complaints = process.communicate(timeout=500)
    assert process.returncode == 0, complaints
    assert json.loads(said)["model"] == str(folder / "begun")
    assert sum(line.startswith("scenario ") for line in complaints.splitlines()) == 1
    np.testing.assert_allclose(read_weights(folder, "begun"), expected, atol=1e-5, rtol=0)
