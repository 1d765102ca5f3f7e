from pathlib import Path

import numpy as np
import pytest

from angularpu.errors import DataError, SettingError
from angularpu_bench.run.rows import Places, draw_sample, load_rows
from angularpu_bench.spec.synthetic import make_gaussians


def draw(cell, *, oracle=False):
    return draw_sample(make_gaussians(), cell, oracle=oracle)


def test_methods_with_one_seed_get_the_same_labels(make_cells):
    first, second, other = make_cells(methods=["angular"], seeds=[3]) + make_cells(methods=["vpu"], seeds=[3, 4])
    assert np.array_equal(draw(first)[0].s, draw(second)[0].s)
    assert not np.array_equal(draw(first)[0].s, draw(other)[0].s)


def test_every_label_is_a_true_positive(cell):
    sample, truth = draw(cell)
    assert sample.n_pos == 500
    assert truth.y[sample.pos].all()


def test_a_share_of_the_positives_may_be_labelled(make_cells):
    (cell,) = make_cells(datasets=[{"name": "gaussians", "track": "table", "labelled": 0.125}])
    assert draw(cell)[0].n_pos == round(0.125 * make_gaussians().y_train.sum())


@pytest.mark.parametrize("alpha", [0.05, 0.3, 0.8])
def test_the_share_of_positives_among_unlabelled_rows_can_be_set(make_cells, alpha):
    (cell,) = make_cells(datasets=[{"name": "gaussians", "track": "table", "alpha": alpha}])
    sample, truth = draw(cell)
    assert truth.y[sample.unl].mean() == pytest.approx(alpha, abs=1 / sample.n_unl)
    assert truth.y[sample.pos].all()
    y = make_gaussians().y_train
    unused = min(int(y.sum()) - 500 - truth.y[sample.unl].sum(), (y == 0).sum() - (truth.y == 0).sum())
    assert unused <= 2, "one of the two classes is used up"


def test_fewer_unlabelled_rows_hold_the_same_share_of_positives(make_cells):
    (cell,) = make_cells(datasets=[{"name": "gaussians", "track": "table", "unlabelled": 1000}])
    sample, truth = draw(cell)
    assert (sample.n_pos, sample.n_unl) == (500, 1000)
    whole = (make_gaussians().y_train.sum() - 500) / 3500
    assert truth.y[sample.unl].mean() == pytest.approx(whole, abs=1e-3)


def test_more_unlabelled_rows_than_there_are_is_refused(make_cells):
    (cell,) = make_cells(datasets=[{"name": "gaussians", "track": "table", "unlabelled": 4000}])
    with pytest.raises(SettingError, match="cannot be had; at most 3"):
        draw(cell)


def test_the_oracle_has_every_label(cell):
    sample, truth = draw(cell, oracle=True)
    assert np.array_equal(sample.s, truth.y)


def test_a_table_is_refused_where_images_are_needed(make_cells):
    (cell,) = make_cells(datasets=[{"name": "gaussians", "track": "scratch"}])
    with pytest.raises(SettingError, match="gaussians holds table rows, no images"):
        load_rows(cell, Places(None, Path("runs")))


def test_a_data_set_without_a_directory_is_refused(make_cells):
    (cell,) = make_cells(datasets=[{"name": "spam", "track": "table"}])
    with pytest.raises(DataError, match="pass --data or set ANGULARPU_DATA"):
        load_rows(cell, Places(None, Path("runs")))
