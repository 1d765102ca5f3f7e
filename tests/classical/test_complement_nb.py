import numpy as np
import pytest
import scipy.sparse as sp

from angularpu import ComplementNBPUClassifier, load
from angularpu.classical.complement_nb import ComplementNB
from angularpu.errors import DataError


@pytest.fixture
def counts():
    """Sparse counts of six words in 300 rows, half of them positive, and 80 of these labelled."""
    rng = np.random.default_rng(0)
    rates = np.where((np.arange(300) < 150)[:, None], [3, 2, 1, 1, 2, 0.1], [1, 1, 2, 3, 2, 0.1])
    return sp.csr_matrix(rng.poisson(rates).astype(np.float32)), (np.arange(300) < 80).astype(np.int8)


def test_a_word_weighs_the_log_of_its_share_in_the_one_less_that_in_the_other(counts):
    x, s = counts
    count_pos, count_unl = (x[s == label].toarray().sum(axis=0) + 0.5 for label in (1, 0))
    weight = np.log(count_pos / count_pos.sum()) - np.log(count_unl / count_unl.sum())
    score = ComplementNB(smoothing=0.5).fit(x, s, rng=np.random.default_rng(0)).score(x)
    np.testing.assert_allclose(score, x @ weight, atol=1e-4)


def test_long_rows_are_still_told_apart(counts):
    x, s = counts
    model = ComplementNB().fit(x, s, rng=np.random.default_rng(0))
    long, longer = model.score(sp.csr_matrix([[100.0, 0, 0, 0, 0, 0], [200.0, 0, 0, 0, 0, 0]]))
    assert longer == pytest.approx(2 * long)
    assert long > 40


def test_negative_numbers_are_refused_in_one_sentence():
    with pytest.raises(DataError, match=r"^complement naive Bayes takes rows without negative numbers, got -2; pass"):
        ComplementNB().fit(sp.csr_matrix([[1.0, -2.0]] * 8), np.repeat([1, 0], 4), rng=np.random.default_rng(0))


def test_the_classifier_takes_sparse_rows_and_refuses_dense_ones_which_are_centred(counts, tmp_path):
    x, s = counts
    model = ComplementNBPUClassifier(prior=0.5).fit(x, s)
    model.save(tmp_path / "m")
    again = load(tmp_path / "m")
    assert again.score_samples(x).tobytes() == model.score_samples(x).tobytes()
    with pytest.raises(DataError, match="pass counts or tf-idf as a sparse matrix"):
        ComplementNBPUClassifier(prior=0.5).fit(x.toarray(), s)
