import math
from dataclasses import replace

import pytest

from angularpu_bench.paper.evidence import Evidence
from angularpu_bench.paper.sections import main_tables
from angularpu_bench.report.results import Results
from angularpu_bench.report.table import Table


def fields(table):
    """Return a table as a dictionary of its rows, each a dictionary by column."""
    return {row[0].text: dict(zip(table.columns, row, strict=True)) for row in table.rows}


@pytest.fixture
def aucs():
    return {
        "angular": [0.9, 0.92, 0.91],
        "nnpu": [0.88, 0.9, 0.85],
        "naive": [0.8, 0.82, 0.81],
        "oracle_pn": [0.99] * 3,
    }


def test_means_differences_and_the_gap_by_hand(make_rows, published, aucs):
    table = fields(main_tables.make_table(make_rows(aucs), published))
    assert table["nnPU"]["AUC"].text == "0.8767 ± 0.0252"
    difference = table["nnPU"]["AUC minus AngularPU's [95 %]"]
    assert difference.value == pytest.approx((-0.02 - 0.02 - 0.06) / 3)
    assert difference.text.startswith("-0.0333 [-0.06")
    assert table["AngularPU"]["AUC minus AngularPU's [95 %]"].text == "-"
    assert table["AngularPU"]["share of gap"].value == pytest.approx((0.91 - 0.81) / (0.99 - 0.81))
    assert table["Naive"]["share of gap"].value == 0
    assert table["AngularPU"]["implied prior"].value == pytest.approx(0.25)
    assert (table["nnPU"]["prior"].text, table["AngularPU"]["prior"].text) == ("told", "-")


def test_the_best_is_bold_and_true_classes_do_not_compete(make_rows, published, aucs):
    table = fields(main_tables.make_table(make_rows(aucs), published))
    bold = [name for name, row in table.items() if row["AUC"].bold]
    assert bold == ["AngularPU"]
    assert not any(row["recall"].bold for row in table.values())


def test_published_numbers_stand_beside_ours_with_their_marks(make_rows, published, aucs):
    rows = make_rows(aucs, dataset="cifar10", track="features")
    table = main_tables.make_table(rows, published)
    ours = fields(table)
    assert ours["AngularPU"]["published F1"].text == "0.9287 ± 0.0071"
    assert len(ours["AngularPU"]["published F1"].marks) == 2
    assert ours["AngularPU"]["published implied prior"].value == pytest.approx(0.6, abs=0.001)
    assert ours["nnPU"]["published AUC"].marks == ()
    assert ours["VPU"]["seeds"].text == "not run"
    assert ours["VPU"]["published AUC"].text.startswith("0.9455")
    assert table.marks


def test_swapped_classes_have_only_the_rows_that_were_scored_so(make_rows, published, aucs):
    table = fields(main_tables.make_table(make_rows(aucs, dataset="cifar10-animals"), published))
    assert table["AngularPU"]["published F1"].text.startswith("0.9287")
    assert table["Dense-PU"]["seeds"].text == "not run"
    assert table["nnPU"]["published F1"].text == "-"
    assert "VPU" not in table


def test_a_failure_is_counted_and_told(make_rows, published, aucs):
    rows = list(make_rows(aucs))
    rows[3] = replace(rows[3], status="loss is not finite", metrics={})
    table = main_tables.make_table(Results(tuple(rows)), published)
    assert fields(table)["nnPU"]["seeds"].text == "2 of 3"
    assert "Failed: nnPU, seed 0: loss is not finite" in table.notes


def test_a_method_that_only_failed_keeps_its_row(make_rows, published):
    rows = [replace(row, status="boom", metrics={}) for row in make_rows({"vpu": [0.9]})]
    table = fields(main_tables.make_table(Results(tuple(rows)), published))
    assert table["VPU"]["seeds"].text == "0 of 1"
    assert math.isnan(table["VPU"]["AUC"].value)


def test_warnings_are_repeated_once(make_rows, published, aucs):
    rows = [replace(row, warnings="not the official file") for row in make_rows(aucs)]
    assert main_tables.make_table(Results(tuple(rows)), published).notes.count("Warning: not the official file") == 1


def test_tracks_and_specs_are_never_mixed(make_rows, published, aucs):
    rows = (
        *make_rows(aucs, dataset="cifar10", track="features"),
        *make_rows(aucs, dataset="cifar10", track="scratch", spec="mine"),
        *make_rows(aucs),
    )
    section = main_tables.make_section(Evidence(Results(rows), published))
    titles = [part.title for part in section.parts if isinstance(part, Table)]
    assert [title.rsplit(", ", 1)[1] for title in titles] == ["features track", "table track", "scratch track"]
    assert all(
        row["seeds"].text in {"3", "not run"}
        for part in section.parts
        if isinstance(part, Table)
        for row in fields(part).values()
    )


def test_without_results_the_section_says_so(published):
    section = main_tables.make_section(Evidence(Results(()), published))
    assert section.parts[0].startswith("No results yet")


def test_the_draw_is_described_without_rows_that_know_all_labels(make_rows, published, aucs):
    others = make_rows({"angular": aucs["angular"], "naive": aucs["naive"]})
    rows = Results((*others, *make_rows({"oracle_pn": [0.99]}, n_pos=1600)))
    assert main_tables.make_table(rows, published).notes[0].startswith("Labelled positives 200, unlabelled 3000")
