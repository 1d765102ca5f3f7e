"""``angularpu embed``."""

import numpy as np
import pytest
import torch
from safetensors.torch import save_file

from angularpu.cli.main import INTERRUPTED, main
from angularpu.nets.vgg import VGG
from angularpu_bench.catalogue import datasets as catalog
from angularpu_bench.catalogue import features
from angularpu_bench.catalogue.backbone import extract_features, load_backbone
from angularpu_bench.catalogue.dataset import Dataset


@pytest.fixture(scope="module")
def weights(tmp_path_factory):
    path = tmp_path_factory.mktemp("weights") / "vgg11_bn.safetensors"
    with torch.random.fork_rng():
        torch.manual_seed(0)
        layers = VGG("vgg11_bn", (3, 32, 32)).get_submodule("features")
    save_file({f"features.{name}": tensor for name, tensor in layers.state_dict().items()}, path)
    return path


@pytest.fixture
def images():
    return np.random.default_rng(0).integers(0, 256, (3, 3, 28, 28), np.uint8)


def embed(source, out, weights, *more):
    return main(["embed", str(source), "--weights", str(weights), "--out", str(out), "--backbone", "vgg11_bn", *more])


@pytest.mark.parametrize("name", ["images.npy", "images.npz"])
def test_an_array_becomes_an_array_of_features(name, images, weights, tmp_path, capsys):
    source, out = tmp_path / name, tmp_path / "new" / "features.npy"
    np.save(source, images) if source.suffix == ".npy" else np.savez(source, X=images, y=np.zeros(3))
    assert embed(source, out, weights, "--size", "40") == 0
    written = capsys.readouterr()
    assert "3 images, 1280 columns in" in written.err
    assert not written.out
    backbone = load_backbone("vgg11_bn", weights, input_size=40)
    assert np.array_equal(np.load(out), extract_features(images, backbone))
    assert [path.name for path in out.parent.iterdir()] == ["features.npy"]


def test_a_data_set_becomes_two_files_and_its_warnings_are_told(images, weights, tmp_path, capsys, monkeypatch):
    labels = np.array([0, 1, 1])
    dataset = Dataset("tiny", "image", images, labels, images[::-1], labels, frozenset({1}), ("a copy",))
    asked = []
    monkeypatch.setattr(catalog, "load_dataset", lambda *place: asked.append(place) or dataset)
    assert embed("tiny", tmp_path / "tiny.npy", weights, "--data", str(tmp_path)) == 0
    assert asked == [("tiny", tmp_path)]
    assert "a copy" in capsys.readouterr().err
    backbone = load_backbone("vgg11_bn", weights)
    assert np.array_equal(np.load(tmp_path / "tiny-train.npy"), extract_features(images, backbone))
    assert np.array_equal(np.load(tmp_path / "tiny-test.npy"), extract_features(images[::-1], backbone))


def test_an_existing_file_is_replaced_only_by_force(images, weights, tmp_path, capsys):
    np.save(tmp_path / "images.npy", images)
    out = tmp_path / "features.npy"
    out.write_text("mine")
    assert embed(tmp_path / "images.npy", out, weights) == 2
    assert "already exists; choose another name or pass --force" in capsys.readouterr().err
    assert out.read_text() == "mine"
    assert embed(tmp_path / "images.npy", out, weights, "--force") == 0
    assert np.load(out).shape == (3, 1280)
    assert embed(tmp_path / "images.npy", tmp_path / "images.npy", weights, "--force") == 2
    assert np.array_equal(np.load(tmp_path / "images.npy"), images)


def test_a_run_stopped_in_the_second_part_resumes_there(images, weights, tmp_path, monkeypatch):
    labels = np.array([0, 1, 1])
    dataset = Dataset("tiny", "image", images, labels, images[::-1], labels, frozenset({1}))
    monkeypatch.setattr(catalog, "load_dataset", lambda *place: dataset)
    computed = []

    def stop(images, *arguments, **options):
        computed.append(images)
        if len(computed) == 2:
            raise KeyboardInterrupt
        return extract_features(images, *arguments, **options)

    monkeypatch.setattr(features, "extract_features", stop)
    arguments = ("tiny", tmp_path / "tiny.npy", weights, "--data", str(tmp_path))
    assert embed(*arguments) == INTERRUPTED
    assert not list(tmp_path.glob("*.npy"))
    assert embed(*arguments) == 0
    assert [np.array_equal(part, images) for part in computed] == [True, False, False]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["tiny-test.npy", "tiny-train.npy"]


@pytest.mark.parametrize(
    ("source", "out", "reason"),
    [
        ("images.npy", "features.csv", "features are written as .npy"),
        ("absent.npy", "features.npy", "absent.npy does not exist"),
        ("floats.npy", "features.npy", "takes uint8 images"),
        ("images.npy", "images.npy", "holds the images"),
    ],
)
def test_a_mistake_is_one_sentence_and_leaves_nothing_behind(source, out, reason, images, weights, tmp_path, capsys):
    np.save(tmp_path / "images.npy", images)
    np.save(tmp_path / "floats.npy", images / 255)
    before = sorted(tmp_path.iterdir())
    assert embed(tmp_path / source, tmp_path / out, weights) == 2
    assert reason in capsys.readouterr().err
    assert sorted(tmp_path.iterdir()) == before
