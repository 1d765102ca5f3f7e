import numpy as np

from angularpu.bench.levels import LEVELS, coarsen
from angularpu.bench.synthetic import make_gaussians


def test_levels_keep_the_order_of_every_column_and_are_as_many_as_trees_tell_apart():
    dataset = make_gaussians()
    coarse = coarsen(dataset)
    for x, levels in ((dataset.x_train, coarse.x_train), (dataset.x_test, coarse.x_test)):
        order = np.argsort(x[:, 3])
        assert (np.diff(levels[order, 3].astype(int)) >= 0).all()
    assert all(len(np.unique(column)) == LEVELS for column in coarse.x_train.T)
    counts = np.bincount(coarse.x_train[:, 0], minlength=LEVELS)
    assert counts.min() >= 14
    assert counts.max() <= 18
    assert np.array_equal(coarse.labels_train, dataset.labels_train)


def test_test_rows_are_cut_at_the_edges_of_the_training_rows():
    dataset = make_gaussians()
    coarse = coarsen(dataset)
    for row in range(5):
        below = (dataset.x_train[:, 1] < dataset.x_test[row, 1]).mean()
        assert abs(coarse.x_test[row, 1] / LEVELS - below) < 2 / LEVELS
