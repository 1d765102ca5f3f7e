"""A fingerprint for every raw row, by which a row is found again in another file or after another fit."""

import hashlib
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import scipy.sparse as sp
from numpy.typing import NDArray

from angularpu.data.columns import as_numbers, as_text, value_kind, whole
from angularpu.data.row_hashes import hash_rows
from angularpu.data.rows import Block

MISSING = 0x6D697373696E6721  # a number of its own, so that a missing value is not an empty text


def fingerprint_each(block: Block) -> NDArray[np.int64]:
    """Return 64 bits for every raw row: equal rows have equal numbers, others differ but for a chance of one in 2^64.

    They depend on the values alone: not on the order of rows or named columns, nor on how a model prepares them. A
    whole number and the same decimal number are one value.

    Parameters
    ----------
    block : pyarrow.Table, array of shape (n, ...), or CSR matrix
        The columns that a model was fitted on.

    Examples
    --------
    >>> a = fingerprint_each(pa.table({"age": [31, 45], "city": ["Oslo", None]}))
    >>> b = fingerprint_each(pa.table({"city": [None, "Oslo"], "age": [45.0, 31.0]}))
    >>> bool(a[0] == b[1]), bool(a[1] == b[0]), bool(a[0] == a[1])
    (True, True, False)
    """
    if isinstance(block, pa.Table):
        total = np.zeros(block.num_rows, np.uint64)
        for name, column in zip(block.column_names, block.columns, strict=True):
            total += _code(whole(column)) * (_hash_text(f"column {name}") | np.uint64(1))
        return total.view(np.int64)
    rows = block if sp.issparse(block) else np.asarray(block)
    return hash_rows(rows.astype(np.float32))


def write_fingerprint(number: int) -> str:
    """Write a fingerprint as text that no spreadsheet takes for a number.

    >>> write_fingerprint(-1), write_fingerprint(10)
    ('rffffffffffffffff', 'r000000000000000a')
    """
    return f"r{int(number) & (1 << 64) - 1:016x}"


def _code(column: pa.Array) -> NDArray[np.uint64]:
    """Return a number for every value of a column."""
    kind = value_kind(column.type)
    if kind in ("number", "date", "duration"):
        values = np.asarray(as_numbers(column, kind, name=""), np.float64) + 0.0  # -0 becomes 0
        code = values.view(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        code = (code ^ (code >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
        code = code ^ (code >> np.uint64(32))
        code[np.isnan(values)] = MISSING
        return code
    coded = pc.dictionary_encode(as_text(column))
    words: list[Any] = [_hash_text(f"text {word}") for word in coded.dictionary.to_pylist()]
    table: NDArray[np.uint64] = np.array([*words, np.uint64(MISSING)], np.uint64)
    found: NDArray[np.uint64] = table[coded.indices.fill_null(len(words)).to_numpy()]
    return found


def _hash_text(text: str) -> np.uint64:
    return np.uint64(int.from_bytes(hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).digest(), "little"))
