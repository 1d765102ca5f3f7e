import numpy as np

from angularpu import estimate_prior, make_sample
from angularpu.fit import many_rows
from angularpu.fit.many_rows import draw_sample


def make(rng, n=3000):
    y = rng.random(n) < 0.5
    s = y & (rng.random(n) < 0.3)
    return make_sample(rng.normal(size=(n, 3)) + 4.0 * y[:, None], s, scenario="one-sample")


def test_an_estimate_from_a_draw_is_near_that_from_all_rows_and_counts_them_all(monkeypatch):
    sample = make(np.random.default_rng(0))
    whole = estimate_prior(sample, "elkan_noto")
    monkeypatch.setattr(many_rows, "MOST_UNLABELLED", 800)
    monkeypatch.setattr(many_rows, "PER_POSITIVE", 1)
    drawn = draw_sample(sample, seed=0)
    assert (drawn.n_pos, drawn.n_unl) == (sample.n_pos, 800)
    estimate = estimate_prior(sample, "elkan_noto")
    assert abs(estimate.alpha - whole.alpha) < 0.05
    expected = (sample.n_pos + estimate.alpha * sample.n_unl) / len(sample.s)
    np.testing.assert_allclose(estimate.prior, expected)


def test_a_draw_keeps_rows_with_their_labels(monkeypatch):
    sample = make(np.random.default_rng(1))
    monkeypatch.setattr(many_rows, "MOST_POSITIVES", 20)
    monkeypatch.setattr(many_rows, "MOST_UNLABELLED", 50)
    drawn = draw_sample(sample, seed=3)
    assert (drawn.n_pos, drawn.n_unl, drawn.rows.in_memory) == (20, 100, True)
    everything = {row.tobytes(): label for row, label in zip(sample.rows.array, sample.s, strict=True)}
    assert all(everything[row.tobytes()] == label for row, label in zip(drawn.rows.array, drawn.s, strict=True))
