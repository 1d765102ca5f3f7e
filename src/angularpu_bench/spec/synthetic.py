"""Data sets that need no files, to try an experiment in seconds."""

import numpy as np

from angularpu_bench.catalogue.dataset import Dataset

SYNTHETIC = ("gaussians",)
N_COLUMNS = 10
PRIOR = 0.4
SHIFT = 0.6  # of each column: the classes are 1.9 standard deviations apart, so the best possible AUC is .91
N_TRAIN = 4000
N_TEST = 2000


def make_gaussians(seed: int = 0) -> Dataset:
    """Draw two Gaussian classes in ten dimensions; two in five rows are positive.

    Examples
    --------
    >>> dataset = make_gaussians()
    >>> dataset.x_train.shape, dataset.x_test.shape, dataset.positives
    ((4000, 10), (2000, 10), frozenset({1}))
    """
    rng = np.random.default_rng(seed)
    n = N_TRAIN + N_TEST
    labels = (rng.random(n) < PRIOR).astype(np.int64)
    x = (rng.normal(size=(n, N_COLUMNS)) + SHIFT * labels[:, None]).astype(np.float32)
    return Dataset(
        "gaussians",
        "table",
        x_train=x[:N_TRAIN],
        labels_train=labels[:N_TRAIN],
        x_test=x[N_TRAIN:],
        labels_test=labels[N_TRAIN:],
        positives=frozenset({1}),
    )
