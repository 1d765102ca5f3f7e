"""How the paper's protocol fills in what a spec leaves open: labelled positives, encoders and weight files."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from angularpu.errors import DataError

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

# The names that a backbone's ImageNet weights may have in the data directory: the first that is there is read. The last
# one is torchvision's own.
WEIGHTS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "vgg16": ("vgg16_imagenet_features.safetensors", "vgg16-397923af.pth"),
        "vgg11_bn": ("vgg11_bn_imagenet_features.safetensors", "vgg11_bn-6002323d.pth"),
    }
)
_TORCHVISION = "https://download.pytorch.org/models/"


def find_weights(backbone: str, directory: Path) -> Path:
    """Return the file in the data directory that holds a backbone's ImageNet weights.

    Parameters
    ----------
    backbone : {"vgg16", "vgg11_bn"}
    directory : Path
        The data directory.

    Raises
    ------
    DataError
        If it has none of the accepted files.
    """
    converted, official = WEIGHTS[backbone]
    found = next((directory / name for name in (converted, official) if (directory / name).is_file()), None)
    if found is None:
        raise DataError(
            f"{directory} has neither {converted} nor {official}, the ImageNet weights that {backbone} starts from; "
            f"download {_TORCHVISION}{official} into it, or see docs/datasets.md"
        )
    return found


def count_labelled(asked: int | float, n_pos: int) -> int:
    """Return how many of ``n_pos`` positives get a label, when a number or a share of them is asked for.

    >>> count_labelled(1000, 20_000), count_labelled(0.125, 14_317), count_labelled(0.125, 80_000)
    (1000, 1790, 5000)
    """
    return asked if isinstance(asked, int) else min(MOST_LABELLED, round(asked * n_pos))
