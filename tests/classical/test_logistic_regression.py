import numpy as np
import pytest
import scipy.sparse as sp
from scipy.optimize import minimize
from scipy.special import expit

from angularpu.classical.logistic_regression import LogisticRegression, choose_penalty
from angularpu.metrics.pu import pu_auc


def test_it_minimises_the_balanced_logistic_loss_with_its_penalty(draw_gaussians):
    x, s, _ = draw_gaussians(n_pos=60, n_unl=240)
    weight = np.where(s == 1, 300 / (2 * 60), 300 / (2 * 240))

    def loss(theta):
        margin = np.where(s == 1, 1, -1) * (x @ theta[:-1] + theta[-1])
        return 0.1 * (weight * np.logaddexp(0, -margin)).sum() + (theta[:-1] ** 2).sum() / 2

    theta = minimize(loss, np.zeros(5), method="BFGS", options={"gtol": 1e-4}).x
    model = LogisticRegression(C=0.1).fit(x, s, rng=np.random.default_rng(0))
    np.testing.assert_allclose(model.score(x), x @ theta[:-1] + theta[-1], atol=0.02)
    assert model.numbers() == {"C": 0.1}


def test_scores_beyond_what_a_probability_can_tell_apart_still_differ():
    x = np.repeat([[10.0], [0.0]], 50, axis=0).astype(np.float32)
    model = LogisticRegression(C=10).fit(x, (np.arange(100) < 50).astype(np.int8), rng=np.random.default_rng(0))
    far, farther = model.score(np.array([[500.0], [1000.0]], np.float32))
    assert expit(far) == expit(farther) == 1
    assert farther > 1.5 * far


def test_the_chosen_penalty_is_that_of_the_highest_held_out_pu_auc(draw_gaussians):
    x, s, _ = draw_gaussians(n_pos=40, n_unl=160, separation=1.0, columns=60)
    rng = np.random.default_rng(5)
    pos, unl = (rng.permutation(np.flatnonzero(s == label)) for label in (1, 0))
    train = np.sort(np.concatenate([pos[8:], unl[32:]]))
    quality = {}
    for candidate in (1e-4, 1e-3, 1e-2, 1e-1):
        model = LogisticRegression(C=candidate).fit(x[train], s[train], rng=rng)
        quality[candidate] = pu_auc(model.score(x[pos[:8]]), model.score(x[unl[:32]]))
    chosen = choose_penalty(x, s, rng=np.random.default_rng(5))
    assert quality[chosen] == pytest.approx(max(quality.values()), abs=0.01)  # a warm start ends elsewhere by a hair
    assert max(quality.values()) > min(quality.values()) + 0.02


def test_weaker_penalties_are_tried_for_sparse_rows(monkeypatch):
    tried = []

    def note(score_pos, score_unl):
        tried.append(len(score_pos))
        return float(len(tried))  # each weaker penalty seems better, so the weakest is taken

    monkeypatch.setattr("angularpu.classical.logistic_regression.pu_auc", note)
    x = np.random.default_rng(0).random((40, 3)).astype(np.float32)
    s = (np.arange(40) < 20).astype(np.int8)
    chosen = [choose_penalty(rows, s, rng=np.random.default_rng(0)) for rows in (x, sp.csr_matrix(x))]
    assert chosen == [0.1, 10.0]
    assert tried == [4] * 10  # a fifth of 20 positives, for four penalties and for six
