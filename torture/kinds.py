"""Every kind of model, in one place: whatever is listed here goes through everything that the harness does."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.parquet as pq
import scipy.sparse as sp
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from angularpu.cli.main import main
from angularpu.methods.configure import configure
from angularpu.model.resumable import fit_into
from angularpu.scenario.sample import make_sample
from torture.children import told

ROWS, COLUMNS = 240, 4
TABLE, ARRAYS, IMAGES, SPARSE = "table.csv", "rows.npz", "images.npz", "sparse"
NETWORK = {"encoder": "linear", "d": 4}
HOLD_OUT = {"validation": "hold-out"}


@dataclass(frozen=True)
class Kind:
    """A kind of model.

    Attributes
    ----------
    name : str
        In the table.
    method : str
    options : mapping of str to object
        As ``configure`` takes them. Objects, such as a base classifier, are passed from Python, others by the command.
    data : str
        The rows it is fitted on: TABLE, ARRAYS, IMAGES or SPARSE.
    like : str
        A kind whose steps on files are the same; then only every fifth of its own goes wrong, to save time.
    """

    name: str
    method: str
    options: Mapping[str, Any] = field(default_factory=dict)
    data: str = ARRAYS
    like: str = ""

    @property
    def stride(self) -> int:
        """Every how many steps one goes wrong."""
        return 5 if self.like else 1

    @property
    def by_command(self) -> bool:
        """Whether the command line can fit it."""
        return self.data != SPARSE and all(
            isinstance(value, bool | int | float | str) for value in self.options.values()
        )

    def fit(self, folder: Path, model: Path, *, seed: int = 0, force: bool = False) -> int:
        """Fit it into a model directory and return the exit code.

        Parameters
        ----------
        folder : Path
            Holds the data, see :func:`write_data`.
        model : Path
        seed : int
        force : bool
            Replace a model that is there.
        """
        if not self.by_command:
            return told(lambda: self._fit_in_python(model, seed=seed, force=force))
        settings = [word for pair in self.options.items() for word in ("--set", "{}={}".format(*pair))]
        command = ["fit", str(folder / self.data), "--label", "s", "--id", "key", "--out", str(model), "--prior", "0.6"]
        more = ["--method", self.method, "--seed", str(seed), *settings, *(["--force"] if force else [])]
        return main([*command, *more])

    def _fit_in_python(self, model: Path, *, seed: int, force: bool) -> None:
        x, s = draw()
        rows = draw_sparse() if self.data == SPARSE else x
        method = configure(method=self.method, prior=0.6, options=self.options)
        fit_into(method, make_sample(rows, s, scenario="one-sample"), directory=model, seed=seed, overwrite=force)


KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        kind.name: kind
        for kind in (
            Kind("network", "angular", {**NETWORK, "epochs": 2, **HOLD_OUT}),
            Kind(
                "network after folds",
                "angular",
                {**NETWORK, "epochs": 1, "validation": "folds", "refit": True},
                TABLE,
                "mean of folds",
            ),
            Kind("mean of folds", "angular", {**NETWORK, "epochs": 1, "validation": "folds", "refit": False}, TABLE),
            Kind("ensemble", "ensemble", {**NETWORK, "epochs": 1, "members": "angular,logistic_regression"}, TABLE),
            Kind(
                "ensemble with trees",
                "ensemble",
                {**NETWORK, "epochs": 1, "members": "angular,extra_trees,gradient_boosting,logistic_regression"},
                TABLE,
                "ensemble",
            ),
            Kind("ensemble, sparse rows", "ensemble", {**NETWORK, "epochs": 1}, SPARSE, "ensemble"),
            Kind("network for images", "nnpu", {**NETWORK, "epochs": 1, **HOLD_OUT}, IMAGES, "network"),
            Kind("boosted trees", "elkan_noto", HOLD_OUT, TABLE, "bagged trees"),
            Kind("bagged trees", "bagging", {"rounds": 2, **HOLD_OUT}),
            Kind(
                "forest", "spy", {"base": ExtraTreesClassifier(4, min_samples_leaf=3), **HOLD_OUT}, like="bagged trees"
            ),
            Kind("linear, sparse rows", "elkan_noto", HOLD_OUT, SPARSE, "bagged trees"),
            Kind("naive Bayes", "rank_pruning", {"base": GaussianNB(), **HOLD_OUT}, like="bagged trees"),
            Kind(
                "calibrated pipeline",
                "weighted_elkan_noto",
                {
                    "base": CalibratedClassifierCV(
                        make_pipeline(StandardScaler(), DecisionTreeClassifier(max_depth=2)), cv=2
                    ),
                    **HOLD_OUT,
                },
                like="bagged trees",
            ),
        )
    }
)


def draw() -> tuple[np.ndarray, np.ndarray]:
    """Draw rows of two Gaussian classes, half of the positives labelled."""
    rng = np.random.default_rng(0)
    y = np.repeat([1, 0], ROWS // 2)
    x = rng.normal(size=(ROWS, COLUMNS)) + 2 * y[:, None]
    return x.astype(np.float32), (y * (rng.random(ROWS) < 0.5)).astype(np.int64)


def draw_sparse() -> sp.csr_matrix:
    """Draw the same rows without their small and negative numbers."""
    x, _ = draw()
    return sp.csr_matrix(x * (x > 1))


def write_data(folder: Path) -> None:
    """Write the same rows in every form that a kind may want, with their labels and names."""
    x, s = draw()
    key = [f"{number:04d}" for number in range(ROWS)]
    columns = {name: x[:, place] for place, name in enumerate("abcd")}
    table = pa.table({"key": key, **columns, "city": np.where(x[:, 0] > 1, "Oslo", "Rome"), "s": s})
    pacsv.write_csv(table, folder / TABLE)
    pq.write_table(table, folder / "table.parquet", row_group_size=100)
    np.savez(folder / ARRAYS, X=x, s=s, key=np.array(key))
    np.save(folder / "rows.npy", x)
    pixels = np.clip(128 + 40 * np.repeat(x, 9, axis=1), 0, 255).astype(np.uint8).reshape(ROWS, 1, 6, 6)
    np.savez(folder / IMAGES, X=pixels, s=s, key=np.array(key))
