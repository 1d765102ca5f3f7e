"""A VGG with ImageNet weights that is not trained further, and the features of images that it gives."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import numpy as np
import torch
from jaxtyping import Float
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils import convert_conv2d_weight_memory_format

from angularpu.errors import DataError, SettingError
from angularpu.files import sha256
from angularpu.nets.vgg import VGG, VGGName
from angularpu.nets.weights import load_weights
from angularpu.progress import ReportProgress

BLOCKS = (3, 4, 5)
SMALLEST = 32  # the side at which five poolings leave one pixel
BATCH_PIXELS = 64 * 32 * 32  # larger batches do not fit the cache, smaller ones leave cores idle

# Red, green and blue of ImageNet, scaled to 0 ... 1, as torchvision's weights were trained with.
MEAN = (0.485, 0.456, 0.406)
DEVIATION = (0.229, 0.224, 0.225)


@dataclass(frozen=True, eq=False)
class Backbone:
    """A network that turns images into features; made by ``load_backbone``.

    Attributes
    ----------
    name : {"vgg11_bn", "vgg16"}
    weights : str
        SHA-256 of the weight file.
    blocks : tuple of int
        The blocks whose last layer gives features, counted from 1.
    input_size : int or None
        Pixels of an image's shorter side at the input; None for the image's own size, but at least 32.
    stages : nn.ModuleList
        The convolutions up to the last of these blocks, one module for each block; a block begins with its pooling.
    """

    name: VGGName
    weights: str
    blocks: tuple[int, ...]
    input_size: int | None
    stages: nn.ModuleList

    @property
    def width(self) -> int:
        """How many columns the features have: the channels of all chosen blocks."""
        filters = {
            block: layer.out_channels
            for block, stage in enumerate(self.stages, 1)
            for layer in stage.children()
            if isinstance(layer, nn.Conv2d)
        }
        return sum(filters[block] for block in self.blocks)

    def find_size(self, images: NDArray[Any]) -> tuple[int, int]:
        """Return the height and width of these images at the input of the network."""
        if images.ndim != 4 or images.dtype != np.uint8 or images.shape[1] not in {1, 3} or 0 in images.shape:
            raise DataError(
                "a backbone takes uint8 images of shape (n, channels, height, width) with one or three channels, got "
                f"{images.dtype} of shape {images.shape}; bring the axes into this order and the pixels to 0 ... 255"
            )
        height, width = images.shape[2:]
        shorter = min(height, width)
        target = self.input_size or max(shorter, SMALLEST)
        return round(height * target / shorter), round(width * target / shorter)

    def count_batch(self, images: NDArray[Any]) -> int:
        """Return how many of these images pass through the network at a time."""
        height, width = self.find_size(images)
        return max(1, BATCH_PIXELS // (height * width))

    def compute(self, x: Float[Tensor, "n 3 height width"]) -> Float[Tensor, "n columns"]:
        """Return the mean over space of each chosen block's last layer, after its ReLU and before its pooling."""
        means = []
        for block, stage in enumerate(self.stages, 1):
            x = stage(x)
            if block in self.blocks:
                means.append(x.mean((2, 3)))
        return torch.cat(means, 1)


