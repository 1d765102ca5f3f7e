import math

import pytest

from angularpu.errors import DataError
from angularpu_bench.report.results import Result, Results, read_results


def test_what_was_written_is_read_again(tmp_path, make_rows, write_rows):
    rows = make_rows({"angular": [0.9, 0.8]})
    write_rows(tmp_path / "main.csv", rows)
    read = read_results(tmp_path)
    assert [(row.method, row.seed, row.metrics["auc"]) for row in read] == [("angular", 0, 0.9), ("angular", 1, 0.8)]
    assert math.isnan(read_results(tmp_path).rows[0].metrics.get("brier", math.nan))


def test_files_of_points_are_not_results(tmp_path, make_rows, write_rows):
    write_rows(tmp_path / "main.csv", make_rows({"angular": [0.9]}))
    (tmp_path / "scores.csv").write_text("dataset,panel\n")
    assert len(read_results(tmp_path)) == 1


def test_an_empty_directory_has_no_results_and_one_that_is_not_there_is_refused(tmp_path):
    assert len(read_results(tmp_path)) == 0
    with pytest.raises(DataError, match=r"no directory .*absent"):
        read_results(tmp_path / "absent")


def test_a_failed_row_has_no_metrics_but_its_reason(tmp_path, write_rows):
    write_rows(tmp_path / "main.csv", Results((Result("main", "table", "spam", "vpu", "", 0, {}, "out of memory"),)))
    (row,) = read_results(tmp_path)
    assert row.status == "out of memory"
    assert len(read_results(tmp_path).values("auc")) == 0


def test_a_file_without_a_column_is_refused_by_name(tmp_path):
    (tmp_path / "main.csv").write_text("spec,track\nmain,table\n")
    with pytest.raises(DataError, match=r"main\.csv lacks the column dataset"):
        read_results(tmp_path)


def test_a_metric_that_is_no_number_is_refused_with_its_line(tmp_path, make_rows, write_rows):
    write_rows(tmp_path / "main.csv", make_rows({"angular": [0.9, 0.8125]}))
    text = (tmp_path / "main.csv").read_text().replace("0.8125", "good", 1)
    (tmp_path / "main.csv").write_text(text)
    with pytest.raises(DataError, match="line 3"):
        read_results(tmp_path)


@pytest.mark.parametrize(
    ("spec", "kind", "branch"),
    [
        ("main", "main", ""),
        ("ablation-published", "ablation", "published"),
        ("sensitivity-published_learnt", "sensitivity", "published_learnt"),
        ("choices-check", "choices", "check"),
        ("blocks", "blocks", ""),
        ("mine-own", "main", "own"),
    ],
)
def test_a_spec_belongs_to_the_experiment_its_name_begins_with(spec, kind, branch):
    row = Result(spec, "table", "spam", "vpu", "", 0, {})
    assert (row.kind, row.branch) == (kind, branch)


@pytest.mark.parametrize(("variant", "parameter"), [("kappa=3", "kappa"), ("margin=learnable", ""), ("full", "")])
def test_only_a_number_is_a_varied_setting(variant, parameter):
    assert Result("sensitivity", "table", "spam", "angular", variant, 0, {}).parameter == parameter


def test_draws_are_paired_by_data_set_and_seed(make_rows):
    rows = Results((*make_rows({"vpu": [0.9, math.nan]}), *make_rows({"vpu": [0.7]}, dataset="letter")))
    assert rows.by_draw("auc") == {("spam", 0): 0.9, ("letter", 0): 0.7}
