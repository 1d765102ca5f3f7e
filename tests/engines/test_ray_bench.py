"""Cells of an experiment on two nodes, one of which is lost."""

import csv
import sys
from contextlib import ExitStack

import numpy as np
import pytest

from angularpu.cli.main import main
from angularpu.files import lock, unfinished
from angularpu_bench.run.experiment import Experiment

pytestmark = pytest.mark.filterwarnings("ignore")  # of Ray's own code
SECONDS = 300
SPEC = """
seeds = 2
methods = ["angular", "elkan_noto"]
[budget]
epochs = 2
encoder = "linear"
[[datasets]]
name = "gaussians"
track = "table"
[[sweeps]]
option = "labelled"
values = [3000]
"""
TIMING = {"seconds", "memory_mb"}


@pytest.fixture
def spec(tmp_path):
    path = tmp_path / "tiny.toml"
    path.write_text(SPEC)
    return path


def read_table(folder):
    with (folder / "tiny.csv").open(newline="") as file:
        return [{key: row[key] for key in row if key not in TIMING} for row in csv.DictReader(file)]


def read_scores(experiment):
    done = [cell for cell in experiment.cells if experiment.store.is_finished(cell)]
    return {cell.key: experiment.store.read_scores(cell) for cell in done}


def test_a_node_lost_in_the_middle_of_an_experiment_leaves_the_results_of_one_machine(nodes, spec, tmp_path):
    there = Experiment.open(spec, runs=tmp_path / "there", results=tmp_path / "results-there")
    with ExitStack() as held:
        for cell in there.cells[:2]:  # so that each node has one in hand when the second is killed
            held.enter_context(lock(unfinished(there.store.part(cell).with_suffix(".ray"))))
        words = ["bench", "run", spec, "--runs", there.store.runs, "--results", there.table.parent]
        command = nodes.start(*words, "--engine", "ray")
        nodes.wait_for(lambda: nodes.work("run a cell"), command)
        nodes.kill_second()
    said = command.communicate(timeout=SECONDS)[1]
    assert command.returncode == 1, said  # two cells ask for more labels than there are positives
    assert "tiny: 6 cells, 4 done, 2 failed, 0 left" in said
    here = Experiment.open(spec, runs=tmp_path / "here", results=tmp_path / "results-here")
    words = ["bench", "run", str(spec), "--runs", str(here.store.runs), "--results", str(here.table.parent)]
    assert main([*words, "--jobs", "2"]) == 1
    assert read_table(there.table.parent) == read_table(here.table.parent)
    ours, theirs = read_scores(here), read_scores(there)
    assert len(ours) == 4
    for key, arrays in ours.items():
        for name, array in arrays.items():
            np.testing.assert_array_equal(theirs[key][name], array)
    assert not list(there.store.runs.rglob("*~"))


def test_jobs_are_of_this_machine_and_an_experiment_without_ray_says_what_to_install(spec, tmp_path, capsys):
    words = ["bench", "run", str(spec), "--runs", str(tmp_path / "runs"), "--engine", "ray"]
    assert main([*words, "--jobs", "2"]) == 2
    assert "with engine='ray' its machines decide" in capsys.readouterr().err
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "ray", None)
        assert main(words) == 2
    assert "pip install 'angularpu[ray]'" in capsys.readouterr().err
