"""Methods compared on the same folds: what is told of each, which cannot take part, and what is refused."""

import json

import numpy as np
import pytest
import scipy.sparse as sp

from angularpu.errors import DataError, SettingError
from angularpu.fit import compare_methods
from angularpu.fit.cross_fits import rank, rescale_blindly
from angularpu.fit.workflow import fit_method
from angularpu.methods.configure import configure, make_member
from angularpu.methods.ensemble import FOR_TABLES, deal_folds
from angularpu.metrics.pu import pu_auc
from angularpu.scenario.sample import make_sample

CHEAP = ["logistic_regression", "gradient_boosting"]


def draw(n=300, seed=0, labelled=6):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    x = rng.normal(size=(n, 3)) + 1.5 * y[:, None]
    return make_sample(x, np.arange(n) % labelled == 1, scenario="one-sample")


@pytest.fixture(scope="module")
def compared():
    return compare_methods(draw(), [*CHEAP, "ensemble"])


def test_the_best_comes_first_and_all_are_measured_against_it(compared):
    aucs = [each.pu_auc for each in compared.methods]
    assert aucs == sorted(aucs, reverse=True)
    assert [each.difference for each in compared.methods] == pytest.approx([auc - aucs[0] for auc in aucs])
    for each in compared.methods:
        assert each.pu_auc_low < each.pu_auc < each.pu_auc_high
        assert each.difference_low <= each.difference <= each.difference_high
        assert each.pu_auc < each.auc < 1
        assert each.worse == ((compared.methods[0].name, each.name) in compared.real)


def test_one_alpha_the_least_of_the_bounds_serves_all(compared):
    assert compared.shares.alpha == min(each.alpha for each in compared.methods)
    for each in compared.methods:
        f1 = 2 * each.decision.precision * each.decision.recall / (each.decision.precision + each.decision.recall)
        assert each.decision.f1 == pytest.approx(f1)


def test_the_ensemble_ranks_as_the_fitted_one_does_and_costs_what_its_members_cost(compared):
    held = fit_method(configure(method="ensemble", options={"members": CHEAP}), draw(), seed=0).held
    found = {each.name: each for each in compared.methods}
    assert found["ensemble"].pu_auc == pytest.approx(pu_auc(held.score_pos, held.score_unl), abs=0.02)
    assert found["ensemble"].seconds == pytest.approx(sum(found[name].seconds for name in CHEAP))


def test_equal_seeds_give_equal_results_but_for_the_seconds(compared):
    def strip(each):
        content = each.to_json()
        return json.dumps([{**method, "seconds": 0} for method in content.pop("methods")]) + json.dumps(content)

    assert strip(compare_methods(draw(), [*CHEAP, "ensemble"])) == strip(compared)


def test_scores_without_any_meaning_are_judged_as_such():
    rng = np.random.default_rng(0)
    aucs = []
    for _ in range(100):
        held = [(rng.normal(size=10).astype(np.float32), rng.normal(size=40).astype(np.float32)) for _ in range(5)]
        pos, unl = (np.concatenate(part) for part in zip(*(rank(*fold) for fold in rescale_blindly(held)), strict=True))
        aucs.append(pu_auc(pos, unl))
    assert np.mean(aucs) == pytest.approx(0.5, abs=0.015)  # three standard errors


def test_a_network_is_judged_after_the_epoch_that_other_folds_chose():
    rng = np.random.default_rng(0)
    sample = make_sample(rng.normal(size=(100, 3)), np.arange(100) % 4 == 1, scenario="one-sample")
    member = make_member("naive", {"epochs": 6}, prior="bbe")
    folds = deal_folds(sample, seed=0)[0]
    cross = member.cross_fit(sample, member.prepare(sample.rows), folds=folds, seed=0)
    chosen, unchosen = ([pu_auc(*scores) for scores in part] for part in (cross.held, cross.unchosen))
    assert all(auc <= best for auc, best in zip(unchosen, chosen, strict=True))
    assert sum(unchosen) < sum(chosen)


def test_a_stated_prior_is_what_f1_rests_on():
    compared = compare_methods(draw(), CHEAP, prior=0.5)
    assert compared.shares.prior == pytest.approx(0.5)
    assert not any("bounds" in note for note in compared.notes)


def test_a_method_that_needs_a_prior_gets_it():
    compared = compare_methods(draw(n=120), ["logistic_regression", "pu_boosting"], prior=0.5)
    assert compared.left_out == {}
    assert any("0.400 of the unlabelled rows positive (prior 0.5)" in note for note in compared.notes)


def test_an_estimator_that_nobody_needs_is_said_to_be_idle():
    assert any("tice was not asked" in note for note in compare_methods(draw(), CHEAP, prior="tice").notes)


def test_by_default_the_members_of_an_ensemble_are_compared_with_naive_and_their_sum():
    compared = compare_methods(draw(n=60, labelled=4))
    assert {each.name for each in compared.methods} == {*FOR_TABLES, "naive", "ensemble"}
    seconds = {each.name: each.seconds for each in compared.methods}
    assert seconds["ensemble"] == pytest.approx(sum(seconds[name] for name in FOR_TABLES))  # naive is no part of it


def test_methods_that_cannot_read_the_rows_are_listed_with_the_reason():
    rows = sp.random_array((80, 30), density=0.3, format="csr", rng=np.random.default_rng(0))
    sample = make_sample(-rows, np.arange(80) % 4 == 0, scenario="two-sample")
    compared = compare_methods(sample, ["logistic_regression", "gradient_boosting", "complement_nb", "ensemble"])
    assert [each.name for each in compared.methods] == ["logistic_regression"]
    assert compared.left_out["gradient_boosting"].startswith("gradient boosting cannot read sparse rows")
    assert "without negative numbers" in compared.left_out["complement_nb"]


def test_where_no_method_can_read_the_rows_the_reason_is_the_error():
    rows = -sp.random_array((40, 30), density=0.3, format="csr", rng=np.random.default_rng(0))
    sample = make_sample(rows, np.arange(40) % 4 == 0, scenario="one-sample")
    with pytest.raises(DataError, match="no method could be fitted: gradient boosting cannot read sparse rows"):
        compare_methods(sample, ["gradient_boosting", "complement_nb"])


def test_with_nine_positives_nothing_is_estimated_that_takes_ten():
    compared = compare_methods(draw(n=54), CHEAP)
    assert compared.shares is None
    assert {(each.auc, each.alpha, each.decision) for each in compared.methods} == {(None, None, None)}
    assert any("with 9 labelled positives only large differences" in note for note in compared.notes)


@pytest.mark.parametrize(
    ("methods", "options", "said"),
    [
        (["oracle_pn", "naive"], {}, "oracle_pn learns from true classes"),
        (["naive", "naiv"], {}, "did you mean 'naive'"),
        (["naive", "naive"], {}, "methods must differ"),
        (["naive"], {}, "two methods at least, got 'naive'"),
        ([], {}, "two methods at least, got none"),
        (["naive", "ensemble"], {}, "name two others at least"),
        (CHEAP, {"prior": 0.01}, "prior must lie in"),
        (CHEAP, {"prior": "bbb"}, "did you mean 'bbe'"),
    ],
)
def test_a_list_that_makes_no_comparison_is_refused_before_training(methods, options, said):
    with pytest.raises(SettingError, match=said):
        compare_methods(draw(), methods, **options)


def test_one_labelled_positive_is_refused():
    sample = make_sample(np.arange(20.0)[:, None], np.arange(20) == 3, scenario="one-sample")
    with pytest.raises(DataError, match="two labelled positives"):
        compare_methods(sample, CHEAP)