def load_backbone(
    name: str, weights: Path, *, input_size: int | None = None, blocks: tuple[int, ...] = BLOCKS
) -> Backbone:
    """Load a VGG with torchvision's weights to compute features with it.

    Parameters
    ----------
    name : {"vgg16", "vgg11_bn"}
        Which network.
    weights : Path
        Its weight file, as ``load_weights`` takes it.
    input_size : int, optional
        Pixels of an image's shorter side at the input, at least 32; by default the image's own size, but at least 32.
    blocks : tuple of int
        The blocks that give features, from 1 to 5, ascending; the default gives 256 + 512 + 512 = 1280 columns.

    Raises
    ------
    SettingError
        If there is no such network, or the size or the blocks are out of range.
    ModelError
        If the file is missing, cannot be read, or belongs to another network.

    Examples
    --------
    >>> import tempfile
    >>> from safetensors.torch import save_file
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "vgg11_bn.safetensors"
    ...     save_file({f"features.{n}": t for n, t in VGG("vgg11_bn", (3, 32, 32)).features.state_dict().items()}, path)
    ...     backbone = load_backbone("vgg11_bn", path)
    >>> backbone.width, extract_features(np.zeros((2, 3, 28, 28), np.uint8), backbone).shape
    (1280, (2, 1280))
    """
    names: tuple[VGGName, ...] = get_args(VGGName)
    known = next((candidate for candidate in names if candidate == name), None)
    if known is None:
        raise SettingError(f"backbone must be one of {', '.join(names)}, got {name!r}; choose one of them")
    if input_size is not None and input_size < SMALLEST:
        raise SettingError(
            f"the input size must be at least {SMALLEST} pixels, got {input_size}; five poolings need it"
        )
    if not blocks or list(blocks) != sorted(set(blocks) & {1, 2, 3, 4, 5}):
        raise SettingError(f"blocks must be some of 1, 2, 3, 4, 5 in this order, got {blocks}; the default is {BLOCKS}")
    with torch.device("meta"):  # do not draw random weights that the file replaces
        encoder = VGG(known, (3, SMALLEST, SMALLEST))
    encoder.to_empty(device="cpu")
    load_weights(encoder, weights)
    stages = _split(encoder.get_submodule("features"))[: blocks[-1]]
    stages.requires_grad_(False).eval()
    convert_conv2d_weight_memory_format(stages, torch.channels_last)  # the layout that convolves fastest
    return Backbone(name=known, weights=sha256(weights), blocks=blocks, input_size=input_size, stages=stages)


def extract_features(
    images: NDArray[Any], backbone: Backbone, *, report: ReportProgress | None = None
) -> NDArray[np.float32]:
    """Turn images into features: the means over space of the chosen blocks, side by side.

    Images are scaled by ImageNet's mean and deviation, and resized to the backbone's input size (bilinear, smoothed if
    they shrink). Grey images are repeated to three channels.

    Parameters
    ----------
    images : array of uint8, shape (n, channels, height, width)
        One or three channels; a memory map is read batch by batch.
    backbone : Backbone
        From ``load_backbone``.
    report : callable, optional
        Called after every batch with (images done, all images, text).

    Returns
    -------
    array of float32, shape (n, backbone.width)
    """
    size, rows = backbone.find_size(images), backbone.count_batch(images)
    features = np.empty((len(images), backbone.width), np.float32)
    for start in range(0, len(images), rows):
        stop = min(start + rows, len(images))
        with torch.inference_mode():
            features[start:stop] = backbone.compute(_prepare(images[start:stop], size=size)).numpy()
        if report:
            report(stop, len(images), "images embedded")
    return features


def _prepare(images: NDArray[np.uint8], *, size: tuple[int, int]) -> Float[Tensor, "n 3 height width"]:
    mean, deviation = (255 * torch.tensor(values).view(3, 1, 1) for values in (MEAN, DEVIATION))
    x = (torch.from_numpy(images.astype(np.float32)) - mean) / deviation
    if x.shape[2:] != size:
        x = functional.interpolate(x, size, mode="bilinear", align_corners=False, antialias=True)
    return x.contiguous(memory_format=torch.channels_last)


def _split(layers: nn.Module) -> nn.ModuleList:
    """Split a VGG's layers before every pooling; the last pooling, which nothing follows, is left out."""
    stages: list[list[nn.Module]] = [[]]
    for layer in layers.children():
        if isinstance(layer, nn.MaxPool2d):
            stages.append([])
        stages[-1].append(layer)
    return nn.ModuleList(nn.Sequential(*stage) for stage in stages[:-1])
