"""The paper's protocol, used where a spec says nothing: labelled positives, encoders and weight files."""

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

# The most positives that are labelled when a share is given.
MOST_LABELLED = 5000

# The default encoder of each track. Tracks differ in what was learnt before, so a table never mixes them.
ENCODERS: Mapping[Track, str] = MappingProxyType(
    {"features": "mlp", "table": "mlp", "text": "mlp", "scratch": "cnn13", "finetune": "vgg16"}
)

# One network also where folds choose its epoch, as in the paper; the package's own default is the mean of the folds'.
SINGLE: Mapping[str, bool] = MappingProxyType({"refit": True})

# The file names of a backbone's ImageNet weights in the data directory: converted ones, then torchvision's own. The
# first that exists is read.
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
        If none of the accepted files is there.
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
    """Return how many of ``n_pos`` positives are labelled, given their number or their share.

    >>> count_labelled(1000, 20_000), count_labelled(0.125, 14_317), count_labelled(0.125, 80_000)
    (1000, 1790, 5000)
    """
    return asked if isinstance(asked, int) else min(MOST_LABELLED, round(asked * n_pos))
