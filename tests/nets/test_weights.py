import os
import pickle
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor
from torch.nn import functional

from angularpu.errors import ModelError, SettingError
from angularpu.nets.build import build
from angularpu.nets.vgg import VGG
from angularpu.nets.weights import load_weights

IMAGE = (3, 32, 32)
# vgg11_bn as torchvision publishes it: convolution, batch normalisation, channels in and out
VGG11_BN = (
    (0, 1, 3, 64),
    (4, 5, 64, 128),
    (8, 9, 128, 256),
    (11, 12, 256, 256),
    (15, 16, 256, 512),
    (18, 19, 512, 512),
    (22, 23, 512, 512),
    (25, 26, 512, 512),
)


def published() -> dict[str, Tensor]:
    """Random tensors with the names and shapes of torchvision's file, which has no num_batches_tracked."""
    tensors = {}
    for convolution, batch_norm, before, after in VGG11_BN:
        tensors[f"features.{convolution}.weight"] = torch.randn(after, before, 3, 3)
        tensors[f"features.{convolution}.bias"] = torch.randn(after)
        for name in ("weight", "bias", "running_mean"):
            tensors[f"features.{batch_norm}.{name}"] = torch.randn(after)
        tensors[f"features.{batch_norm}.running_var"] = torch.rand(after) + 0.5
    for number in (0, 3, 6):
        tensors |= {f"classifier.{number}.weight": torch.zeros(2, 2), f"classifier.{number}.bias": torch.zeros(2)}
    return tensors


def save(tensors: dict[str, Tensor], path: Path) -> Path:
    if path.suffix == ".safetensors":
        save_file(tensors, path)
    else:
        torch.save(tensors, path)
    return path


def encoder() -> VGG:
    return VGG("vgg11_bn", IMAGE, d=4)


@pytest.mark.parametrize("suffix", [".safetensors", ".pth", ".pt"])
def test_the_published_file_fills_every_convolution_and_batch_norm(tmp_path: Path, suffix: str) -> None:
    tensors, vgg = published(), encoder()
    embedding = vgg.embedding.weight.detach().clone()
    load_weights(vgg, save(tensors, tmp_path / f"vgg11_bn{suffix}"))
    state = vgg.state_dict()
    copied = {name for name in tensors if name.startswith("features.")}
    assert all(torch.equal(state[name], tensors[name]) for name in copied)
    left = {name for name in state if name.startswith("features.") and name not in copied}
    assert left == {f"features.{batch_norm}.num_batches_tracked" for _, batch_norm, _, _ in VGG11_BN}
    assert torch.equal(vgg.embedding.weight, embedding)


def test_the_format_torch_wrote_before_its_zip_files_is_read(tmp_path: Path) -> None:
    tensors, vgg, path = published(), encoder(), tmp_path / "vgg11_bn.pth"
    torch.save(tensors, path, _use_new_zipfile_serialization=False)
    load_weights(vgg, str(path))
    assert torch.equal(vgg.features[25].weight, tensors["features.25.weight"])


def test_weights_survive_a_round_trip(tmp_path: Path) -> None:
    donor, vgg = encoder().eval(), encoder().eval()
    save({name: value for name, value in donor.state_dict().items() if "embedding" not in name}, tmp_path / "a.pt")
    load_weights(vgg, tmp_path / "a.pt")
    vgg.embedding.load_state_dict(donor.embedding.state_dict())
    x = torch.randn(2, *IMAGE)
    assert torch.equal(vgg(x), donor(x))


def test_the_weights_stay_trainable(tmp_path: Path) -> None:
    vgg = encoder()
    load_weights(vgg, save(published(), tmp_path / "vgg11_bn.pth"))
    assert all(parameter.requires_grad and parameter.is_leaf for parameter in vgg.parameters())


def test_half_precision_becomes_float32(tmp_path: Path) -> None:
    tensors, vgg = {name: tensor.half() for name, tensor in published().items()}, encoder()
    load_weights(vgg, save(tensors, tmp_path / "half.safetensors"))
    assert vgg.features[0].weight.dtype == torch.float32
    assert torch.equal(vgg.features[0].weight, tensors["features.0.weight"].float())


def test_all_that_does_not_fit_is_named_in_one_sentence_and_nothing_is_copied(tmp_path: Path) -> None:
    tensors, vgg = published(), encoder()
    del tensors["features.4.weight"]
    tensors["features.99.weight"] = torch.zeros(1)
    tensors["features.0.weight"] = torch.zeros(64, 1, 3, 3)
    before = {name: tensor.clone() for name, tensor in vgg.state_dict().items()}
    path = save(tensors, tmp_path / "other.safetensors")
    with pytest.raises(ModelError) as caught:
        load_weights(vgg, path)
    assert str(caught.value) == (
        f"{path} does not fit encoder 'vgg11_bn': missing features.4.weight; unexpected features.99.weight; "
        "mismatched features.0.weight (float (64, 1, 3, 3) instead of float (64, 3, 3, 3)); "
        "pass torchvision's weight file for vgg11_bn"
    )
    assert all(torch.equal(tensor, before[name]) for name, tensor in vgg.state_dict().items())


