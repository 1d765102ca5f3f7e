"""A model, a directory of Parquet files to be scored by it, and a Ray cluster of two nodes on this machine."""

import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from angularpu import PUClassifier

SECONDS = 300
SMALL = {
    **{"num_cpus": 1, "node_ip_address": "127.0.0.1", "object_store_memory": 80 << 20},
    **{"include_dashboard": False, "memory": 1 << 30},
}
FILES = 4
ROWS = 50


def draw(seed, n):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(rng.normal(size=(n, 3)), columns=["a", "b", "c"])
    frame["city"] = np.where(frame["a"] > 0, "Oslo", "Rome")
    return frame


@pytest.fixture(scope="session")
def model(tmp_path_factory):
    x = draw(0, 200)
    y = np.repeat([1, 0], [50, 150])
    x.loc[:99, ["a", "b"]] += 2.0
    path = tmp_path_factory.mktemp("model") / "model"
    PUClassifier(method="logistic_regression").fit(x, y).save(path)
    return path


@pytest.fixture
def other_model(tmp_path):
    x = draw(1, 200)
    path = tmp_path / "other"
    PUClassifier(method="logistic_regression").fit(x, np.repeat([1, 0], [50, 150])).save(path)
    return path


@pytest.fixture(scope="session")
def rows():
    """Rows to score, with a key and with a column of a kind that no model reads."""
    frame = draw(2, FILES * ROWS)
    frame.insert(0, "key", [f"{i:04d}" for i in range(len(frame))])
    frame["tags"] = [["x", "y"]] * len(frame)
    return frame


@pytest.fixture
def folder(tmp_path, rows):
    """The rows in several files, and what Spark leaves beside such files."""
    folder = tmp_path / "data"
    folder.mkdir()
    for i in range(FILES):
        rows[i * ROWS : (i + 1) * ROWS].to_parquet(folder / f"part-{i}.parquet", index=False)
    (folder / "_SUCCESS").touch()
    (folder / ".hidden").touch()
    return folder


@pytest.fixture(scope="session")
def read_bytes():
    """A function that returns the files of a folder by name."""
    return lambda folder: {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture(scope="session")
def ray():
    return pytest.importorskip("ray", reason="Ray is not installed: pip install 'angularpu[ray]'")


class TwoNodes:
    """A cluster of two nodes with one core each; what is started finds it by RAY_ADDRESS."""

    def __init__(self, cluster):
        self._cluster = cluster
        self._second = cluster.add_node(**SMALL)

    def start(self, *words):
        """Start a command of angularpu."""
        command = [sys.executable, "-m", "angularpu", *map(str, words)]
        return subprocess.Popen(command, stderr=subprocess.PIPE, text=True)

    def run(self, *words):
        """Run a command to its end, and return its exit code and what it said."""
        command = self.start(*words)
        said = command.communicate(timeout=SECONDS)[1]
        return command.returncode, said

    def wait_for(self, condition, command):
        """Wait for something to happen while a command runs."""
        end = time.monotonic() + SECONDS
        while not condition():
            assert command.poll() is None, command.stderr.read()
            assert time.monotonic() < end
            time.sleep(0.05)

    def work(self, name):
        """Tell whether both nodes have a process that does this."""
        return all(self._works(node, name) for node in (self._cluster.head_node, self._second))

    def kill_second(self):
        """End a node and all its processes, without a warning."""
        self._cluster.remove_node(self._second, allow_graceful=False)

    def _works(self, node, name):
        (raylet,) = (each.process.pid for each in node.all_processes["raylet"])
        return any(_describe(path) == (raylet, f"ray::{name}") for path in Path("/proc").glob("[0-9]*"))


def _describe(process):
    try:
        parent = int((process / "stat").read_text().rpartition(")")[2].split()[1])
        return parent, (process / "cmdline").read_text().rstrip("\0 ")
    except OSError:
        return None


@pytest.fixture
def nodes(ray, monkeypatch):
    from ray.cluster_utils import Cluster

    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    monkeypatch.setenv("RAY_worker_niceness", "0")  # or a busy neighbour would stop them for minutes
    # Or Ray takes 127.0.0.1 for the machine's address in its network, where this cluster does not listen.
    monkeypatch.setenv("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")
    cluster = Cluster(initialize_head=True, connect=False, head_node_args=SMALL)
    monkeypatch.setenv("RAY_ADDRESS", cluster.address)
    yield TwoNodes(cluster)
    cluster.shutdown()
