import numpy as np
import pytest
from scipy.special import logit

from angularpu.classical.elkan_noto import ElkanNoto


def make_rows(probability_pos, probability_unl):
    x = np.concatenate([probability_pos, probability_unl])[:, None]
    return x, (np.arange(len(x)) < len(probability_pos)).astype(np.int8)


def test_the_label_frequency_is_the_mean_probability_of_the_positives_held_out(oracle):
    x, s = make_rows(np.linspace(0.3, 0.7, 10), np.linspace(0.0, 0.5, 20))
    model = ElkanNoto(base=oracle, share=0.3).fit(x, s, rng=np.random.default_rng(0))
    trained = set(model.parts()["classifier"].x_[:, 0])
    held = [p for p in x[:10, 0] if p not in trained]
    assert model.numbers() == {"label_freq": pytest.approx(np.mean(held)), "held_pos": 3}
    assert len(trained) == 7 + 14


def test_the_score_is_zero_where_half_of_the_label_frequency_is_reached(oracle):
    x, s = make_rows(np.full(10, 0.5), np.linspace(0.0, 0.5, 20))
    model = ElkanNoto(base=oracle).fit(x, s, rng=np.random.default_rng(0))
    score = model.score(np.array([[0.25], [0.5], [0.8]]))
    np.testing.assert_allclose(score, logit([0.25, 0.5, 0.8]) - logit(0.25), atol=1e-12)


def test_rows_beyond_the_label_frequency_keep_their_order(oracle):
    x, s = make_rows(np.full(10, 0.2), np.linspace(0.0, 0.2, 20))
    model = ElkanNoto(base=oracle).fit(x, s, rng=np.random.default_rng(0))
    assert np.all(np.diff(model.score(np.linspace(0.1, 0.9, 9)[:, None])) > 0)


def test_with_few_rows_one_of_each_kind_is_held_out(oracle):
    x, s = make_rows(np.full(2, 0.5), np.full(2, 0.1))
    model = ElkanNoto(base=oracle).fit(x, s, rng=np.random.default_rng(0))
    assert model.parts()["classifier"].y_.tolist() == [1, 0]