def test_quantised_weights_are_refused(tmp_path: Path) -> None:
    tensors = published()
    tensors["features.0.bias"] = tensors["features.0.bias"].to(torch.int8)
    with pytest.raises(ModelError, match=r"mismatched features.0.bias \(torch.int8 \(64,\) instead of float \(64,\)\)"):
        load_weights(encoder(), save(tensors, tmp_path / "int8.pth"))


def test_a_file_of_another_network_is_refused_without_listing_all_its_names(tmp_path: Path) -> None:
    path = save({f"layer{number}.weight": torch.zeros(1) for number in range(9)}, tmp_path / "resnet.pth")
    with pytest.raises(ModelError, match=r"missing features.0.weight, .* and 45 more; unexpected layer0.*and 6 more;"):
        load_weights(encoder(), path)


@pytest.mark.parametrize("name", ["linear", "mlp", "cnn13"])
def test_only_vgg_encoders_take_weight_files(tmp_path: Path, name: str) -> None:
    with pytest.raises(SettingError, match="only the encoders 'vgg11_bn' and 'vgg16' take a weight file"):
        load_weights(build(name, IMAGE), tmp_path / "vgg16.pth")


class Payload:
    """Creates a file when it is unpickled."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.mkdir, (str(self.mark),)


def bare_pickle(content: object, path: Path) -> None:
    path.write_bytes(pickle.dumps(content))


def zip_file(content: object, path: Path) -> None:
    torch.save(content, path)


def old_file(content: object, path: Path) -> None:
    torch.save(content, path, _use_new_zipfile_serialization=False)


@pytest.mark.parametrize("write", [bare_pickle, zip_file, old_file])
@pytest.mark.parametrize("suffix", [".pth", ".pt", ".safetensors"])
def test_code_hidden_in_a_file_is_refused_and_never_run(tmp_path: Path, write, suffix: str) -> None:
    mark, path = tmp_path / "mark", tmp_path / f"hostile{suffix}"
    write({"features.0.weight": Payload(mark)}, path)
    with pytest.raises(ModelError, match="damaged or holds more than tensors, so it was not loaded"):
        load_weights(encoder(), path)
    assert not mark.exists()
    if suffix != ".safetensors":  # the trap itself works
        if write is bare_pickle:
            pickle.loads(path.read_bytes())
        else:
            torch.load(path, weights_only=False)
        assert mark.exists()


@pytest.mark.parametrize("suffix", [".safetensors", ".pth"])
@pytest.mark.parametrize("kept", [0, 7, 1000])
def test_a_file_cut_short_is_refused(tmp_path: Path, suffix: str, kept: int) -> None:
    path = save(published(), tmp_path / f"cut{suffix}")
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(ModelError, match="damaged"):
        load_weights(encoder(), path)


@pytest.mark.parametrize("content", [torch.zeros(3), {"state_dict": published()}, {0: torch.zeros(3)}])
def test_a_file_that_is_no_table_of_tensors_is_refused(tmp_path: Path, content: object) -> None:
    torch.save(content, tmp_path / "odd.pth")
    with pytest.raises(ModelError, match="not a table of tensors by name"):
        load_weights(encoder(), tmp_path / "odd.pth")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"there is no weight file .*vgg11_bn\.pth; check the path"):
        load_weights(encoder(), tmp_path / "vgg11_bn.pth")


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"must end in \.safetensors, \.pth, \.pt, got .*weights\.npz"):
        load_weights(encoder(), tmp_path / "weights.npz")


@pytest.mark.prepared
def test_the_imagenet_file_of_vgg16_gives_the_features_its_convolutions_say() -> None:
    path = Path(os.environ.get("ANGULARPU_DATA", "")) / "vgg16_imagenet_features.safetensors"
    if not path.is_file():
        pytest.skip("ANGULARPU_DATA is not a directory that holds vgg16_imagenet_features.safetensors")
    vgg = VGG("vgg16", IMAGE).eval()
    load_weights(vgg, path)
    tensors = load_file(path)
    x = torch.randn(4, *IMAGE, generator=torch.Generator().manual_seed(0))
    image = x
    for number in (0, 2, 5, 7, 10, 12, 14, 17, 19, 21, 24, 26, 28):
        weight, bias = tensors[f"features.{number}.weight"], tensors[f"features.{number}.bias"]
        image = functional.relu(functional.conv2d(image, weight, bias, padding=1))
        if number in {2, 7, 14, 21, 28}:
            image = functional.max_pool2d(image, 2)
    pooled = image.mean((2, 3))
    torch.testing.assert_close(vgg(x), vgg.embedding(pooled))
    assert pooled.std(0).mean() > 0.1  # trained weights tell rows apart; freshly drawn ones do not
