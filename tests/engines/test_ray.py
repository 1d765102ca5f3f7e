"""A Ray cluster of two nodes on this machine; where Ray is not installed, only its absence is tested."""

import os
import socket
import subprocess
import sys
import time

import pandas as pd
import pytest

from angularpu import BatchScorer
from angularpu.cli.main import main
from angularpu.engines import score_directory
from angularpu.files import lock, unfinished

pytestmark = pytest.mark.filterwarnings("ignore")  # of Ray's own code
SECONDS = 180


def test_a_node_lost_in_the_middle_costs_nothing(nodes, model, folder, tmp_path, read_bytes):
    out = tmp_path / "out"
    out.mkdir()
    # Two files are held, so that each node has one in hand when the second is killed.
    with lock(unfinished(out / "part-0.parquet")), lock(unfinished(out / "part-1.parquet")):
        command = nodes.start("score", model, folder, "--out", out, "--id", "key", "--engine", "ray")
        nodes.wait_for(lambda: nodes.work("score a file"), command)
        nodes.kill_second()
    said = command.communicate(timeout=SECONDS)[1]
    assert command.returncode == 0, said
    assert "4 files with 200 rows scored" in said
    score_directory(model, folder, out=tmp_path / "here", ids=["key"])
    assert read_bytes(out) == read_bytes(tmp_path / "here")  # nothing lost, nothing twice


def test_a_second_call_does_nothing_and_a_mistake_is_one_sentence(nodes, model, folder, rows, tmp_path):
    out = tmp_path / "out"
    rows[:5].assign(b=float("inf")).to_parquet(folder / "part-7.parquet", index=False)
    code, said = nodes.run("score", model, folder, "--out", out, "--engine", "ray")
    (line,) = said.splitlines()
    assert code == 2
    assert "part-7.parquet: column 'b', row 0" in line
    (folder / "part-7.parquet").unlink()
    for expected in ("rows scored", "4 of them were done before"):
        code, said = nodes.run("score", model, folder, "--out", out, "--engine", "ray")
        assert expected in said
        assert code == 0


def test_ray_data_maps_batches_by_the_scorer(nodes, model, folder, rows):
    pytest.importorskip("ray.data", reason="Ray Data is not installed: pip install 'ray[data]'")
    code = """
import sys
import ray
from angularpu import BatchScorer

ray.init(address="auto", log_to_driver=False)
data = ray.data.read_parquet(sys.argv[2], columns=["a", "b", "c", "city"])
scored = data.map_batches(BatchScorer(sys.argv[1]), batch_format="pyarrow")
scored.to_pandas().to_parquet(sys.argv[3])
"""
    out = folder.parent / "scored.parquet"
    subprocess.run([sys.executable, "-c", code, model, folder, out], check=True, timeout=SECONDS, capture_output=True)
    ours = BatchScorer(model)(rows)
    assert sorted(pd.read_parquet(out)["score"]) == sorted(ours["score"])


def test_a_cluster_out_of_reach_is_one_sentence_within_a_time(ray, model, folder, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as silent:  # takes the call and says nothing
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        environment = {**os.environ, "RAY_ADDRESS": address, "RAY_USAGE_STATS_ENABLED": "0"}
        begun = time.monotonic()
        run = subprocess.run(
            [sys.executable, "-m", "angularpu", "score", model, folder, "--out", tmp_path / "o", "--engine", "ray"],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=SECONDS,
        )
    assert run.returncode == 2
    assert time.monotonic() - begun < SECONDS
    assert f"no Ray cluster can be reached at RAY_ADDRESS={address} (no answer within 30 seconds)" in run.stderr


def test_no_cluster_at_all_is_one_sentence(ray, model, folder, tmp_path, capsys, monkeypatch):
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    assert main(["score", str(model), str(folder), "--out", str(tmp_path / "o"), "--engine", "ray"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "no Ray cluster can be reached running on this machine" in line


def test_without_ray_one_sentence_says_what_to_install(model, folder, tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    assert main(["score", str(model), str(folder), "--out", str(tmp_path / "o"), "--engine", "ray"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "pip install 'angularpu[ray]'" in line
