"""The ensemble's section: paired with the main tables by draw, and a share of the gap where there is one."""

from angularpu_bench.paper.evidence import Evidence
from angularpu_bench.paper.sections.ensembles import make_section
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
    (_, table) = make_section(Evidence(Results(tuple(found)), published=())).parts
    return [field.text for field in table.rows[0]]


def test_only_draws_that_all_have_count_and_the_share_is_of_their_means():
    assert make() == ["Spambase", "AUC", "1", "0.8000", "0.8500", "0.9000", "1.0000", "0.25", "0.50"]


def test_a_gap_that_is_too_small_has_no_share():
    assert make(supervised=0.805)[-2:] == ["-", "-"]
