"""The fair table's section: who leads, the shares of the gap, an estimated prior, and what the search chose."""

from pathlib import Path

import pytest
from matplotlib.figure import Figure

from angularpu.figures.picture import Picture
from angularpu_bench.paper.evidence import Evidence
from angularpu_bench.paper.sections.fair import compare_priors, list_chosen, make_section, rank, stand
from angularpu_bench.report.names import FOLD_MEAN
from angularpu_bench.report.results import Result, Results
from angularpu_bench.report.table import Table
from angularpu_bench.spec.spec_file import read_spec

EXPERIMENTS = Path(__file__).parents[3] / "experiments"
AUCS = {"naive": 0.8, "angular": 0.85, FOLD_MEAN: 0.86, "nnpu": 0.84, "ensemble": 0.9, "oracle_pn": 0.9}


def make(aucs, *, spec="fair", dataset="spam", track="table", seeds=2, pu_auc=0.5):
    rows = []
    for label, auc in aucs.items():
        method, variant = ("angular", label) if label == FOLD_MEAN or "=" in label else (label, "")
        for seed in range(seeds):
            metrics = {"auc": auc, "best_f1": auc, "f1_pu": auc - 0.1, "pu_auc": pu_auc}
            rows.append(Result(spec, track, dataset, method, variant, seed, metrics))
    return rows


@pytest.fixture
def table():
    return Results((*make(AUCS), *make({**AUCS, "nnpu": 0.88}, dataset="cifar10", track="features")))


def test_the_section_begins_with_the_leaderboard_and_the_shares(table, published):
    parts = make_section(Evidence(table, published)).parts
    pictures = [part for part in parts if isinstance(part, Picture)]
    assert [picture.name for picture in pictures] == ["leaderboard-fair", "ranks-fair", "shares"]
    for picture in pictures:
        picture.draw(Figure())
    titles = [part.title for part in parts if isinstance(part, Table)]
    assert titles[:2] == [
        "Average ranks by AUC over 2 data sets (fair)",
        "Share of the gap from naive to supervised (fair)",
    ]
    assert [title for title in titles[2:] if title] == [
        "CIFAR-10, vehicles, features track (fair)",
        "Spambase, table track (fair)",
    ]


def test_methods_are_ranked_on_the_data_sets_that_all_of_them_have(table):
    _, ranks, _ = rank(table)
    assert [(row[0].text, row[1].text) for row in ranks.rows][:2] == [
        ("Ensemble", "1.00"),
        ("AngularPU, mean of five folds", "2.50"),
    ]
    assert "Supervised" not in {row[0].text for row in ranks.rows}
    half = Results((*table, *make({"pusb": 0.99})))
    assert "PUSB (given the prior)" not in {row[0].text for row in rank(half)[1].rows}


def test_two_groupings_of_the_same_images_have_one_share_between_them(table):
    again = make({**AUCS, "angular": 0.9}, dataset="cifar10-animals", track="features")
    (standing,) = [
        each
        for each in stand(Results((*table, *again)), Results(()), "auc")
        if (each.row, each.kind) == ("angular", "image features")
    ]
    assert standing.shares == pytest.approx({"cifar10": 0.75})


def test_fine_tuned_rows_stand_beside_but_not_rows_that_only_they_have(table):
    tuned = make({**AUCS, "no-weights": 0.7}, spec="blocks", dataset="stl10", track="finetune")
    standings = stand(table, Results(tuple(tuned)), "auc")
    of = {(each.row, each.kind): each.mean for each in standings}
    assert of["ensemble", "fine-tuned"] == pytest.approx(1)
    assert not any(row == "no-weights" for row, _ in of)


def test_an_estimated_prior_is_compared_with_the_true_one_draw_by_draw(table):
    estimated = Results(tuple(make({"nnpu": 0.8}, spec="fair-estimated")))
    (row,) = compare_priors(table, estimated).rows
    assert [field.text for field in row] == ["nnPU", "-0.0400", "-0.0400"]


def test_the_search_shows_the_rate_with_the_highest_held_out_pu_auc_the_lowest_of_equals():
    found = [
        row
        for rate, judged in ((0.001, 0.7), (0.0001, 0.6), (0.0003, 0.7))
        for row in make({f"learning_rate={rate}": 0.9}, spec="search", seeds=1, pu_auc=judged)
    ]
    (row,) = list_chosen(Results(tuple(found))).rows
    assert [field.text for field in row] == ["AngularPU", "0.0003"]


def test_without_results_it_says_which_command_makes_them(published):
    (text,) = make_section(Evidence(Results(()), published)).parts
    assert "experiments/fair.toml" in text


def test_the_spec_calls_the_fold_mean_as_the_report_does():
    assert FOLD_MEAN in {variant.name for variant in read_spec(EXPERIMENTS / "fair.toml").variants}
