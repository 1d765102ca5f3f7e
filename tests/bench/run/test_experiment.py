import csv
import fcntl
import os
import random
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from angularpu.cli.main import main
from angularpu.errors import BusyError
from angularpu_bench.run.experiment import Experiment, run

TINY = """
seeds = {seeds}
methods = {methods}
[budget]
epochs = 2
encoder = "linear"
[[datasets]]
name = "gaussians"
track = "table"
"""
SWEEP = """
[[sweeps]]
option = "labelled"
values = [3000]
"""
TIMING = {"seconds", "memory_mb"}


def write_spec(folder, *, methods=("angular",), seeds=1, more=""):
    path = folder / "tiny.toml"
    path.write_text(TINY.format(seeds=seeds, methods=list(methods)) + more)
    return path


def read(path):
    with path.open(newline="") as file:
        return [{key: row[key] for key in row if key not in TIMING} for row in csv.DictReader(file)]


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    """A spec that was run in two processes: two of its cells end well, one cannot."""
    folder = tmp_path_factory.mktemp("bench")
    spec = write_spec(folder, methods=["angular", "elkan_noto"], more=SWEEP)
    code = main(["bench", "run", str(spec), "--jobs", "2", "--runs", str(folder / "runs")])
    return folder, spec, code


def test_a_failure_is_kept_and_shown_and_the_others_go_on(ran, capsys):
    folder, spec, code = ran
    assert code == 1
    rows = {(row["method"], row["variant"]): row["status"] for row in read(folder / "results" / "tiny.csv")}
    assert rows.pop(("angular", "labelled=3000")).startswith("cannot label 3000 rows")
    assert rows == {("angular", ""): "ok", ("elkan_noto", ""): "ok"}
    assert main(["bench", "status", str(spec), "--runs", str(folder / "runs")]) == 0
    shown = capsys.readouterr()
    assert "tiny: 3 cells, 2 done, 1 failed, 0 left" in shown.out
    assert "labelled=3000 seed 0: cannot label 3000 rows" in shown.err


def test_a_second_run_does_nothing_without_torch_and_in_under_five_seconds(ran):
    folder, spec, _ = ran
    before = {path: path.stat().st_mtime_ns for path in (folder / "runs").rglob("*")}
    table = (folder / "results" / "tiny.csv").read_bytes()
    arguments = ["bench", "run", str(spec), "--runs", str(folder / "runs"), "--only", "elkan_noto"]
    code = f"import sys; from angularpu.cli.main import main; sys.exit(main({arguments}) or 'torch' in sys.modules)"
    before_it = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run([sys.executable, "-c", code], check=True)
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before_it < 5  # of the processor, however busy it is
    assert {path: path.stat().st_mtime_ns for path in (folder / "runs").rglob("*")} == before
    assert (folder / "results" / "tiny.csv").read_bytes() == table


def test_committed_rows_count_as_done_on_another_machine(ran, tmp_path, monkeypatch):
    folder, spec, _ = ran
    monkeypatch.setattr("angularpu_bench.run.experiment.run_cells", lambda *a, **k: pytest.fail("a cell was run"))
    experiment = Experiment.open(spec, runs=tmp_path / "elsewhere", results=folder / "results")
    standing = run(experiment, data=None, only=["elkan_noto"])
    assert (len(standing.done), len(standing.left)) == (1, 0)


def test_figures_can_be_computed_anew_without_changing_the_table(ran):
    folder, spec, _ = ran
    table = (folder / "results" / "tiny.csv").read_bytes()
    assert main(["bench", "collect", str(spec), "--measure", "--runs", str(folder / "runs")]) == 0
    assert (folder / "results" / "tiny.csv").read_bytes() == table


def test_the_report_is_written_from_the_tables(ran, tmp_path, capsys):
    folder, _, _ = ran
    published = Path(__file__).parents[3] / "experiments" / "published.csv"
    arguments = ["--results", str(folder / "results"), "--published", str(published), "--out", str(tmp_path)]
    assert main(["bench", "report", *arguments]) == 0
    assert str(tmp_path / "results.md") in capsys.readouterr().out
    assert "gaussians" in (tmp_path / "results.md").read_text()


def test_a_dry_run_counts_and_leaves_nothing_behind(tmp_path, capsys):
    spec = write_spec(tmp_path, methods=["angular", "nnpu"], seeds=3)
    assert main(["bench", "run", str(spec), "--dry-run", "--runs", str(tmp_path / "runs")]) == 0
    assert "6 cells,     6 to run" in capsys.readouterr().out
    assert [path.name for path in tmp_path.iterdir()] == ["tiny.toml"]


def test_an_option_that_a_method_lacks_is_refused_before_anything_runs(tmp_path, capsys):
    spec = write_spec(tmp_path, more="[options.angular]\ncapa = 5.0\n")
    assert main(["bench", "run", str(spec), "--runs", str(tmp_path / "runs")]) == 2
    assert "option 'capa' is unknown; did you mean 'kappa'?" in capsys.readouterr().err
    assert not (tmp_path / "results").exists()


def test_a_long_run_writes_its_table_on_the_way(tmp_path, monkeypatch):
    monkeypatch.setattr("angularpu_bench.run.experiment.WRITE_EVERY", 0.0)
    path = write_spec(tmp_path, methods=["elkan_noto"], seeds=3)
    experiment = Experiment.open(path, runs=tmp_path / "runs", results=None)
    rows = []
    run(experiment, data=None, tell=lambda *_: rows.append(len(read(experiment.table))))
    assert rows == [1, 2, 3]


def test_two_runs_do_not_share_a_directory(tmp_path):
    experiment = Experiment.open(write_spec(tmp_path), runs=tmp_path / "runs", results=None)
    (tmp_path / "runs").mkdir()
    with (tmp_path / "runs" / ".lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        with pytest.raises(BusyError, match="another run is at work"):
            run(experiment, data=None)


def test_data_sets_without_a_directory_are_refused(tmp_path, capsys, monkeypatch):
    monkeypatch.delenv("ANGULARPU_DATA", raising=False)
    spec = tmp_path / "spam.toml"
    spec.write_text('seeds = 1\nmethods = ["angular"]\ndatasets = [{name = "spam", track = "table"}]\n')
    assert main(["bench", "run", str(spec), "--runs", str(tmp_path / "runs")]) == 2
    assert "--data" in capsys.readouterr().err


@pytest.mark.slow
def test_a_run_that_is_killed_twenty_times_ends_with_the_same_table(tmp_path):
    spec = write_spec(tmp_path, methods=["angular", "pubn", "elkan_noto"], seeds=12)
    rng = random.Random(0)

    def start(name):
        places = ["--runs", str(tmp_path / name), "--results", str(tmp_path / f"{name}-results")]
        arguments = [sys.executable, "-m", "angularpu", "bench", "run", str(spec), "--jobs", "2", *places]
        return subprocess.Popen(arguments, start_new_session=True)

    def list_files():
        return {(path, path.stat().st_mtime_ns) for path in (tmp_path / "killed").rglob("*") if path.exists()}

    assert start("whole").wait() == 0
    for _ in range(20):
        before, process = list_files(), start("killed")
        while list_files() == before:
            assert process.poll() is None, "nothing was left to be killed"
            time.sleep(0.01)
        time.sleep(rng.uniform(0, 0.4))
        if rng.random() < 0.5:
            os.killpg(process.pid, signal.SIGKILL)  # the processes with their parent
        process.kill()
        process.wait()
    assert start("killed").wait() == 0
    assert read(tmp_path / "killed-results" / "tiny.csv") == read(tmp_path / "whole-results" / "tiny.csv")
