import numpy as np
import pytest
from scipy.special import logit
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

from angularpu.classical.bagging import Bagging
from angularpu.errors import ModelError, SettingError


def test_each_member_learns_all_positives_against_as_many_drawn_rows(oracle):
    x, s = np.linspace(0, 1, 30)[:, None], (np.arange(30) < 5).astype(np.int8)
    members = Bagging(base=oracle, rounds=4).fit(x, s, rng=np.random.default_rng(0)).parts()
    draws = [member.x_[member.y_ == 0, 0] for member in members.values()]
    for member, draw in zip(members.values(), draws, strict=True):
        np.testing.assert_array_equal(member.x_[member.y_ == 1, 0], x[:5, 0])
        assert len(draw) == 5
        assert np.isin(draw, x[5:, 0]).all()
    assert len({tuple(draw) for draw in draws}) == 4


def test_more_rows_are_drawn_than_there_are_because_each_goes_back(oracle):
    x, s = np.linspace(0, 1, 8)[:, None], (np.arange(8) < 5).astype(np.int8)
    model = Bagging(base=oracle, rounds=1, size=50).fit(x, s, rng=np.random.default_rng(0))
    assert len(model.parts()["member_0000"].y_) == 55
    assert model.numbers() == {"size": 50}


def test_the_score_is_the_log_odds_of_the_mean_probability(draw_gaussians):
    x, s, _ = draw_gaussians()
    model = Bagging(base=LogisticRegression(), rounds=3).fit(x, s, rng=np.random.default_rng(0))
    mean = np.mean([member.predict_proba(x)[:, 1] for member in model.parts().values()], axis=0)
    np.testing.assert_allclose(model.score(x), logit(mean), atol=1e-5)


def test_decision_values_are_averaged_where_there_are_no_probabilities(draw_gaussians):
    x, s, _ = draw_gaussians()
    model = Bagging(base=LinearSVC(), rounds=3).fit(x, s, rng=np.random.default_rng(0))
    mean = np.mean([member.decision_function(x) for member in model.parts().values()], axis=0)
    np.testing.assert_allclose(model.score(x), mean, rtol=1e-12)


def test_out_of_bag_scores_leave_out_the_rounds_that_drew_the_row(draw_gaussians):
    x, s, _ = draw_gaussians(n_pos=10, n_unl=20)
    model = Bagging(base=LogisticRegression(), rounds=4).fit(x, s, rng=np.random.default_rng(0))
    rng, votes = np.random.default_rng(0), [[] for _ in range(30)]
    for member in model.parts().values():
        drawn = set(rng.choice(np.arange(10, 30), 10).tolist())
        rng.integers(2**31)  # the member's random_state
        for row in set(range(10, 30)) - drawn:
            votes[row].append(member.predict_proba(x[[row]])[0, 1])
    expected = [logit(np.mean(vote)) if vote else np.nan for vote in votes]
    np.testing.assert_allclose(model.out_of_bag(x), expected, atol=1e-5)
    assert np.isnan(model.out_of_bag(x)[:10]).all()


def test_out_of_bag_scores_are_refused_after_loading(draw_gaussians, store):
    x, s, _ = draw_gaussians(n_pos=10, n_unl=20)
    model = Bagging(base=LogisticRegression(), rounds=2).fit(x, s, rng=np.random.default_rng(0))
    loaded = Bagging.from_parts(store(model.parts()), model.numbers(), **model.options())
    with pytest.raises(ModelError, match="not saved"):
        loaded.out_of_bag(x)


@pytest.mark.parametrize("options", [{"rounds": 0}, {"size": 0}])
def test_nothing_to_draw_is_refused(options):
    with pytest.raises(SettingError, match="at least 1"):
        Bagging(**options)
