"""The data sets of the trials, as populations with their truth: Fashion-MNIST, spam, 20 Newsgroups.

DIR of every trial's ``--data`` holds fashion-mnist/*.gz (IDX), spam.csv and newsgroups20_bydate.json.gz.
"""

import csv
import gzip
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer

from angularpu import AngularPUClassifier, Truth
from angularpu.data.sources import as_rows
from angularpu.decide.held_out import HeldOut
from angularpu.scenario.one_sample import one_sample
from angularpu.scenario.sample import PUSample
from angularpu_bench.catalogue.mnist import load_fashion_mnist

TOPS = (0, 2, 4, 6)


@dataclass(frozen=True)
class Population:
    """Rows and their true classes."""

    x: Any
    y: np.ndarray

    def split(self, sizes: tuple[int, ...], *, rng: np.random.Generator) -> list["Population"]:
        """Deal rows at random into parts of these sizes."""
        order = rng.permutation(len(self.y))[: sum(sizes)]
        parts = np.split(order, np.cumsum(sizes)[:-1])
        return [Population(self.x[part], self.y[part]) for part in parts]

    def sample(self, labelled: int, *, rng: np.random.Generator) -> tuple[PUSample, float]:
        """Label positives at random, one-sample; return alpha, the unlabelled rows' true share of positives, beside."""
        sample, truth = one_sample(as_rows(self.x), Truth(self.y), n_labelled=labelled, rng=rng)
        return sample, float(truth.y[sample.unl].mean())


def load_fashion(directory: Path) -> Population:
    """Read the 60,000 training images: tops against the rest."""
    x, labels, _, _ = load_fashion_mnist(directory / "fashion-mnist")
    return Population(x, np.isin(labels, TOPS).astype(np.int8))


def load_spam(directory: Path) -> Population:
    """Read 4601 messages, 57 columns each: spam against the rest."""
    with (directory / "spam.csv").open() as file:
        rows = list(csv.reader(file))[1:]
    y = np.array([row[-1] == "spam" for row in rows], np.int8)
    return Population(np.array([row[:-1] for row in rows], np.float32), y)


def load_newsgroups(directory: Path, *, positive: str = "rec.", min_df: int = 5) -> Population:
    """Make tf-idf of 11,314 training posts: the groups whose names begin so, rec.* by default, against all others."""
    with gzip.open(directory / "newsgroups20_bydate.json.gz") as file:
        posts = json.load(file)["train"]
    x = TfidfVectorizer(min_df=min_df, sublinear_tf=True, stop_words="english", dtype=np.float32).fit_transform(
        text for _, _, text in posts
    )
    return Population(x, np.array([group.startswith(positive) for group, _, _ in posts], np.int8))


LOADERS: dict[str, Callable[[Path], Population]] = {
    "Fashion-MNIST": load_fashion,
    "spam": load_spam,
    "20 Newsgroups": load_newsgroups,
}
LABELLED = {"Fashion-MNIST": 1000, "spam": 200, "20 Newsgroups": 500}


@dataclass(frozen=True)
class Size:
    """How many positives a trial labels, how many rows it has to fit, to validate and to test on, and its epochs."""

    labelled: int
    rows: tuple[int, int, int]
    epochs: int | None = None  # as the classifier takes them


SIZES = {
    "Fashion-MNIST": Size(LABELLED["Fashion-MNIST"], (12_000, 1_200, 10_000)),
    "spam": Size(LABELLED["spam"], (2_601, 1_000, 1_000)),
}
QUICK_LABELLED = dict.fromkeys(LABELLED, 30)
QUICK_SIZES = dict.fromkeys(SIZES, Size(30, (150, 50, 100), epochs=2))  # of the files that small_files.py writes


@dataclass(frozen=True)
class Fit:
    """One AngularPU network's scores: held-out ones to decide with, others with their truth to check it."""

    held: HeldOut
    alpha: float
    validation: tuple[Truth, np.ndarray]
    test: tuple[Truth, np.ndarray]


def fit_angular(population: Population, *, size: Size, seed: int) -> Fit:
    """Fit on the first of three parts and score the other two."""
    rng = np.random.default_rng(seed)
    train, *others = population.split(size.rows, rng=rng)
    sample, alpha = train.sample(size.labelled, rng=rng)
    model = AngularPUClassifier(refit=True, epochs=size.epochs, random_state=seed).fit(sample)
    validation, test = ((Truth(part.y), model.score_samples(part.x)) for part in others)
    return Fit(model.fitted_.held, alpha, validation, test)
