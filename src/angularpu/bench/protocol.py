"""How the paper's protocol fills in what a spec leaves open: labelled positives, encoders and weight files."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

Track = Literal["features", "table", "text", "scratch", "finetune"]

# A whole number of labelled positives, or the share of the positives that is labelled.
LABELLED: Mapping[str, int | float] = MappingProxyType(
    {
        "cifar10": 1000,
        "cifar10-animals": 1000,
        "svhn": 1000,
        "stl10": 500,
        "stl10-no-ship": 500,
        "pathmnist": 0.125,
        "octmnist": 0.125,
        "mnist": 1000,
        "fashion-mnist": 1000,
        "newsgroups20": 500,
        "alzheimer": 30,
        "spam": 200,
        "letter": 1000,
        "adni": 768,
        "gaussians": 500,
    }
)

# No share of the positives labels more than this.
MOST_LABELLED = 5000

# A table never mixes tracks: they differ in what has been learnt before.
ENCODERS: Mapping[Track, str] = MappingProxyType(
    {"features": "mlp", "table": "mlp", "text": "mlp", "scratch": "cnn13", "finetune": "vgg16"}
)

# Where ImageNet weights lie in the data directory.
WEIGHTS: Mapping[str, str] = MappingProxyType(
    {"vgg16": "vgg16_imagenet_features.safetensors", "vgg11_bn": "vgg11_bn-6002323d.pth"}
)


def count_labelled(asked: int | float, n_pos: int) -> int:
    """Return how many of ``n_pos`` positives get a label, when a number or a share of them is asked for.

    >>> count_labelled(1000, 20_000), count_labelled(0.125, 14_317), count_labelled(0.125, 80_000)
    (1000, 1790, 5000)
    """
    return asked if isinstance(asked, int) else min(MOST_LABELLED, round(asked * n_pos))
