"""Columns of a table as a page holds them: numbers as they are, few values by their numbers, other text as it is."""

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from angularpu.data.columns import as_numbers, as_text, value_kind, whole
from angularpu.explore.container import Sections

FEW = 4_096  # different values that are written once each
BUDGET = 22_000_000  # bytes of all columns, before they are compressed
LENGTHS = (4_000, 1_000, 400, 150, 60)  # characters of a text that are kept, as the budget allows
LONGEST = LENGTHS[0]


class ColumnWriter:
    """Writes columns until a budget is spent; then only the best rows keep theirs.

    Parameters
    ----------
    sections : Sections
    deep : int64 array
        The rows of which all is kept.
    """

    def __init__(self, sections: Sections, deep: NDArray[np.int64]) -> None:
        self._sections, self._deep, self._left = sections, deep, BUDGET
        self.specs: list[dict[str, Any]] = []

    def write(self, name: str, column: Any, *, deep: bool = False) -> None:
        """Append a column of all rows, or, with ``deep``, of those of which all is kept."""
        array = whole(column)
        spec: dict[str, Any] = {"name": name, "deep": deep}
        kind = value_kind(array.type)
        is_number = kind in ("number", "duration") and not pa.types.is_boolean(array.type)
        encoded = _encode_numbers(array, kind) if is_number else self._encode_text(array)
        size = sum(part.nbytes for part in encoded["arrays"].values())
        if size > self._left and not deep:
            self.write(name, array.take(pa.array(self._deep)), deep=True)
            return
        self._left -= size
        for part, values in encoded.pop("arrays").items():
            key = f"{part} {len(self.specs)}"
            self._sections.add(key, values)
            spec[part] = key
        self.specs.append(spec | encoded)

    def _encode_text(self, array: pa.Array) -> dict[str, Any]:
        text = pc.utf8_slice_codeunits(as_text(array), 0, LONGEST)
        coded = pc.dictionary_encode(text)
        if len(coded.dictionary) <= FEW:
            codes = coded.indices.fill_null(len(coded.dictionary)).to_numpy(zero_copy_only=False)
            words = [*coded.dictionary.to_pylist(), None]
            return {"kind": "code", "words": words, "arrays": {"values": _narrow(codes)}}
        for longest in LENGTHS:
            short = pc.utf8_slice_codeunits(text, 0, longest)
            size = int(pc.sum(pc.binary_length(short)).as_py() or 0)
            if size + 4 * len(array) <= max(self._left, 0) or longest == LENGTHS[-1]:
                break
        cells = [None if cell is None else cell.encode("utf-8", "replace") for cell in short.to_pylist()]
        ends = np.cumsum([len(cell or b"") for cell in cells], dtype=np.uint32)
        content = np.frombuffer(b"".join(cell or b"" for cell in cells), np.uint8)
        return {"kind": "text", "cut": longest, "arrays": {"values": content, "ends": ends}}


def _encode_numbers(array: pa.Array, kind: Any) -> dict[str, Any]:
    values = np.asarray(as_numbers(array, kind, name=""), np.float64)
    if not len(values) or not np.isfinite(values).all() or (values != np.round(values)).any():
        return {"kind": "number", "arrays": {"values": values.astype(np.float32)}}
    if np.abs(values).max() >= 2**31:
        return {"kind": "number", "arrays": {"values": values}}
    return {"kind": "number", "arrays": {"values": _narrow(values.astype(np.int64))}}


def _narrow(values: NDArray[Any]) -> NDArray[Any]:
    """Return whole numbers in as few bytes as they need."""
    for name in ("uint8", "int8", "uint16", "int16"):
        limits = np.iinfo(name)
        if not len(values) or (values.min() >= limits.min and values.max() <= limits.max):
            return values.astype(name)
    return values.astype(np.int32)
