"""Small files in the layout of the official ones, so that ``--quick`` needs no data sets.

Their rows are drawn at random around one centre for each class, so that there is something to learn.
"""

import csv
import gzip
import json
import struct
import tempfile
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

TRAIN, TEST = 300, 100
CLASSES = 10
GROUPS = ("comp.graphics", "rec.autos", "rec.motorcycles", "sci.med", "talk.politics.misc")
SPAM_COLUMNS = 57
WORDS_OF_A_POST = 40


@contextmanager
def data_directory(arguments: Namespace, *writers: Callable[[Path], object]) -> Iterator[Path]:
    """Give the directory of ``--data``, or in the quick form a temporary one that the writers fill."""
    if arguments.quick:
        with tempfile.TemporaryDirectory() as folder:
            for write in writers:
                write(Path(folder))
            yield Path(folder)
    elif arguments.data is None:
        raise SystemExit("no data directory is named; pass --data DIR, or --quick to try it on small files")
    else:
        yield arguments.data


def draw_images(n: int, *, shape: tuple[int, ...], seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Draw uint8 images and their classes, from 0 to 9 in turn."""
    centres = np.random.default_rng(0).integers(60, 196, (CLASSES, *shape))
    labels = np.arange(n) % CLASSES
    noise = np.random.default_rng([1, seed]).normal(scale=40, size=(n, *shape))
    return np.clip(centres[labels] + noise, 0, 255).astype(np.uint8), labels.astype(np.uint8)


def write_fashion(directory: Path) -> None:
    """Write Fashion-MNIST's four IDX files."""
    (directory / "fashion-mnist").mkdir()
    for seed, (part, n) in enumerate((("train", TRAIN), ("t10k", TEST))):
        images, labels = draw_images(n, shape=(28, 28), seed=seed)
        _write_idx(directory / "fashion-mnist" / f"{part}-images-idx3-ubyte.gz", images)
        _write_idx(directory / "fashion-mnist" / f"{part}-labels-idx1-ubyte.gz", labels)


def _write_idx(path: Path, array: np.ndarray) -> None:
    head = bytes([0, 0, 8, array.ndim]) + struct.pack(f">{array.ndim}I", *array.shape)
    path.write_bytes(gzip.compress(head + array.tobytes(), mtime=0))


def write_cifar(directory: Path) -> None:
    """Write CIFAR-10's six batches in the binary version."""
    folder = directory / "cifar-10-batches-bin"
    folder.mkdir()
    for seed, name in enumerate([*(f"data_batch_{i}" for i in range(1, 6)), "test_batch"]):
        images, labels = draw_images(TRAIN // 5 if "data" in name else TEST, shape=(3, 32, 32), seed=seed)
        batch = np.column_stack([labels, images.reshape(len(images), -1)])
        (folder / f"{name}.bin").write_bytes(batch.tobytes())


def write_vgg16(directory: Path) -> Path:
    """Write random weights of VGG-16's convolutions under the name that they have in a data directory."""
    from safetensors.torch import save_file

    from angularpu.nets.vgg import VGG
    from angularpu_bench.spec.protocol import WEIGHTS

    path = directory / WEIGHTS["vgg16"][0]
    layers = VGG("vgg16", (3, 32, 32)).get_submodule("features")
    save_file({f"features.{name}": tensor for name, tensor in layers.state_dict().items()}, path)
    return path


def write_spam(directory: Path) -> None:
    """Write spam.csv: 57 columns of numbers, and the class in the last one."""
    rng = np.random.default_rng(2)
    spam = np.arange(TRAIN) % 5 < 2
    x = rng.normal(size=(TRAIN, SPAM_COLUMNS)) + 0.5 * spam[:, None]
    with (directory / "spam.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*(f"x{i}" for i in range(SPAM_COLUMNS)), "type"])
        for row, is_spam in zip(x, spam, strict=True):
            writer.writerow([*(f"{value:.4f}" for value in row), "spam" if is_spam else "nonspam"])


def write_newsgroups(directory: Path) -> None:
    """Write 20 Newsgroups as one JSON file; each group has words of its own besides those of all groups."""
    rng = np.random.default_rng(3)
    posts = []
    for number in range(TRAIN):
        group = number % len(GROUPS)
        words = np.where(rng.random(WORDS_OF_A_POST) < 0.2, 20 * (group + 5), 0) + rng.integers(0, 20, WORDS_OF_A_POST)
        posts.append([GROUPS[group], str(number), " ".join(f"word{word}" for word in words)])
    with gzip.open(directory / "newsgroups20_bydate.json.gz", "wt") as file:
        json.dump({"train": posts, "test": posts[:TEST]}, file)
