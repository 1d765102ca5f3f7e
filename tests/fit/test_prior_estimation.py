"""From a sample to estimates of its prior."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

from angularpu.errors import DataError, SettingError
from angularpu.fit import prior_estimation
from angularpu.fit.out_of_fold import score_out_of_fold
from angularpu.fit.prior_estimation import estimate_prior, estimate_priors
from angularpu.methods.neural import NeuralMethod
from angularpu.metrics.ranking import auc
from angularpu.priors.table import ESTIMATORS
from angularpu.scenario.sample import PUSample, make_sample
from angularpu.train.settings import Settings

ALPHA = 0.4


def draw(n_pos: int = 200, n_unl: int = 500, *, scenario: str = "one-sample", apart: float = 4.0) -> PUSample:
    rng = np.random.default_rng(0)
    y = np.concatenate([np.ones(n_pos), np.arange(n_unl) < ALPHA * n_unl])
    x = rng.normal(size=(n_pos + n_unl, 3)) + apart * y[:, None] / np.sqrt(3)
    return make_sample(x, np.arange(n_pos + n_unl) < n_pos, scenario=scenario)


@pytest.fixture(scope="module")
def estimates():
    with pytest.MonkeyPatch.context() as patch:  # the intervals' precision is not what is tested here
        patch.setattr(prior_estimation, "SCORE_DRAWS", 20)
        patch.setattr(prior_estimation, "ROW_DRAWS", 2)
        for name in ("ANGULAR", "TEDN"):
            method = getattr(prior_estimation, name)
            patch.setattr(prior_estimation, name, replace(method, settings=Settings(epochs=10, learning_rate=1e-3)))
        return _estimate_all()


def _estimate_all():
    return {each.name: each for each in estimate_priors(draw(100, 250))}


def test_every_estimator_of_the_table_gives_an_estimate(estimates):
    assert set(estimates) == set(ESTIMATORS)
    for each in estimates.values():
        assert 0 <= each.low <= each.high <= 1


@pytest.mark.parametrize("name", ["bbe", "tedn", "dedpul"])
def test_the_share_is_found_where_classes_are_well_apart(estimates, name):
    assert estimates[name].alpha == pytest.approx(ALPHA, abs=0.1)
    assert estimates[name].low <= estimates[name].alpha <= estimates[name].high


@pytest.mark.parametrize("name", ["tice", "km2"])
def test_estimators_of_rows_lie_in_their_intervals_however_few_the_draws(estimates, name):
    assert estimates[name].low <= estimates[name].alpha <= estimates[name].high


def test_with_many_positives_tedn_scores_every_row_by_a_network_that_did_not_see_it(monkeypatch):
    quick = replace(prior_estimation.TEDN, settings=Settings(epochs=3, learning_rate=1e-3))
    monkeypatch.setattr(prior_estimation, "TEDN", quick)
    monkeypatch.setattr(prior_estimation, "SCORE_DRAWS", 2)
    seen, train = [], NeuralMethod.train

    def watched(self, part, *args, **options):
        seen.append(part)
        return train(self, part, *args, **options)

    monkeypatch.setattr(NeuralMethod, "train", watched)
    sample = draw(1000, 600)
    assert estimate_prior(sample, "tedn").alpha == pytest.approx(ALPHA, abs=0.08)
    assert [(part.n_pos, part.n_unl) for part in seen] == [(800, 480)] * 5


def test_prior_and_label_frequency_follow_the_scenario(estimates):
    one, two = estimates["bbe"], estimate_prior(draw(100, 250, scenario="two-sample"))
    assert one.alpha == two.alpha == two.prior
    assert one.prior == pytest.approx((100 + one.alpha * 250) / 350)
    assert one.label_freq == pytest.approx(100 / (100 + one.alpha * 250))


def test_equal_seeds_give_equal_estimates():
    assert estimate_prior(draw(), "dedpul", seed=3) == estimate_prior(draw(), "dedpul", seed=3)


@pytest.mark.parametrize("classifier", [None, LogisticRegression(), LinearSVC()])
def test_out_of_fold_scores_tell_labelled_from_unlabelled(classifier):
    sample = draw()
    made = score_out_of_fold(sample, classifier=classifier)
    assert (len(made.score_pos), len(made.score_unl)) == (sample.n_pos, sample.n_unl)
    assert auc(made.score_pos, made.score_unl) == pytest.approx(ALPHA / 2 + 1 - ALPHA, abs=0.06)


def test_pure_noise_is_not_told_apart_so_no_row_scored_itself():
    rng = np.random.default_rng(1)
    noise = make_sample(rng.normal(size=(400, 5)), np.arange(400) < 100, scenario="one-sample")
    made = score_out_of_fold(noise)
    assert auc(made.score_pos, made.score_unl) == pytest.approx(0.5, abs=0.12)


def test_sparse_rows_and_images_have_a_classifier_of_their_own():
    dense = draw(60, 120)
    x = dense.rows.take(np.arange(180))
    sparse = make_sample(sp.csr_matrix(np.maximum(x, 0)), dense.s, scenario="one-sample")
    images = make_sample(x.reshape(-1, 3, 1, 1).astype(np.float32), dense.s, scenario="one-sample")
    for sample in (sparse, images):
        made = score_out_of_fold(sample)
        assert auc(made.score_pos, made.score_unl) > 0.6


def test_too_few_positives_are_an_error_not_a_number():
    with pytest.raises(DataError, match="at least 10 labelled positives, got 5"):
        estimate_prior(draw(5, 50))
    with pytest.raises(SettingError, match="two labelled positives"):
        estimate_prior(draw(1, 50))


def test_an_unknown_estimator_names_the_nearest():
    with pytest.raises(SettingError, match="'bbe'"):
        estimate_prior(draw(), "bb")
