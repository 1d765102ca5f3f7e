"""Models of every kind on few rows, and what the library and onnxruntime say about the same rows."""

from types import SimpleNamespace

import numpy as np
import onnxruntime
import pandas as pd
import pytest
import scipy.sparse as sp
from scipy.special import expit

from angularpu.export.file import build_onnx

ROWS = 160


@pytest.fixture(scope="session")
def labels():
    """As many labelled positives as folds need, then as many hidden ones, then the others."""
    return np.repeat([1, 0], [ROWS // 4, ROWS - ROWS // 4])


def draw(seed, columns=4):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(ROWS, columns)) * np.array([1, 10, 1e-3, 1e5])[:columns]
    x[: ROWS // 2] += 1.5 * x.std(axis=0)
    return x


@pytest.fixture(scope="session")
def dense():
    """An array with missing values in one column; the rows to score miss values in every column, and lie far out."""
    x, new = draw(0), draw(1)
    x[::7, 1] = np.nan
    new[::5, 2] = np.nan
    new[3] = np.nan
    new[4, 0] = 1e300
    return x, new


@pytest.fixture(scope="session")
def frame(dense):
    """A table with categories, a date, a column that is constant, missing values, and words never seen in a fit."""
    x, new = (pd.DataFrame(each, columns=["amount", "per cent %", "b/c", "d"]) for each in dense)
    for table, words in ((x, ["Oslo", "Rome", None]), (new, ["Oslo", None, "Lima"])):
        table["city"] = pd.Series([words[i % 3] for i in range(ROWS)], dtype=object)
        table["kind"] = pd.Series(["é" if i % 2 else "b" for i in range(ROWS)], dtype=object)
        table["day"] = pd.Timestamp("2024-01-01") + pd.to_timedelta(np.arange(ROWS) * 37 % 101, unit="h")
        table["same"] = 3.0
    new.loc[5, "kind"] = None  # none was missing in the fit
    return x, new


@pytest.fixture(scope="session")
def words():
    """Counts of words as sparse matrices."""
    rng = np.random.default_rng(0)
    rate = np.where(np.arange(ROWS)[:, None] < ROWS // 2, np.linspace(0.1, 1, 30), np.linspace(1, 0.1, 30))
    return tuple(sp.csr_matrix(rng.poisson(rate).astype(np.float64)) for _ in range(2))


def feed(session, rows):
    """Return rows as onnxruntime takes them: a column or the one array for every input."""
    if not isinstance(rows, pd.DataFrame):
        array = rows.toarray() if sp.issparse(rows) else rows
        (only,) = session.get_inputs()
        return {only.name: array.astype({"uint8": np.uint8, "float": np.float32}.get(only.type[7:-1], np.float64))}
    fed = {}
    for each in session.get_inputs():
        column = rows[each.name]
        if each.type == "tensor(string)":
            column = column.fillna("").astype(object)
        elif column.dtype.kind == "M":
            column = column.astype("datetime64[us]").astype(np.int64) / 1e6
        fed[each.name] = column.to_numpy()[:, None]
    return fed


@pytest.fixture(scope="session")
def compare():
    """A function that scores rows twice and returns how far the two differ."""

    def compare(model, rows):
        session = onnxruntime.InferenceSession(build_onnx(model.fitted_))
        score, probability, prediction = session.run(["score", "probability", "prediction"], feed(session, rows))
        assert score.dtype == np.float32
        assert probability.dtype == np.float64
        own = model.score_samples(rows)
        return SimpleNamespace(
            score=(np.abs(score - own) / np.maximum(1, np.abs(own))).max(),  # float32 has seven digits
            chance=np.abs(expit(score) - expit(own)).max(),
            probability=np.abs(probability - model.predict_proba(rows)[:, 1]).max(),
            mapped=np.abs(probability - model.fitted_.probability(score)).max(),
            equal=np.array_equal(prediction, model.predict(rows)),
            flagged=np.mean(prediction == model.classes_[1]),
        )

    return compare
