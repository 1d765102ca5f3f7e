"""Settings that one spec's results choose for another."""

import csv

import pytest

from angularpu.cli.main import main
from angularpu.errors import SettingError
from angularpu_bench.run.chosen import choose_settings, read_search
from angularpu_bench.run.collect import read_table, write_table
from angularpu_bench.run.experiment import Experiment
from angularpu_bench.spec.grid import expand
from angularpu_bench.spec.spec_file import parse_spec

DATA = '[[datasets]]\nname = "gaussians"\ntrack = "table"\nbudget = {epochs = 1, encoder = "linear"}\n'
SEARCH = f'seeds = 1\n{DATA}[[sweeps]]\noption = "learning_rate"\nvalues = [1e-4, 1e-2]\n'
SEARCH += 'methods = ["angular", "naive"]\n'
FAIR = f'seeds = 2\nchosen_by = "search"\nmethods = ["angular", "naive", "spy"]\n{DATA}'
FAIR += '[[variants]]\nname = "slow"\nmethod = "angular"\noptions = {learning_rate = 1e-5}\n'
GAUSSIANS = ("table", "gaussians", "angular")


@pytest.fixture
def cells():
    sweep = {"option": "learning_rate", "values": [1e-4, 3e-4, 1e-3]}
    table = {"seeds": 1, "sweeps": [sweep], "datasets": [{"name": "gaussians", "track": "table"}]}
    return expand(parse_spec(table, name="search"))


@pytest.fixture
def write(tmp_path, cells):
    """A function that writes the table of the search, with a PU-AUC for each of its values."""

    def write(*values, status="ok"):
        rows = [
            {
                **dict(zip(("track", "dataset", "method", "variant", "seed", "hash"), map(str, cell.key), strict=True)),
                "pu_auc": str(value),
                "auc": str(1 - value),  # what the truth says must not matter
                "status": status,
            }
            for cell, value in zip(cells, values, strict=False)
        ]
        write_table(tmp_path / "search.csv", rows)
        return tmp_path / "search.csv"

    return write


def test_the_value_whose_held_out_rows_rank_best_is_chosen(cells, write):
    assert choose_settings(cells, write(0.7, 0.9, 0.8)).chosen == {GAUSSIANS: {"learning_rate": 3e-4}}
    assert choose_settings(cells, write(0.9, 0.9, 0.8)).chosen == {GAUSSIANS: {"learning_rate": 1e-4}}


def test_a_search_that_has_not_ended_chooses_nothing(cells, write, tmp_path):
    for table in (write(0.7, 0.9), write(0.7, 0.9, 0.8, status="it failed"), tmp_path / "absent.csv"):
        search = choose_settings(cells, table)
        assert not search.chosen
        assert search.waiting == {GAUSSIANS}


def test_a_spec_that_chooses_has_sweeps_alone(tmp_path):
    table = {"seeds": 1, "methods": ["angular"], "datasets": [{"name": "gaussians", "track": "table"}]}
    with pytest.raises(SettingError, match="no value of a sweep"):
        choose_settings(expand(parse_spec(table, name="search")), tmp_path / "search.csv")


def test_a_search_that_is_not_there_is_named(tmp_path):
    with pytest.raises(SettingError, match=r"there is no .*lost\.toml"):
        read_search("lost", beside=tmp_path / "fair.toml", results=tmp_path)


def test_a_real_search_sets_the_options_of_the_cells_that_waited_for_it(tmp_path, capsys):
    for name, text in (("search", SEARCH), ("fair", FAIR)):
        (tmp_path / f"{name}.toml").write_text(text)
    runs = ["--runs", str(tmp_path / "runs")]
    assert main(["bench", "status", str(tmp_path / "fair.toml"), *runs]) == 0
    assert capsys.readouterr().out == "fair: 2 cells, 0 done, 0 failed, 2 left, 6 more wait for a search\n"
    assert main(["bench", "run", str(tmp_path / "search.toml"), *runs]) == 0
    with (tmp_path / "results" / "search.csv").open(newline="") as file:
        found = {(row["method"], row["variant"]): float(row["pu_auc"]) for row in csv.DictReader(file)}
    experiment = Experiment.open(tmp_path / "fair.toml", runs=tmp_path / "runs", results=None)
    assert experiment.waiting == 0
    rates = {(cell.method, cell.variant): cell.options.get("learning_rate") for cell in experiment.cells}
    for method in ("angular", "naive"):
        best = max((1e-4, 1e-2), key=lambda rate: found[method, f"learning_rate={rate:g}"])
        assert rates[method, ""] == best
    assert rates["angular", "slow"] == 1e-5  # a row's own option
    assert rates["spy", ""] is None


def test_what_the_search_has_run_is_not_run_again(tmp_path, capsys):
    for name, text in (("search", SEARCH), ("fair", FAIR)):
        (tmp_path / f"{name}.toml").write_text(text)
    results = tmp_path / "results"
    assert main(["bench", "run", str(tmp_path / "search.toml"), "--runs", str(tmp_path / "runs")]) == 0
    fair = [str(tmp_path / "fair.toml"), "--runs", str(tmp_path / "other")]  # a machine that has the tables alone
    assert main(["bench", "status", *fair]) == 0
    assert capsys.readouterr().out.endswith("fair: 8 cells, 2 done, 0 failed, 6 left\n")
    assert main(["bench", "collect", *fair]) == 0
    searched = {row["hash"]: row for row in read_table(results / "search.csv").values()}
    rows = list(read_table(results / "fair.csv").values())
    assert sorted((row["method"], row["variant"], row["seed"]) for row in rows) == [
        ("angular", "", "0"),
        ("naive", "", "0"),
    ]
    for row in rows:
        assert row == {**searched[row["hash"]], "spec": "fair", "variant": ""}
