import numpy as np
import pytest

from angularpu import make_sample
from angularpu.methods import many_rows
from angularpu.methods.many_rows import score_matrix, thin_unlabelled


def five_each(n_pos):
    return 5 * n_pos


@pytest.fixture
def sample(monkeypatch):
    """Ten labelled positives, two reviewed rows and many others, scored seven at a time."""
    monkeypatch.setattr(many_rows, "AT_A_TIME", 7)
    reviews = np.full(200, "", object)
    reviews[[150, 151]] = "positive", "negative"
    return make_sample(np.zeros((200, 1)), np.arange(200) < 10, scenario="one-sample", reviews=reviews)


def test_labelled_and_reviewed_rows_are_always_learnt_from(sample):
    rows = thin_unlabelled(np.arange(200), sample, most=five_each, seed=(0, 6, 1))
    assert {*range(10), 150, 151} <= set(rows.tolist())
    assert len(rows) == 10 + 2 + 50  # five per labelled positive
    assert (np.diff(rows) > 0).all()


def test_another_seed_draws_other_rows_and_the_same_one_the_same(sample):
    first, again, other = (
        thin_unlabelled(np.arange(200), sample, most=five_each, seed=(0, 6, fold)) for fold in (1, 1, 2)
    )
    assert (first == again).all()
    assert (first != other).any()


def test_few_rows_are_all_learnt_from(sample):
    few = np.arange(60)
    assert thin_unlabelled(few, sample, most=five_each, seed=(0,)) is few


def test_a_matrix_is_scored_in_pieces(sample):
    class Doubled:
        sizes = ()

        def score(self, x):
            self.sizes += (len(x),)
            return (2 * x[:, 0]).astype(np.float32)

    scorer, x = Doubled(), np.arange(40.0)[:, None]
    assert score_matrix(scorer, x, np.arange(20, 0, -1)).tolist() == [2.0 * i for i in range(20, 0, -1)]
    assert scorer.sizes == (7, 7, 6)
    assert len(score_matrix(scorer, x, np.empty(0, np.int64))) == 0
