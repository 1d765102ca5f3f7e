"""The projector of contrastive methods: embeddings are compared after it and used before it."""

from torch import nn

WIDTH = 128


def make_projector(d: int) -> nn.Sequential:
    """Make two layers from R^d to R^128; their output is not normalised.

    >>> make_projector(16)
    Sequential(
      (0): Linear(in_features=16, out_features=16, bias=True)
      (1): ReLU()
      (2): Linear(in_features=16, out_features=128, bias=True)
    )
    """
    return nn.Sequential(nn.Linear(d, d), nn.ReLU(), nn.Linear(d, WIDTH))
