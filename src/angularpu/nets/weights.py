"""Weight files: torchvision's tensors, copied by name into a VGG encoder."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor

from angularpu.errors import ModelError, SettingError
from angularpu.nets.encoder import Encoder
from angularpu.nets.vgg import VGG

_FORMATS = (".safetensors", ".pth", ".pt")
_NAMED = 3


def load_weights(encoder: Encoder, path: str | Path) -> None:
    """Put the convolutional weights of a torchvision checkpoint into a VGG encoder.

    Everything under ``features.`` is copied and must fit exactly, or nothing is; ``classifier.`` is left out, since
    the encoder ends in an embedding of its own. The file is read as tensors only: code hidden in it is never run.

    Parameters
    ----------
    encoder : Encoder
        A ``vgg11_bn`` or ``vgg16``, changed in place.
    path : str or Path
        A ``.safetensors``, ``.pth`` or ``.pt`` file of tensors by name.

    Raises
    ------
    SettingError
        If the encoder is no VGG.
    ModelError
        If the file is missing, unreadable or holds other tensors.

    Examples
    --------
    >>> import tempfile
    >>> from safetensors.torch import save_file
    >>> donor, encoder = VGG("vgg11_bn", (3, 32, 32), d=8), VGG("vgg11_bn", (3, 32, 32), d=4)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "vgg11_bn.safetensors"
    ...     save_file({f"features.{name}": value for name, value in donor.features.state_dict().items()}, path)
    ...     load_weights(encoder, path)
    >>> bool((encoder.features[0].weight == donor.features[0].weight).all())
    True
    """
    if not isinstance(encoder, VGG):
        raise SettingError(
            f"only the encoders 'vgg11_bn' and 'vgg16' take a weight file, got {type(encoder).__name__} and {path}; "
            "choose one of them or leave the weights out"
        )
    own = {f"features.{name}": tensor for name, tensor in encoder.get_submodule("features").state_dict().items()}
    found = {name: tensor for name, tensor in _read(Path(path)).items() if not name.startswith("classifier.")}
    faults = _compare(own, found)
    if faults:
        raise ModelError(
            f"{path} does not fit encoder {encoder.architecture!r}: {'; '.join(faults)}; "
            f"pass torchvision's weight file for {encoder.architecture}"
        )
    for name, tensor in found.items():
        own[name].copy_(tensor)


def _read(path: Path) -> Mapping[str, Tensor]:
    if path.suffix not in _FORMATS:
        raise ModelError(f"a weight file must end in {', '.join(_FORMATS)}, got {path}; convert it to .safetensors")
    if not path.is_file():
        raise ModelError(f"there is no weight file {path}; check the path, or download it from torchvision's page")
    try:
        if path.suffix == ".safetensors":
            content = load_file(path)
        else:
            content = torch.load(path, map_location="cpu", weights_only=True)
    except Exception as error:  # a damaged or hostile pickle may raise anything at all
        raise ModelError(
            f"{path} is damaged or holds more than tensors, so it was not loaded; download it again, or convert it to "
            ".safetensors where you trust it"
        ) from error
    if not isinstance(content, Mapping) or not all(
        isinstance(name, str) and isinstance(tensor, Tensor) for name, tensor in content.items()
    ):
        raise ModelError(f"{path} is not a table of tensors by name; save the network's state_dict() and pass that")
    return content


def _compare(own: Mapping[str, Tensor], found: Mapping[str, Tensor]) -> list[str]:
    """Name what keeps the found tensors from being copied onto the encoder's own."""
    # torchvision's files with batch normalisation are older than this counter, which nothing here reads
    missing = [name for name in own if name not in found and not name.endswith(".num_batches_tracked")]
    unexpected = [name for name in found if name not in own]
    mismatched = [
        f"{name} ({_describe(found[name])} instead of {_describe(own[name])})"
        for name in own
        if name in found and _describe(found[name]) != _describe(own[name])
    ]
    kinds = (("missing", missing), ("unexpected", unexpected), ("mismatched", mismatched))
    return [f"{kind} {_shorten(names)}" for kind, names in kinds if names]


def _describe(tensor: Tensor) -> str:
    # halves and doubles are as good as float32, quantised integers are not
    return f"{'float' if tensor.is_floating_point() else tensor.dtype} {tuple(tensor.shape)}"


def _shorten(names: Sequence[str]) -> str:
    rest = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {rest} more" if rest > 0 else "")
