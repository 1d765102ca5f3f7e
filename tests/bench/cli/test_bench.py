import pytest

from angularpu.cli.main import main
from angularpu_bench.run.experiment import Experiment

SPEC = """
seeds = 1
methods = ["{method}"]
datasets = [{{name = "gaussians", track = "table"}}]
"""


@pytest.fixture
def runs(tmp_path, monkeypatch):
    """A directory of runs in which no cell may be run."""
    monkeypatch.setattr("angularpu_bench.run.experiment.run_cells", lambda *a, **k: pytest.fail("a cell was run"))
    return tmp_path / "runs"


def write_spec(folder, name, *, method="naive"):
    path = folder / f"{name}.toml"
    path.write_text(SPEC.format(method=method))
    return str(path)


def test_a_typo_in_the_second_path_is_told_before_the_first_spec_is_run(tmp_path, runs, capsys):
    arguments = [write_spec(tmp_path, "first"), str(tmp_path / "secnod.toml"), "--runs", str(runs)]
    assert main(["bench", "run", *arguments]) == 2
    assert "secnod.toml: No such file" in capsys.readouterr().err


def test_a_mistake_in_the_second_spec_is_told_before_the_first_is_run(tmp_path, runs, capsys):
    arguments = [write_spec(tmp_path, "first"), write_spec(tmp_path, "second", method="naiv"), "--runs", str(runs)]
    assert main(["bench", "run", *arguments]) == 2
    assert "second.toml: method 'naiv' is unknown" in capsys.readouterr().err


def test_a_word_that_the_second_spec_lacks_is_told_with_its_path_before_the_first_is_run(tmp_path, runs, capsys):
    first, second = write_spec(tmp_path, "first"), write_spec(tmp_path, "second", method="nnpu")
    assert main(["bench", "run", first, second, "--only", "naive", "--runs", str(runs)]) == 2
    assert "second.toml: no cell has 'naive'" in capsys.readouterr().err


def test_a_dry_run_counts_failed_cells_when_they_are_to_be_tried_again(tmp_path, runs, capsys):
    spec = write_spec(tmp_path, "tiny")
    experiment = Experiment.open(tmp_path / "tiny.toml", runs=runs, results=None)
    experiment.store.fail(experiment.cells[0], "no luck", details="")
    counted = []
    for retry in ([], ["--retry"]):
        assert main(["bench", "run", spec, "--dry-run", *retry, "--runs", str(runs)]) == 0
        counted.append(capsys.readouterr().out.splitlines()[-1].split("cells,")[1].split())
    assert counted == [["0", "to", "run"], ["1", "to", "run"]]
