"""The rows of a cell: a data set as its track sees it, and the labels that its seed draws."""

import functools
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa

from angularpu.data.sources import as_rows
from angularpu.errors import DataError, SettingError
from angularpu.scenario.labelling import Chooser, label_at_random, label_by_score
from angularpu.scenario.one_sample import one_sample
from angularpu.scenario.oracle import supervised_sample
from angularpu.scenario.sample import PUSample, Truth
from angularpu.scenario.two_sample import two_sample
from angularpu_bench.catalogue.dataset import Dataset
from angularpu_bench.spec.grid import Cell
from angularpu_bench.spec.protocol import count_labelled, find_weights
from angularpu_bench.spec.synthetic import SYNTHETIC, make_gaussians

OF_IMAGES = ("features", "scratch", "finetune")


@dataclass(frozen=True)
class Places:
    """Where cells find their data and leave what they made.

    Attributes
    ----------
    data : Path or None
        The data directory; None when no cell needs one.
    runs : Path
        The directory of runs; frozen features, and maps behind frozen blocks, are kept in ``cache`` below it.
    """

    data: Path | None
    runs: Path

    @property
    def cache(self) -> Path:
        """The directory for what several cells would compute alike."""
        return self.runs / "cache"


def load_rows(cell: Cell, places: Places) -> Dataset:
    """Load a cell's data set; the last one stays in memory, for cells come data set by data set."""
    return _load(cell.dataset, cell.track, backbone=cell.backbone, input_size=cell.input_size, places=places)


@functools.lru_cache(maxsize=1)
def _load(name: str, track: str, *, backbone: str | None, input_size: int | None, places: Places) -> Dataset:
    if name in SYNTHETIC:
        dataset = make_gaussians()
    else:
        from angularpu_bench.catalogue.datasets import load_dataset

        if places.data is None:
            raise DataError(f"{name} is read from a directory; pass --data or set ANGULARPU_DATA")
        dataset = load_dataset(name, places.data)
    if track in OF_IMAGES and dataset.kind != "image":
        raise SettingError(f"{name} holds {dataset.kind} rows, no images; run it on the track {dataset.kind!r}")
    if backbone is None or places.data is None:
        return dataset
    return _embed(dataset, backbone=backbone, input_size=input_size, data=places.data, cache=places.cache)


def _embed(dataset: Dataset, *, backbone: str, input_size: int | None, data: Path, cache: Path) -> Dataset:
    from dataclasses import replace

    from angularpu_bench.catalogue.features import embed_dataset

    weights = find_weights(backbone, data)
    mapped = embed_dataset(dataset, weights=weights, cache=cache, backbone=backbone, input_size=input_size)
    # Every epoch reads all rows in another order, which memory does a good deal faster than a mapped file.
    return replace(mapped, x_train=np.array(mapped.x_train), x_test=np.array(mapped.x_test))


def draw_sample(dataset: Dataset, cell: Cell, *, oracle: bool) -> tuple[PUSample, Truth]:
    """Draw the labels of a cell's seed, whatever its method, so that methods compare in pairs.

    Parameters
    ----------
    dataset : Dataset
    cell : Cell
    oracle : bool
        Label every positive instead: what all labels would be worth.

    Returns
    -------
    sample : PUSample
    truth : Truth
        The true classes of the sample's rows.
    """
    truth = Truth(dataset.y_train)
    n_labelled = count_labelled(cell.labelled, int(np.count_nonzero(truth.y)))
    draw = one_sample if cell.scenario == "one-sample" else two_sample
    rows, rng = as_rows(dataset.x_train), np.random.default_rng(cell.seed)
    sample, truth = draw(rows, truth, n_labelled=n_labelled, rng=rng, chooser=_find_chooser(dataset, cell))
    if is_thinned(cell):
        sample, truth = _thin(sample, truth, cell)
    return (supervised_sample(sample, truth) if oracle else sample), truth


def _find_chooser(dataset: Dataset, cell: Cell) -> Chooser:
    if cell.labelling == "random":
        return label_at_random
    rows = dataset.x_train
    if isinstance(rows, pa.Table) and all(pa.types.is_floating(t) or pa.types.is_integer(t) for t in rows.schema.types):
        rows = np.column_stack([column.to_numpy() for column in rows.columns])
    if not (isinstance(rows, np.ndarray) and rows.ndim == 2):
        raise SettingError(f"labels by score need a matrix of numbers, and {dataset.name} has other rows; leave it out")
    return functools.partial(label_by_score, features=rows)


def is_thinned(cell: Cell) -> bool:
    """Tell whether a cell leaves out some of the unlabelled rows."""
    return cell.alpha is not None or cell.unlabelled is not None


def _thin(sample: PUSample, truth: Truth, cell: Cell) -> tuple[PUSample, Truth]:
    """Keep some of the unlabelled rows: so many, or so that a given share of them is positive."""
    y = truth.y[sample.unl]
    pools = sample.unl[y == 1], sample.unl[y == 0]
    share = float(y.mean()) if cell.alpha is None else cell.alpha
    most = int(min(len(pools[0]) / share, len(pools[1]) / (1 - share))) if 0 < share < 1 else sample.n_unl
    n = most if cell.unlabelled is None else cell.unlabelled
    if not 2 <= n <= most:
        raise SettingError(f"{n} unlabelled rows with a share of {share:.3g} positives cannot be had; at most {most}")
    n_pos = round(share * n)
    rng = np.random.default_rng([cell.seed, 1])
    kept = [rng.choice(pool, size, replace=False) for pool, size in zip(pools, (n_pos, n - n_pos), strict=True)]
    index = np.sort(np.concatenate([sample.pos, *kept]))
    return sample.take(index), truth.take(index)
