"""Networks learn from reviews; what estimates rest on stays as the labels were drawn."""

import numpy as np
import pytest

from angularpu import AngularPUClassifier
from angularpu.data.prepare.preparation import fit_preparation
from angularpu.methods.table import METHODS
from angularpu.scenario.sample import make_sample
from angularpu.train.fitting import make_task
from angularpu.train.prepared_rows import prepare_rows

N = 300


def make_rows(seed=0):
    rng = np.random.default_rng(seed)
    y = np.arange(N) < 120
    x = rng.normal(size=(N, 4)).astype(np.float32) + 1.5 * y[:, None]
    return x, (np.arange(N) < 40).astype(int), y


def review(y, rows):
    words = np.full(N, "", object)
    words[rows] = np.where(y[rows], "positive", "negative")
    return words


def test_held_out_rows_are_as_labelled_and_learnt_rows_as_reviewed():
    x, s, y = make_rows()
    sample = make_sample(x, s, scenario="one-sample", reviews=review(y, np.array([100, 200, 250])))
    task = make_task(sample, prepare_rows(sample.rows, fit_preparation(sample.rows)))
    part = task.split(np.arange(0, N, 2), np.arange(1, N, 2))
    assert {100} <= set(part.pos)
    assert {200, 250} == set(part.neg)
    assert not {100, 200, 250} & set(part.unl)
    other = task.split(np.arange(1, N, 2), np.arange(0, N, 2))
    assert {100, 200, 250} <= set(other.held_unl)
    assert 100 not in other.held_pos
    assert len(other.neg) == 0
    assert 100 not in other.pos


def test_a_row_found_negative_scores_lower_than_it_did_and_one_found_positive_higher():
    x, s, y = make_rows()
    kind = {"epochs": 8, "learning_rate": 1e-3, "validation": "folds", "refit": True}
    before = AngularPUClassifier(**kind).fit(x, s)
    rows = np.arange(60, 240, 2)
    after = AngularPUClassifier(**kind).fit(x, s, reviews=review(y, rows))
    change = np.argsort(np.argsort(after.score_samples(x))) - np.argsort(np.argsort(before.score_samples(x)))
    assert change[rows][~y[rows]].mean() < 0 < change[rows][y[rows]].mean()
    assert (after.fitted_.held.n_pos, after.fitted_.held.n_unl) == (40, 260)
    assert len(after.fitted_.held.score_pos) == 40
    assert any("reviews: 30 rows found positive and 60 found negative" in note for note in after.notes_)


@pytest.mark.parametrize("name", ["angular", "naive", "upu", "nnpu", "pusb", "imbpu", "vpu", "dist_pu"])
def test_these_methods_have_a_term_for_negatives(name):
    assert METHODS[name].load().learns_from_negatives


def test_a_user_s_own_sample_has_its_own_reviews():
    x, s, y = make_rows()
    sample = make_sample(x, s, scenario="one-sample")
    with pytest.raises(Exception, match="its own labels and reviews"):
        AngularPUClassifier().fit(sample, reviews=review(y, np.array([100])))
