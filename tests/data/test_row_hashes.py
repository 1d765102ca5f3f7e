import numpy as np
import scipy.sparse as sp

from angularpu.data.row_hashes import hash_rows


def test_equal_rows_have_equal_numbers_in_any_form_and_others_differ():
    rng = np.random.default_rng(0)
    x = (rng.random((40_000, 17)) < 0.5).astype(np.float32)
    distinct, place = np.unique(x, axis=0, return_inverse=True)
    hashes = hash_rows(x)
    assert len(np.unique(hashes)) == len(distinct) > 30_000
    np.testing.assert_array_equal(hash_rows(distinct)[place], hashes)
    np.testing.assert_array_equal(hash_rows(sp.csr_matrix(x)), hashes)
    np.testing.assert_array_equal(hash_rows(sp.csr_matrix((3, 17), dtype=np.float32)), hash_rows(x[:3] * 0))


def test_the_numbers_stay_what_they_are_in_saved_models():
    x = np.array([[1.5, -0.0, 3], [0, 2, -1]], np.float32)
    assert hash_rows(x).tolist() == hash_rows(x + 0).tolist() == [4254437248612043131, 6556699403480723942]


def test_images_are_rows_too():
    x = np.arange(24, dtype=np.float32).reshape(2, 3, 2, 2)
    np.testing.assert_array_equal(hash_rows(x), hash_rows(x.reshape(2, 12)))
