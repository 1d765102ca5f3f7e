import inspect

import numpy as np
import pytest

from angularpu.errors import DataError, SettingError
from angularpu.priors.alpha import Alpha
from angularpu.priors.estimate import PriorEstimate, describe
from angularpu.priors.table import ESTIMATORS, find_estimator, warn_disagreement

OPTIONS = {
    "elkan_noto": lambda pos, unl: {"n_pos": len(pos), "n_unl": len(unl)},
    "vmf": lambda *_: {"d": 8},
    "km2": lambda *_: {"rng": np.random.default_rng(0), "most": 200},
}


def run(name, pos, unl):
    """Feed flat numbers in [-1, 1] to any estimator: as scores, as cosines, or as rows of one column."""
    if find_estimator(name).needs == "rows":
        pos, unl = pos[..., None], unl[..., None]
    return find_estimator(name).load()(pos, unl, **OPTIONS.get(name, lambda *_: {})(pos, unl))


@pytest.fixture
def groups():
    rng = np.random.default_rng(0)
    return rng.uniform(0.5, 1, 300), np.append(rng.uniform(0.5, 1, 240), rng.uniform(-1, 0.4, 560))


@pytest.mark.parametrize("name", ESTIMATORS)
def test_every_estimator_returns_a_share_with_finite_diagnostics(name, groups):
    found = run(name, *groups)
    assert type(found) is Alpha
    assert 0 <= found.alpha <= 1
    assert found.diagnostics
    assert all(type(value) is float and np.isfinite(value) for value in found.diagnostics.values())


@pytest.mark.parametrize("name", ["bbe", "dedpul", "tice", "km2"])
def test_separated_groups_of_any_shape_give_about_the_share(name, groups):
    assert run(name, *groups).alpha == pytest.approx(0.3, abs=0.08)


@pytest.mark.parametrize("name", ESTIMATORS)
def test_single_precision_gives_nearly_the_same(name, groups):
    single = run(name, *(group.astype(np.float32) for group in groups)).alpha
    assert single == pytest.approx(run(name, *groups).alpha, abs=2e-3)


@pytest.mark.parametrize("name", [name for name, each in ESTIMATORS.items() if each.needs != "rows"])
def test_the_order_of_rows_does_not_matter(name, groups):
    turned = run(name, *(group[::-1] for group in groups))
    assert turned.alpha == pytest.approx(run(name, *groups).alpha, abs=1e-9)


@pytest.mark.parametrize("name", ESTIMATORS)
def test_nine_positives_are_too_few(name, groups):
    with pytest.raises(DataError, match="at least 10 labelled positives, got 9"):
        run(name, groups[0][:9], groups[1])


@pytest.mark.parametrize("name", ESTIMATORS)
def test_equal_scores_are_refused(name):
    with pytest.raises(DataError, match=r"all 50 (scores|rows)"):
        run(name, np.full(20, 0.5), np.full(30, 0.5))


@pytest.mark.parametrize("name", ESTIMATORS)
@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_numbers_that_are_none_are_refused(name, bad, groups):
    with pytest.raises(DataError, match="NaN or infinite"):
        run(name, groups[0], np.append(groups[1], bad))


@pytest.mark.parametrize("name", ESTIMATORS)
def test_an_empty_group_is_refused(name, groups):
    with pytest.raises(DataError, match="shape"):
        run(name, groups[0], np.empty(0))


@pytest.mark.parametrize("name", ESTIMATORS)
def test_positives_that_all_tie_are_no_trouble(name, groups):
    assert 0 <= run(name, np.full(50, 0.7), groups[1]).alpha <= 1


@pytest.mark.parametrize("name", [name for name in ESTIMATORS if name != "km2"])
def test_p_and_u_alike_give_a_high_share_and_say_that_it_is_a_bound(name):
    rng = np.random.default_rng(3)
    pos, unl = rng.uniform(-1, 1, 500) ** 3, rng.uniform(-1, 1, 2000) ** 3
    if name == "elkan_noto":  # a classifier that sees no difference says the base rate
        pos, unl = pos / 100 - np.log(4), unl / 100 - np.log(4)
    found = run(name, pos, unl)
    assert any("upper bound" in note for note in found.notes)
    assert found.alpha > 0.8


def test_every_estimator_takes_two_groups_then_keywords_only():
    for name, estimator in ESTIMATORS.items():
        kinds = [each.kind for each in inspect.signature(estimator.load()).parameters.values()]
        assert len(kinds) >= 2, name
        assert all(kind is inspect.Parameter.KEYWORD_ONLY for kind in kinds[2:]), name
        assert estimator.summary.endswith(".")
        assert estimator.reference


def test_a_misspelt_name_is_answered_with_the_nearest():
    with pytest.raises(SettingError, match=r"'dedpull' is unknown; .*did you mean 'dedpul'\?"):
        find_estimator("dedpull")


def estimates(**alphas):
    return [PriorEstimate(name, alpha, alpha, 0.5, 0.0, 1.0, {}, ()) for name, alpha in alphas.items()]


def test_far_apart_estimates_raise_a_warning():
    assert "bbe 0.50, tedn 0.30" in warn_disagreement(estimates(bbe=0.5, tedn=0.3, km2=0.9))


@pytest.mark.parametrize("alphas", [{"bbe": 0.5, "dedpul": 0.36}, {"bbe": 0.5, "km2": 0.1, "tice": 0.9}, {"tice": 0.1}])
def test_near_estimates_and_those_not_counted_raise_none(alphas):
    assert warn_disagreement(estimates(**alphas)) is None


def test_an_estimate_at_the_edge_says_so():
    found = describe(Alpha(1.0), name="bbe", low=0.9, high=1.0, n_pos=100, n_unl=400, scenario="two-sample")
    assert found.prior == 1
    assert any("edge" in note for note in found.notes)


def test_an_estimate_becomes_json_types():
    alpha = Alpha(0.25, {"threshold": 1.5}, ("a note",))
    found = describe(alpha, name="bbe", low=0.2, high=0.3, n_pos=100, n_unl=400, scenario="one-sample")
    assert found.to_json() == {
        "name": "bbe",
        "alpha": 0.25,
        "prior": 0.4,
        "label_freq": 0.5,
        "low": 0.2,
        "high": 0.3,
        "diagnostics": {"threshold": 1.5},
        "notes": ["a note"],
    }
