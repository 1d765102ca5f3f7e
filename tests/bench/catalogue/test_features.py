import signal
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from torch import nn

from angularpu.errors import DataError
from angularpu_bench.catalogue import features
from angularpu_bench.catalogue.backbone import Backbone, extract_features
from angularpu_bench.catalogue.dataset import Dataset
from angularpu_bench.catalogue.features import embed_dataset, embed_images, keep_features


def make_backbone(*, weights: str = "of a file", input_size: int | None = None, seed: int = 0) -> Backbone:
    """Two blocks of one small convolution each: a network as a Backbone holds it, in a thousandth of the time."""
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        stages = nn.ModuleList(
            [
                nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU()),
                nn.Sequential(nn.MaxPool2d(2), nn.Conv2d(4, 6, 3), nn.ReLU()),
            ]
        )
    stages.requires_grad_(False)
    return Backbone(name="vgg16", weights=weights, blocks=(1, 2), input_size=input_size, stages=stages)


def draw_images(n: int, *, seed: int = 0) -> NDArray[np.uint8]:
    return np.random.default_rng(seed).integers(0, 256, (n, 3, 32, 32), np.uint8)


@pytest.fixture(autouse=True)
def pieces_of_two_images(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(features, "PIECE_BATCHES", 2)
    monkeypatch.setattr("angularpu_bench.catalogue.backbone.BATCH_PIXELS", 32 * 32)


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many images every call has computed."""
    counts: list[int] = []

    def count(images: NDArray[np.uint8], *arguments, **options) -> NDArray[np.float32]:
        counts.append(len(images))
        return extract_features(images, *arguments, **options)

    monkeypatch.setattr(features, "extract_features", count)
    return counts


def stop_after(rows: int):
    """Make a report that ends the run once so many images are done, as Ctrl-C would."""

    def report(done: int, total: int, text: str) -> None:
        if done >= rows:
            raise KeyboardInterrupt

    return report


def test_features_are_computed_once_and_mapped_from_the_cache(tmp_path: Path, computed: list[int]) -> None:
    images, backbone = draw_images(5), make_backbone()
    first = embed_images(images, backbone, cache=tmp_path / "new" / "cache")
    assert isinstance(first, np.memmap)
    assert not first.flags.writeable
    assert first.dtype == np.float32
    assert np.array_equal(first, extract_features(images, backbone))
    assert computed == [2, 2, 1]
    again = embed_images(images.copy(), make_backbone(), cache=tmp_path / "new" / "cache")
    assert np.array_equal(first, again)
    assert computed == [2, 2, 1]
    assert [path.suffix for path in (tmp_path / "new" / "cache").iterdir()] == [".npy"]


def test_whatever_changes_the_features_has_an_entry_of_its_own(tmp_path: Path) -> None:
    images = draw_images(3)
    other = images.copy()
    other[-1, 0, 0, 0] ^= 1
    variants = [
        (images, make_backbone()),
        (other, make_backbone()),
        (images[::-1], make_backbone()),
        (images[:2], make_backbone()),
        (images, make_backbone(weights="of another file")),
        (images, make_backbone(input_size=40)),
    ]
    for some, backbone in variants:
        embed_images(some, backbone, cache=tmp_path)
    assert len(list(tmp_path.iterdir())) == len(variants)


def test_the_images_own_size_stated_or_not_is_one_entry(tmp_path: Path) -> None:
    for input_size in (None, 32):
        embed_images(draw_images(3), make_backbone(input_size=input_size), cache=tmp_path)
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("rows", [1, 2, 3, 4, 6, 7])
def test_a_stopped_run_resumes_at_its_last_finished_piece(tmp_path: Path, rows: int, computed: list[int]) -> None:
    images, backbone = draw_images(7), make_backbone()
    with pytest.raises(KeyboardInterrupt):
        keep_features(images, backbone, cache=tmp_path / "stopped", report=stop_after(rows))
    assert not list((tmp_path / "stopped").glob("*.npy"))
    computed.clear()
    told = []
    path = keep_features(
        images, backbone, cache=tmp_path / "stopped", report=lambda done, total, text: told.append((done, total))
    )
    finished = (rows - 1) // 2 * 2
    assert sum(computed) == 7 - finished
    assert told == [(done, 7) for done in range(finished + 1, 8)]
    assert path.read_bytes() == keep_features(images, backbone, cache=tmp_path / "whole").read_bytes()
    assert list((tmp_path / "stopped").iterdir()) == [path]


def test_half_a_piece_at_the_end_is_written_again(tmp_path: Path) -> None:
    images, backbone = draw_images(6), make_backbone()
    with pytest.raises(KeyboardInterrupt):
        keep_features(images, backbone, cache=tmp_path, report=stop_after(5))
    with next(tmp_path.glob(".*.npy~")).open("ab") as file:
        file.write(b"half a row")
    assert np.array_equal(embed_images(images, backbone, cache=tmp_path), extract_features(images, backbone))


@pytest.mark.parametrize("lost", [".*.npy~", ".*.progress~"])
def test_a_run_that_lost_a_file_starts_again(tmp_path: Path, lost: str, computed: list[int]) -> None:
    images, backbone = draw_images(6), make_backbone()
    with pytest.raises(KeyboardInterrupt):
        keep_features(images, backbone, cache=tmp_path, report=stop_after(5))
    next(tmp_path.glob(lost)).unlink()
    computed.clear()
    assert np.array_equal(embed_images(images, backbone, cache=tmp_path), extract_features(images, backbone))
    assert computed == [2, 2, 2]


def test_two_at_once_compute_once(tmp_path: Path, computed: list[int]) -> None:
    images, backbone = draw_images(9), make_backbone()
    both = threading.Barrier(2)

    def keep() -> None:
        both.wait()
        keep_features(images, backbone, cache=tmp_path)

    threads = [threading.Thread(target=keep) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(computed) == 9
    assert np.array_equal(embed_images(images, backbone, cache=tmp_path), extract_features(images, backbone))
    assert len(list(tmp_path.iterdir())) == 1


KILLED = """
import importlib.util, os, signal, sys
from pathlib import Path
spec = importlib.util.spec_from_file_location("trial", sys.argv[1])
trial = importlib.util.module_from_spec(spec)
spec.loader.exec_module(trial)
from angularpu_bench.catalogue import backbone, features
features.PIECE_BATCHES, backbone.BATCH_PIXELS = 2, 32 * 32
def report(done, total, text):
    if done == 5:
        os.kill(os.getpid(), signal.SIGKILL)
trial.keep_features(trial.draw_images(7), trial.make_backbone(), cache=Path(sys.argv[2]), report=report)
"""


def test_a_killed_process_loses_one_piece_and_no_byte(tmp_path: Path, computed: list[int]) -> None:
    killed = subprocess.run([sys.executable, "-c", KILLED, __file__, str(tmp_path / "killed")], check=False)
    assert killed.returncode == -signal.SIGKILL
    path = keep_features(draw_images(7), make_backbone(), cache=tmp_path / "killed")
    assert computed == [2, 1]
    assert path.read_bytes() == keep_features(draw_images(7), make_backbone(), cache=tmp_path / "whole").read_bytes()


def make_dataset(kind: str, x_train, x_test) -> Dataset:
    labels = np.arange(len(x_train)) % 2, np.arange(len(x_test)) % 2
    return Dataset(
        name="tiny",
        kind=kind,
        x_train=x_train,
        labels_train=labels[0],
        x_test=x_test,
        labels_test=labels[1],
        positives=frozenset({1}),
        warnings=("a copy",),
    )


def test_a_data_set_keeps_all_but_its_images(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(
        features, "load_backbone", lambda name, weights, *, input_size: asked.append((name, weights)) or make_backbone()
    )
    images = make_dataset("image", draw_images(5), draw_images(3, seed=1))
    embedded = embed_dataset(images, weights=Path("vgg16.pth"), cache=tmp_path)
    assert asked == [("vgg16", Path("vgg16.pth"))]
    assert np.array_equal(embedded.x_train, extract_features(draw_images(5), make_backbone()))
    assert np.array_equal(embedded.x_test, extract_features(draw_images(3, seed=1), make_backbone()))
    assert (embedded.kind, embedded.name, embedded.warnings) == ("table", "tiny", ("a copy",))
    assert embedded.y_train.tolist() == images.y_train.tolist() == [0, 1, 0, 1, 0]


def test_a_data_set_without_images_is_refused(tmp_path: Path) -> None:
    table = make_dataset("table", np.zeros((3, 2)), np.zeros((2, 2)))
    with pytest.raises(DataError, match="tiny holds table rows, not images"):
        embed_dataset(table, weights=Path("vgg16.pth"), cache=tmp_path)


def test_a_damaged_entry_is_named(tmp_path: Path) -> None:
    images, backbone = draw_images(3), make_backbone()
    embed_images(images, backbone, cache=tmp_path)
    (entry,) = tmp_path.iterdir()
    entry.write_bytes(entry.read_bytes()[:150])
    with pytest.raises(DataError, match=f"{entry.name} cannot be read as features"):
        embed_images(images, backbone, cache=tmp_path)
