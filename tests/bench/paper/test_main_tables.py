import math
from dataclasses import replace

import numpy as np
import pytest

from angularpu_bench.paper.evidence import Evidence
from angularpu_bench.paper.sections import main_tables
from angularpu_bench.paper.sections.overview import draw_overview
from angularpu_bench.report.results import Results
from angularpu_bench.report.table import Table


@pytest.fixture
def aucs():
    return {
        "angular": [0.9, 0.92, 0.91],
        "nnpu": [0.88, 0.9, 0.85],
        "naive": [0.8, 0.82, 0.81],
        "oracle_pn": [0.99] * 3,
    }


@pytest.fixture
def make(fields):
    """A function that returns the rows of both tables of a data set, joined by name."""

    def make(rows, published):
        ranking, decisions = main_tables.make_tables(rows, published)
        return {name: {**row, **fields(decisions)[name]} for name, row in fields(ranking).items()}

    return make


def test_means_differences_and_the_gap_by_hand(make_rows, published, aucs, make):
    table = make(make_rows(aucs), published)
    assert table["nnPU"]["AUC"].text == "0.8767 ± 0.0252"
    difference = table["nnPU"]["AUC minus AngularPU's [95 %]"]
    assert difference.value == pytest.approx((-0.02 - 0.02 - 0.06) / 3)
    assert difference.text == "-0.0333 [-0.0907, +0.0240], p 0.130"
    assert table["AngularPU"]["AUC minus AngularPU's [95 %]"].text == "-"
    assert table["AngularPU"]["share of gap"].value == pytest.approx((0.91 - 0.81) / (0.99 - 0.81))
    assert table["Naive"]["share of gap"].value == 0
    assert table["AngularPU"]["implied prior"].value == pytest.approx(0.25)
    assert (table["nnPU"]["prior"].text, table["AngularPU"]["prior"].text) == ("given", "-")


def test_the_best_is_bold_and_true_classes_do_not_compete(make_rows, published, aucs, make):
    table = make(make_rows(aucs), published)
    for column in ("AUC", "AP", "F1, oracle threshold", "F1, PU-valid threshold"):
        assert [name for name, row in table.items() if row[column].bold] == ["AngularPU"]
    assert not any(row["recall, oracle threshold"].bold for row in table.values())


def test_decisions_are_shown_at_both_cuts_beside_the_published_ones(make_rows, published, aucs, fields):
    rows = make_rows(aucs, dataset="svhn", track="features")
    ranking, decisions = main_tables.make_tables(rows, published)
    assert decisions.title == ""
    assert decisions.columns[1:4] == (
        "accuracy, oracle threshold",
        "published accuracy",
        "accuracy, PU-valid threshold",
    )
    shown = fields(decisions)
    assert list(shown) == list(fields(ranking))
    row = shown["AngularPU"]
    chosen = ("oracle threshold", "PU-valid threshold")
    assert [row[f"precision, {how}"].value for how in chosen] == pytest.approx([0.8, 0.8])
    assert [row[f"recall, {how}"].value for how in chosen] == pytest.approx([0.9, 0.8])
    printed = published.row("main", "SVHN", "AngularPU (Ours)")
    for metric in ("accuracy", "precision", "recall", "f1"):
        column = "published F1" if metric == "f1" else f"published {metric}"
        assert row[column].value == printed[metric].mean


def test_a_data_set_that_was_not_published_has_no_columns_for_it(make_rows, published, aucs):
    for table in main_tables.make_tables(make_rows(aucs), published):
        assert not [column for column in table.columns if "published" in column]


def test_published_numbers_stand_beside_ours_with_their_marks(make_rows, published, aucs, make):
    rows = make_rows(aucs, dataset="cifar10", track="features")
    ours = make(rows, published)
    assert ours["AngularPU"]["published F1"].text == "0.9287 ± 0.0071"
    assert len(ours["AngularPU"]["published F1"].marks) == 2
    assert ours["AngularPU"]["published implied prior"].value == pytest.approx(0.6, abs=0.001)
    assert ours["nnPU"]["published AUC"].marks == ()
    assert ours["VPU"]["seeds"].text == "not run"
    assert ours["VPU"]["published AUC"].text.startswith("0.9455")
    assert main_tables.make_tables(rows, published)[0].marks


def test_swapped_classes_have_only_the_rows_that_were_scored_so(make_rows, published, aucs, make):
    table = make(make_rows(aucs, dataset="cifar10-animals"), published)
    assert table["AngularPU"]["published F1"].text.startswith("0.9287")
    assert table["Dense-PU"]["seeds"].text == "not run"
    assert table["nnPU"]["published F1"].text == "-"
    assert "VPU" not in table


