"""Two clusters against scikit-learn's."""

import numpy as np
import torch
from sklearn.cluster import KMeans

from angularpu.algorithms.two_means import cluster


def test_the_clusters_are_those_of_k_means_from_the_same_start():
    generator = torch.Generator().manual_seed(0)
    pos = torch.randn(20, 3, generator=generator) + 1
    unl = torch.cat([torch.randn(30, 3, generator=generator) + 1, torch.randn(40, 3, generator=generator) - 1])
    mean = pos.mean(0)
    start = torch.stack([mean, unl[(unl - mean).norm(dim=1).argmax()]]).numpy()
    model = KMeans(2, init=start, n_init=1, tol=0).fit(torch.cat([pos, unl]).numpy())
    near = np.linalg.norm(model.cluster_centers_ - mean.numpy(), axis=1).argmin()
    assert cluster(pos, unl).tolist() == (model.labels_[20:] == near).tolist()


def test_rows_in_one_place_are_all_positive():
    assert cluster(torch.ones(2, 3), torch.ones(4, 3)).all()
