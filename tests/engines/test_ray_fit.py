"""Fits on two nodes: the models of one process, whatever is lost in between."""

import os
import subprocess
import sys

import numpy as np
import pytest

from angularpu.cli.main import main
from angularpu.model import read_model
from angularpu.train.scoring import list_algorithms

pytestmark = pytest.mark.filterwarnings("ignore")  # of Ray's own code
SECONDS = 300
# Long enough that a node can be killed in the middle of a fold.
ENSEMBLE = ["--set", "epochs=60", "--set", "patience=60", "--set", "batch_size=16"]
FOLD_MEAN = ["--method", "angular", "--set", "epochs=40", "--set", "patience=40"]
ONE_NETWORK = ["--method", "angular", "--set", "refit=true", "--set", "dropout=0", "--set", "batch_size=32"]


@pytest.fixture(scope="session")
def table(tmp_path_factory):
    """Rows of two Gaussian classes as a file."""
    path = tmp_path_factory.mktemp("table") / "data.csv"
    rng = np.random.default_rng(0)
    x, s = rng.normal(size=(240, 4)), np.arange(240) < 50
    x[:120] += 1.5
    rows = (",".join(f"{value:.5f}" for value in [*row, label]) for row, label in zip(x, s, strict=True))
    path.write_text("\n".join(["a,b,c,d,s", *rows]))
    return path


def fit(table, out, *options):
    return ["fit", str(table), "--label", "s", "--out", str(out), *options]


def read_weights(model):
    algorithms = list_algorithms(read_model(model).scorer)
    return np.concatenate([tensor.numpy().ravel() for each in algorithms for tensor in each.state_dict().values()])


def test_a_node_lost_in_the_middle_of_an_ensemble_leaves_the_model_of_one_process(nodes, table, tmp_path, read_bytes):
    out = tmp_path / "model"
    command = nodes.start(*fit(table, out, *ENSEMBLE, "--engine", "ray"))
    begun = tmp_path / "model.part" / "member-1-angular"
    nodes.wait_for(lambda: nodes.work("fit a fold") and len(list(begun.glob("fold-*.safetensors"))) > 1, command)
    nodes.kill_second()
    said = command.communicate(timeout=SECONDS)[1]
    assert command.returncode == 0, said
    assert not (tmp_path / "model.part").exists()
    assert main(fit(table, tmp_path / "here", *ENSEMBLE)) == 0
    assert read_bytes(out) == read_bytes(tmp_path / "here")


def test_the_folds_of_one_network_are_tasks_and_a_killed_run_is_resumed(nodes, table, tmp_path, read_bytes):
    words = fit(table, tmp_path / "model", *FOLD_MEAN, "--engine", "ray")
    command = nodes.start(*words)
    nodes.wait_for(lambda: any((tmp_path / "model.part").glob("fold-*.safetensors")), command)
    command.kill()
    command.communicate()
    assert not (tmp_path / "model").exists()
    code, said = nodes.run(*words)
    assert code == 0, said
    assert main(fit(table, tmp_path / "here", *FOLD_MEAN)) == 0
    assert read_bytes(tmp_path / "model") == read_bytes(tmp_path / "here")


def test_a_single_network_is_trained_by_a_rank_on_every_node_as_by_torchrun(nodes, table, tmp_path, read_bytes):
    options = [*ONE_NETWORK, "--set", "epochs=5"]
    code, said = nodes.run(*fit(table, tmp_path / "model", *options, "--engine", "ray"))
    assert code == 0, said
    launch = [sys.executable, "-m", "torch.distributed.run", "--nproc-per-node", "2", "--standalone", "-m", "angularpu"]
    words = [*launch, *fit(table, tmp_path / "launched", *options)]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    subprocess.run(words, check=True, timeout=SECONDS, env=environment, capture_output=True)
    assert read_bytes(tmp_path / "model") == read_bytes(tmp_path / "launched")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["launched", "model"]


def test_a_node_lost_in_the_middle_of_a_single_network_leaves_it_to_the_other(nodes, table, tmp_path):
    options = [*ONE_NETWORK, "--set", "epochs=40", "--set", "patience=40"]
    command = nodes.start(*fit(table, tmp_path / "model", *options, "--engine", "ray"))
    nodes.wait_for((tmp_path / "model.part" / "fold-2-of-5.safetensors").exists, command)
    nodes.kill_second()
    said = command.communicate(timeout=SECONDS)[1]
    assert command.returncode == 0, said
    assert main(fit(table, tmp_path / "here", *options)) == 0
    np.testing.assert_allclose(read_weights(tmp_path / "model"), read_weights(tmp_path / "here"), atol=1e-4, rtol=0)


def test_machines_with_another_version_are_refused_in_one_sentence(nodes, table, tmp_path):
    code = (
        "import sys, angularpu; angularpu.__version__ = '0.0.9'; from angularpu.cli.main import main; sys.exit(main())"
    )
    for options in (FOLD_MEAN, ONE_NETWORK):
        words = [*fit(table, tmp_path / "model", *options), "--quiet", "--engine", "ray"]
        run = subprocess.run(
            [sys.executable, "-c", code, *words], check=False, capture_output=True, text=True, timeout=SECONDS
        )
        assert run.returncode == 2, run.stderr
        (line,) = run.stderr.splitlines()
        assert "a machine of the Ray cluster has angularpu 0.1.0, but this one has 0.0.9; install one" in line


@pytest.mark.parametrize("options", [FOLD_MEAN, ONE_NETWORK])
def test_no_cluster_and_no_ray_are_one_sentence(options, table, tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    assert main([*fit(table, tmp_path / "model", *options), "--quiet", "--engine", "ray"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line == "Error: Ray is not installed; install it with: pip install 'angularpu[ray]'"
    assert not list(tmp_path.iterdir())


def test_a_cluster_out_of_reach_is_one_sentence(ray, table, tmp_path, capsys, monkeypatch):
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    assert main([*fit(table, tmp_path / "model"), "--quiet", "--engine", "ray"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "no Ray cluster can be reached running on this machine" in line
    assert not list(tmp_path.iterdir())


def test_a_method_that_cannot_be_spread_is_refused_before_anything_is_reached(table, tmp_path, capsys):
    assert main([*fit(table, tmp_path / "model", "--method", "extra_trees"), "--quiet", "--engine", "ray"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "extra_trees cannot be spread over a Ray cluster" in line
