"""Heaps of unlabelled rows with their truth, as AngularPU has left them after one fit, for the trial of audits."""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
from trial_data import Population, load_spam

from angularpu import AngularPUClassifier, Truth
from angularpu.data.sources import as_rows
from angularpu.decide.held_out import HeldOut
from angularpu.scenario.one_sample import one_sample
from angularpu_bench.catalogue.datasets import load_dataset

CIFAR_ROWS = 20_000


def load_table(name: str) -> Callable[[Path], Population]:
    """Return a loader of a table of the catalogue, both parts together."""

    def load(directory: Path) -> Population:
        found = load_dataset(name, directory)
        x = pa.concat_tables([found.x_train, found.x_test])
        return Population(x, np.concatenate([found.y_train, found.y_test]))

    return load


def load_features(directory: Path, features: Path) -> Population:
    """Take 20,000 of CIFAR-10's training images as their frozen features: vehicles against animals."""
    y = load_dataset("cifar10", directory).y_train
    kept = np.sort(np.random.default_rng(0).permutation(len(y))[:CIFAR_ROWS])
    return Population(np.load(features, mmap_mode="r")[kept], y[kept])


def load_posts(directory: Path) -> Population:
    """Read the training posts of 20 Newsgroups as the catalogue has them."""
    found = load_dataset("newsgroups20", directory)
    return Population(found.x_train, found.y_train)


LOADERS: dict[str, Callable[[Path], Population]] = {
    "spam": load_spam,
    "letter": load_table("letter"),
    "Alzheimer": load_table("alzheimer"),
    "20 Newsgroups": load_posts,
}


@dataclass(frozen=True)
class Heap:
    """Unlabelled rows with their truth, as a model has left them."""

    score: np.ndarray
    y: np.ndarray
    held: HeldOut
    held_y: np.ndarray

    def thin(self, alpha: float) -> "Heap":
        """Leave out positives or negatives at random until a share alpha is positive."""
        kept, held_kept = (thin_rows(y, alpha, rng=np.random.default_rng(0)) for y in (self.y, self.held_y))
        held = dataclasses.replace(self.held, score_unl=self.held.score_unl[held_kept], n_unl=len(kept))
        return Heap(self.score[kept], self.y[kept], held, self.held_y[held_kept])


def thin_rows(y: np.ndarray, alpha: float, *, rng: np.random.Generator) -> np.ndarray:
    pos, neg = rng.permutation(np.flatnonzero(y == 1)), rng.permutation(np.flatnonzero(y == 0))
    n_pos = min(len(pos), max(1, round(alpha / (1 - alpha) * len(neg))))
    n_neg = min(len(neg), max(1, round((1 - alpha) / alpha * n_pos)))
    return np.sort(np.concatenate([pos[:n_pos], neg[:n_neg]]))


def fit_heap(population: Population, *, labelled: int, epochs: int | str) -> Heap:
    sample, truth = one_sample(
        as_rows(population.x), Truth(population.y), n_labelled=labelled, rng=np.random.default_rng(0)
    )
    fitted = AngularPUClassifier(refit=True, random_state=0, epochs=epochs).fit(sample).fitted_
    score = fitted.score(sample.rows)[sample.unl]
    return Heap(score, truth.y[sample.unl], fitted.held, truth.y[fitted.held_rows[1]])
