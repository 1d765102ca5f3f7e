"""Parquet columns of unusual types, and content that is not what the types say."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from angularpu.data.io.tables import open_table
from angularpu.data.io.writing import open_writer
from angularpu.data.prepare.preparation import fit_preparation
from angularpu.data.sources import as_rows
from angularpu.errors import DataError

WORDS = ["Oslo", "Rome", None, "Oslo"]


@pytest.mark.parametrize(
    "column",
    [
        pa.array(WORDS, pa.string_view()),
        pa.DictionaryArray.from_arrays(pa.array([0, 1, None, 0]), pa.array(["Oslo", "Rome"], pa.string_view())),
    ],
    ids=["views", "dictionary of views"],
)
def test_views_of_text_are_text(tmp_path, column):
    expected = fit_preparation(as_rows(pa.table({"city": WORDS}))).apply(pa.table({"city": WORDS}))
    in_memory = as_rows(pa.table({"city": column}))
    np.testing.assert_array_equal(fit_preparation(in_memory).apply(in_memory.take(np.arange(4))), expected)
    if not pa.types.is_dictionary(column.type):  # which Arrow itself does not write
        pq.write_table(pa.table({"city": column, "n": [1, 2, 3, 4]}), tmp_path / "t.parquet")
        table = open_table(tmp_path / "t.parquet").read(["city"])
        np.testing.assert_array_equal(fit_preparation(as_rows(table)).apply(table), expected)
        with open_writer(tmp_path / "o.csv") as writer:
            for batch in open_table(tmp_path / "t.parquet").batches(2):
                writer.write(batch)
        assert open_table(tmp_path / "o.csv").read()["city"].to_pylist() == WORDS


@pytest.mark.parametrize(
    "column",
    [
        pa.array([[1, 2]] * 4),
        pa.array([{"a": 1}] * 4),
        pa.array([b"x"] * 4, pa.binary_view()),
        pa.array([[("a", 1)]] * 4, pa.map_(pa.string(), pa.int8())),
    ],
    ids=["list", "struct", "bytes", "map"],
)
def test_lists_structs_and_bytes_are_refused_by_name(tmp_path, column):
    pq.write_table(pa.table({"odd": column, "n": [1, 2, 3, 4]}), tmp_path / "t.parquet")
    table = open_table(tmp_path / "t.parquet").read()
    with pytest.raises(DataError, match=r"column 'odd' holds values of type .*; pass numbers, booleans, dates, text"):
        fit_preparation(as_rows(table))
    if not pa.types.is_binary_view(column.type):
        with (
            pytest.raises(DataError, match=r"'odd' holds values of type .*, which CSV cannot hold; write a .parquet"),
            open_writer(tmp_path / "o.csv") as writer,
        ):
            writer.write(table)
        assert [path.name for path in tmp_path.iterdir()] == ["t.parquet"]


def test_text_that_is_not_utf8_is_refused(tmp_path):
    bad = pa.Array.from_buffers(pa.string(), 2, pa.array([b"a", b"\xff\xfe"]).buffers())
    pq.write_table(pa.table({"t": bad}), tmp_path / "t.parquet")
    with pytest.raises(DataError, match=r"t\.parquet cannot be read as Parquet: .*UTF8"):
        open_table(tmp_path / "t.parquet").read()
    with pytest.raises(DataError, match="UTF8"):
        list(open_table(tmp_path / "t.parquet").batches(1))
