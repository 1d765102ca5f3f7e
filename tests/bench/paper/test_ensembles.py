"""The ensemble's section: paired with the main tables by draw, and a share of the gap where there is one."""

from angularpu_bench.paper.evidence import Evidence
from angularpu_bench.paper.sections.ensembles import make_section
from angularpu_bench.paper.sections.ensembles_summary import rank_everything
from angularpu_bench.report.results import Result, Results


def rows(spec, method, values):
    return [
        Result(spec, "table", "spam", method, "", seed, {"auc": auc, "best_f1": auc, "f1_pu": auc})
        for seed, auc in values.items()
    ]


def make(supervised=1.0):
    found = [
        *rows("ensembles", "ensemble", {0: 0.9, 7: 0.1}),  # the second has no partner
        *rows("main", "naive", {0: 0.8, 1: 0.1}),
        *rows("main", "angular", {0: 0.85, 1: 0.1}),
        *rows("main", "oracle_pn", {0: supervised, 1: 0.1}),
    ]
    *_, table = make_section(Evidence(Results(tuple(found)), published=())).parts
    return [field.text for field in table.rows[0]]


def test_only_draws_that_all_have_count_and_the_share_is_of_their_means():
    assert make() == ["Spambase", "AUC", "1", "0.8000", "0.8500", "0.9000", "1.0000", "0.25", "0.50"]


def test_a_gap_that_is_too_small_has_no_share():
    assert make(supervised=0.805)[-2:] == ["-", "-"]


def test_a_second_data_set_is_summed_up_in_shares_ranks_and_distance_to_the_best_member():
    def on(dataset, ensemble, member):
        values = {"ensemble": ensemble, "extra_trees": member, "naive": 0.6, "angular": 0.7, "oracle_pn": 1.0}
        return [
            Result(
                "main" if method in ("naive", "angular", "oracle_pn") else "ensembles",
                "table",
                dataset,
                method,
                "",
                0,
                {"auc": auc, "best_f1": auc, "f1_pu": auc},
            )
            for method, auc in values.items()
        ]

    found = Results((*on("spam", 0.9, 0.95), *on("letter", 0.78, 0.7)))
    leaderboard, ranks, picture, _, shares, members, _ = make_section(Evidence(found, published=())).parts
    of_ensemble = next(row for row in shares.rows if row[1].text == "Ensemble")
    assert [field.text for field in of_ensemble[:3]] == ["chose", "Ensemble", "0.60 (2)"]
    assert [row[-1].text for row in members.rows] == ["-0.0500", "0.0800"]
    assert members.notes == ("On average +0.0150 over 2 data sets.",)
    assert (ranks.rows[0][0].text, ranks.rows[0][1].text) == ("Ensemble", "1.50")
    assert (leaderboard.name, picture.name) == ("leaderboard", "ranks-ensembles")


def test_a_method_that_lacks_a_data_set_is_not_ranked():
    found = Results(
        (
            *rows("ensembles", "ensemble", {0: 0.9}),
            *rows("ensembles", "extra_trees", {0: 0.8}),
            Result("ensembles", "table", "letter", "ensemble", "", 0, {"auc": 0.9}),
        )
    )
    assert rank_everything(found, Results(())) == []


def test_few_labels_have_a_table_of_their_own_and_stay_out_of_the_others():
    few = [
        Result("ensembles-few", "table", "spam", method, f"labelled={n}", 0, {"auc": auc})
        for n, values in {30: (0.7, 0.8), 100: (0.9, 0.8)}.items()
        for method, auc in zip(("ensemble", "bagging"), values, strict=True)
    ]
    found = Results((*few, *rows("ensembles", "ensemble", {0: 0.9})))
    *_, members, _, table = make_section(Evidence(found, published=())).parts
    assert [[field.text for field in row] for row in table.rows] == [
        ["Spambase", "30", "1", "0.7000", "0.8000", "-0.1000"],
        ["Spambase", "100", "1", "0.9000", "0.8000", "0.1000"],
    ]
    assert not members.rows