def test_the_row_as_published_stands_second_and_is_no_rival(make_rows, published, aucs, make):
    rows = make_rows(aucs, dataset="svhn")
    paper = make_rows({"angular": [0.95, 0.96, 0.94]}, dataset="svhn", variant="paper")
    alone, both = make(rows, published), make(Results((*rows, *paper)), published)
    name = "AngularPU, as published"
    assert list(both)[:2] == ["AngularPU", name]
    assert alone[name]["seeds"].text == "not run"
    assert both[name]["AUC"].value == pytest.approx(0.95)
    assert both[name]["share of gap"].value == pytest.approx((0.95 - 0.81) / (0.99 - 0.81))
    assert both[name]["published AUC"] == both["AngularPU"]["published AUC"]
    assert not any(field.bold for field in both[name].values())
    assert both["AngularPU"]["AUC"].bold
    for rival in ("nnPU", "Naive", "Oracle PN"):  # a further row would weaken their corrected p-values
        column = "AUC minus AngularPU's [95 %]"
        assert both[rival][column] == alone[rival][column]


def test_the_row_as_published_is_ranked_in_the_place_of_angularpu_only(make_rows, aucs, fields):
    datasets = ("spam", "letter")
    rows = [make_rows(aucs, dataset=name) for name in datasets]
    rows += [make_rows({"angular": [0.7]}, dataset=name, variant="paper") for name in datasets]
    leaders, forest, table, _ = draw_overview(Results(tuple(row for part in rows for row in part)), name="main-table")
    assert {row[1]: row[2] for row in leaders.numbers}["AngularPU"] == 1
    gaps = {(dataset, method): difference for dataset, method, difference, *_ in forest.numbers}
    expected = np.mean(aucs["naive"]) - np.mean(aucs["angular"])
    assert gaps["spam", "naive"] == gaps["letter", "naive"] == pytest.approx(expected)
    assert not {method for _, method in gaps} & {"angular", "paper"}
    assert fields(table)["AngularPU"]["average rank"].value == 1
    assert "AngularPU, as published" not in fields(table)
    assert any("in AngularPU's place its average rank is 3.00" in note for note in table.notes)


def test_a_failure_is_counted_and_told(make_rows, published, aucs, fields):
    rows = list(make_rows(aucs))
    rows[3] = replace(rows[3], status="loss is not finite", metrics={})
    table, _ = main_tables.make_tables(Results(tuple(rows)), published)
    assert fields(table)["nnPU"]["seeds"].text == "2 of 3"
    assert "Failed: nnPU, seed 0: loss is not finite" in table.notes


def test_a_method_that_only_failed_keeps_its_row(make_rows, published, make):
    rows = [replace(row, status="boom", metrics={}) for row in make_rows({"vpu": [0.9]})]
    table = make(Results(tuple(rows)), published)
    assert table["VPU"]["seeds"].text == "0 of 1"
    assert math.isnan(table["VPU"]["AUC"].value)


def test_warnings_are_repeated_once(make_rows, published, aucs):
    rows = [replace(row, warnings="not the official file") for row in make_rows(aucs)]
    table, _ = main_tables.make_tables(Results(tuple(rows)), published)
    assert table.notes.count("Warning: not the official file") == 1


def test_tracks_and_specs_are_never_mixed(make_rows, published, aucs, fields):
    rows = (
        *make_rows(aucs, dataset="cifar10", track="features"),
        *make_rows(aucs, dataset="cifar10", track="scratch", spec="mine"),
        *make_rows(aucs),
    )
    section = main_tables.make_section(Evidence(Results(rows), published))
    titles = [part.title for part in section.parts if isinstance(part, Table) and part.title]
    assert [title.rsplit(", ", 1)[1] for title in titles] == ["features track", "table track", "scratch track"]
    assert all(
        row["seeds"].text in {"3", "not run"}
        for part in section.parts
        if isinstance(part, Table) and part.title
        for row in fields(part).values()
    )


def test_without_results_the_section_says_so(published):
    section = main_tables.make_section(Evidence(Results(()), published))
    assert section.parts[0].startswith("No results yet")


def test_the_draw_is_described_without_rows_that_know_all_labels(make_rows, published, aucs):
    others = make_rows({"angular": aucs["angular"], "naive": aucs["naive"]})
    rows = Results((*others, *make_rows({"oracle_pn": [0.99]}, n_pos=1600)))
    table, _ = main_tables.make_tables(rows, published)
    assert table.notes[0].startswith("Labelled positives 200, unlabelled 3000")
