import dataclasses

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from angularpu.classical.bagging import Bagging
from angularpu.classical.boosting import PUBoosting
from angularpu.classical.elkan_noto import ElkanNoto
from angularpu.classical.rank_pruning import RankPruning
from angularpu.classical.spy import Spy
from angularpu.classical.weighted_elkan_noto import WeightedElkanNoto
from angularpu.errors import DataError, ModelError, SettingError


def test_fit_returns_a_fitted_copy_and_leaves_the_options_as_they_were(draw_gaussians):
    x, s, _ = draw_gaussians(n_pos=20, n_unl=40)
    method = Spy(base=LogisticRegression())
    fitted = method.fit(x, s, rng=np.random.default_rng(0))
    assert fitted.score(x).shape == (60,)
    with pytest.raises(ModelError, match="not fitted"):
        method.score(x)


def test_options_cannot_be_changed_and_are_given_by_name_only():
    with pytest.raises(dataclasses.FrozenInstanceError):
        Spy().noise = 0.3
    with pytest.raises(TypeError):
        Spy(0.3)


def test_options_are_ready_for_json_and_leave_the_base_out():
    assert PUBoosting(alpha=0.3, base=LogisticRegression()).options() == {"alpha": 0.3, "rounds": 2, "folds": 3}


@pytest.mark.parametrize("n_pos", [1, 3])
def test_one_row_of_a_kind_is_refused(n_pos):
    x, s = np.zeros((4, 1), np.float32), (np.arange(4) < n_pos).astype(np.int8)
    with pytest.raises(DataError, match="two labelled positives"):
        ElkanNoto().fit(x, s, rng=np.random.default_rng(0))


@pytest.mark.parametrize(
    "make",
    [
        lambda: ElkanNoto(share=0.0),
        lambda: Spy(noise=1.0),
        lambda: Spy(share=1.5),
        lambda: PUBoosting(alpha=1.3),
        lambda: PUBoosting(alpha=float("nan")),
        lambda: PUBoosting(alpha=0.3, rounds=-1),
        lambda: RankPruning(folds=1),
    ],
)
def test_an_option_out_of_its_range_is_refused_when_the_method_is_made(make):
    with pytest.raises(SettingError, match="must"):
        make()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Bagging(rounds=2.5), "rounds must be a whole number of at least 1, got 2.5"),
        (lambda: Bagging(size=True), "size must be a whole number of at least 1, got True"),
        (lambda: WeightedElkanNoto(folds="5"), "folds must be a whole number of at least 2, got '5'"),
        (lambda: RankPruning(folds=3.0), "folds must be a whole number of at least 2, got 3.0"),
        (lambda: ElkanNoto(share="x"), r"share must lie in \(0, 1\), got 'x'"),
        (lambda: Spy(noise=None), r"noise must lie in \(0, 1\), got None"),
    ],
)
def test_an_option_of_the_wrong_kind_is_refused_in_one_sentence(make, message):
    with pytest.raises(SettingError, match=f"^{message}$"):
        make()
