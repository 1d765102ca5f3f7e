"""Archives of earlier versions are read, and say what is wrong with them."""

import io
import json
import sys
from zipfile import ZipFile

import numpy as np
import pytest
import skops.io
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC

from angularpu.classical.storage.skops_archive import load_archive
from angularpu.errors import ModelError


class OwnLogistic(LogisticRegression):
    pass


@pytest.mark.parametrize("base", [HistGradientBoostingClassifier(max_iter=3), SVC()], ids=["boosting", "svc"])
def test_an_archive_scores_as_what_was_stored(base, rows):
    model = base.fit(*rows)
    loaded = load_archive(skops.io.dumps({"classifier": model}))["classifier"]
    np.testing.assert_array_equal(loaded.decision_function(rows[0]), model.decision_function(rows[0]))


def test_a_type_that_was_never_written_is_refused(rows):
    with pytest.raises(ModelError, match="OwnLogistic"):
        load_archive(skops.io.dumps({"classifier": OwnLogistic().fit(*rows)}))


@pytest.mark.parametrize("data", [b"", b"not an archive", None])
def test_damaged_bytes_are_refused(data, rows):
    whole = skops.io.dumps({"classifier": LogisticRegression().fit(*rows)})
    with pytest.raises(ModelError, match="copy or fit the model again"):
        load_archive(whole[:-30] if data is None else data)


def test_an_archive_of_something_else_is_refused():
    with pytest.raises(ModelError, match="holds a list"):
        load_archive(skops.io.dumps([1, 2]))


def test_an_array_missing_from_the_archive_is_refused(rows):
    whole = skops.io.dumps({"classifier": LogisticRegression().fit(*rows)})
    buffer = io.BytesIO()
    with ZipFile(io.BytesIO(whole)) as source, ZipFile(buffer, "w") as target:
        target.writestr("schema.json", json.dumps(json.loads(source.read("schema.json"))))
    with pytest.raises(ModelError, match="cannot be read"):
        load_archive(buffer.getvalue())


def test_without_skops_the_way_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "skops.io", None)
    with pytest.raises(ModelError, match="saved by an earlier version, with skops, which is not installed; pip"):
        load_archive(b"")
