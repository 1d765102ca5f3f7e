"""A model, and a directory of Parquet files to be scored by it."""

import numpy as np
import pandas as pd
import pytest

from angularpu import PUClassifier

FILES = 4
ROWS = 50


def draw(seed, n):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(rng.normal(size=(n, 3)), columns=["a", "b", "c"])
    frame["city"] = np.where(frame["a"] > 0, "Oslo", "Rome")
    return frame


@pytest.fixture(scope="session")
def model(tmp_path_factory):
    x = draw(0, 200)
    y = np.repeat([1, 0], [50, 150])
    x.loc[:99, ["a", "b"]] += 2.0
    path = tmp_path_factory.mktemp("model") / "model"
    PUClassifier(method="logistic_regression").fit(x, y).save(path)
    return path


@pytest.fixture
def other_model(tmp_path):
    x = draw(1, 200)
    path = tmp_path / "other"
    PUClassifier(method="logistic_regression").fit(x, np.repeat([1, 0], [50, 150])).save(path)
    return path


@pytest.fixture(scope="session")
def rows():
    """Rows to score, with a key and with a column of a kind that no model reads."""
    frame = draw(2, FILES * ROWS)
    frame.insert(0, "key", [f"{i:04d}" for i in range(len(frame))])
    frame["tags"] = [["x", "y"]] * len(frame)
    return frame


@pytest.fixture
def folder(tmp_path, rows):
    """The rows in several files, and what Spark leaves beside such files."""
    folder = tmp_path / "data"
    folder.mkdir()
    for i in range(FILES):
        rows[i * ROWS : (i + 1) * ROWS].to_parquet(folder / f"part-{i}.parquet", index=False)
    (folder / "_SUCCESS").touch()
    (folder / ".hidden").touch()
    return folder


@pytest.fixture(scope="session")
def read_bytes():
    """A function that returns the files of a folder by name."""
    return lambda folder: {path.name: path.read_bytes() for path in folder.iterdir()}
