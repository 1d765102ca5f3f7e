import pickle
import re

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import angularpu
from angularpu import BatchScorer, PUClassifier
from angularpu.engines import batch_scorer
from angularpu.errors import DataError, ModelError


@pytest.fixture
def scorer(model):
    return BatchScorer(model)


@pytest.fixture(scope="module")
def expected(model, rows):
    classifier = angularpu.load(model)
    x = rows[["a", "b", "c", "city"]]
    return classifier.score_samples(x), classifier.predict_proba(x)[:, 1], classifier.predict(x)


def check(scored, expected):
    for name, values in zip(("score", "probability", "prediction"), expected, strict=True):
        np.testing.assert_array_equal(np.asarray(scored[name]), values)


def test_an_arrow_table_gives_a_table(scorer, rows, expected):
    scored = scorer(pa.Table.from_pandas(rows))
    assert isinstance(scored, pa.Table)
    check(scored, expected)


def test_a_pandas_frame_gives_a_frame_with_its_index(scorer, rows, expected):
    frame = rows.set_index(pd.Index(range(1000, 1000 + len(rows))))
    scored = scorer(frame)
    assert scored.index.equals(frame.index)
    check(scored, expected)


def test_a_dict_of_arrays_gives_a_dict_of_arrays(scorer, rows, expected):
    scored = scorer({name: rows[name].to_numpy() for name in ("city", "c", "b", "a")})
    assert all(isinstance(values, np.ndarray) for values in scored.values())
    check(scored, expected)


def test_a_batch_without_rows_has_the_same_columns_and_types(scorer, rows):
    table = pa.Table.from_pandas(rows)
    assert scorer(table[:0]).schema == scorer(table).schema
    assert len(scorer(rows[:0])) == 0


def test_a_model_of_unnamed_columns_takes_them_in_their_order(tmp_path):
    x = np.random.default_rng(0).normal(size=(80, 2))
    classifier = PUClassifier(method="logistic_regression").fit(x, np.repeat([1, 0], 40))
    classifier.save(tmp_path / "model")
    scored = BatchScorer(tmp_path / "model")({"u": x[:, 0], "v": x[:, 1]})
    np.testing.assert_array_equal(scored["score"], classifier.score_samples(x))


def test_the_pickle_holds_a_path_and_not_the_model(scorer, model, rows, expected):
    scorer(rows)
    pickled = pickle.dumps(scorer)
    assert all(part.encode() in pickled for part in model.parts)
    assert len(pickled) < 1000
    check(pickle.loads(pickled)(rows), expected)


def test_the_model_is_read_once_for_all_copies(scorer, model, rows, monkeypatch):
    batch_scorer._read.cache_clear()
    read, calls = batch_scorer.read_model, []
    monkeypatch.setattr(batch_scorer, "read_model", lambda *a, **k: calls.append(a) or read(*a, **k))
    for _ in range(3):
        pickle.loads(pickle.dumps(scorer))(rows)
    assert len(calls) == 1


def test_a_model_that_was_replaced_is_refused(model, other_model, tmp_path, rows):
    place = tmp_path / "place"
    angularpu.load(model).save(place)
    scorer = BatchScorer(place)
    angularpu.load(other_model).save(place, overwrite=True)
    with pytest.raises(ModelError, match="another model on this machine, or was replaced"):
        scorer(rows)


def test_another_version_is_refused(scorer, rows):
    scorer.version = "0.0.1"
    with pytest.raises(ModelError, match=re.escape("the scorer was made by 0.0.1; install one version")):
        scorer(rows)


@pytest.mark.parametrize(
    ("batch", "words"),
    [
        (
            np.zeros((3, 4)),
            "a batch must be a pyarrow table, a pandas frame or a dict of arrays by column, got ndarray",
        ),
        ({"a": [1.0], "b": [1.0]}, "the batch has no column 'c', 'city', which the model needs; it has 'a', 'b'"),
        ({"a": [1.0], "b": [1.0, 2.0]}, "the columns of a batch must have one length"),
    ],
)
def test_bad_batches_are_refused_in_one_sentence(scorer, batch, words):
    with pytest.raises(DataError, match=re.escape(words)):
        scorer(batch)


def test_no_model_is_refused_at_once(tmp_path):
    with pytest.raises(ModelError, match="is not a model directory"):
        BatchScorer(tmp_path)
