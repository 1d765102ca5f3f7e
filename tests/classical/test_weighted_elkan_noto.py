import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from angularpu.classical.weighted_elkan_noto import WeightedElkanNoto, weigh_unlabelled

SHARE = st.floats(0.01, 0.99)


def test_each_unlabelled_row_enters_as_both_and_each_labelled_row_once(oracle):
    g = np.array([0.4, 0.6, 0.1, 0.2, 0.5])
    s = np.array([1, 1, 0, 0, 0], np.int8)
    model = WeightedElkanNoto(base=oracle).fit(g[:, None], s, rng=np.random.default_rng(0))
    assert model.numbers()["label_freq"] == pytest.approx(0.5)
    w = [1 / 9, 1 / 4, 1.0]  # (1 - c)/c = 1 times the odds
    inside = model.parts()["classifier"]
    np.testing.assert_array_equal(inside.x_[:, 0], [0.4, 0.6, 0.1, 0.2, 0.5, 0.1, 0.2, 0.5])
    assert inside.y_.tolist() == [1, 1, 1, 1, 1, 0, 0, 0]
    np.testing.assert_allclose(inside.weight_, [1, 1, *w, *(1 - np.array(w))], atol=1e-12)
    assert model.numbers()["alpha"] == pytest.approx(np.mean(w))


@settings(deadline=None)
@given(posterior=SHARE, label_freq=SHARE)
def test_the_weight_is_the_posterior_of_an_unlabelled_row(posterior, label_freq):
    """P(y=1|x, s=0) = (1 - c) p/(1 - c p) by Bayes, from g = c p."""
    w = weigh_unlabelled(np.array([label_freq * posterior]), label_freq)
    assert w[0] == pytest.approx((1 - label_freq) * posterior / (1 - label_freq * posterior))


def test_certain_labels_weigh_one():
    assert weigh_unlabelled(np.array([1.0]), 0.5).tolist() == [1.0]
