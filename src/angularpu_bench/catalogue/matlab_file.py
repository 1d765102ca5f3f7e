"""MATLAB's files of version 5, read as arrays of numbers: scipy's reader ends the process over some damaged ones."""

import math
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

MOST_BYTES = 1 << 29  # SVHN's training images have 225 MB
HEADER, TAG = 128, 8
_MATRIX, _COMPRESSED = 14, 15
_ORDERS = {b"IM": "<", b"MI": ">"}
# How values are stored, by MATLAB's number of the type.
_TYPES = {1: "i1", 2: "u1", 3: "i2", 4: "u2", 5: "i4", 6: "u4", 7: "f4", 9: "f8", 12: "i8", 13: "u8"}
_CLASSES = {6: "f8", 7: "f4", 8: "i1", 9: "u1", 10: "i2", 11: "u2", 12: "i4", 13: "u4", 14: "i8", 15: "u8"}


def read_matlab(path: Path) -> dict[str, NDArray[Any]]:
    """Return the arrays of numbers in a file by name; a ValueError or zlib.error if it is damaged or more.

    Parameters
    ----------
    path : Path
    """
    if path.stat().st_size > MOST_BYTES:
        raise ValueError(f"it has more than {MOST_BYTES:,} bytes")
    data = memoryview(path.read_bytes())
    order = _ORDERS.get(bytes(data[HEADER - 2 : HEADER]))
    if order is None:
        raise ValueError("it is not a file of MATLAB's version 5")
    arrays = {}
    for kind, content in _walk(data[HEADER:], order):
        if kind == _COMPRESSED:
            ((kind, content),) = _walk(_unfold(content), order)
        if kind != _MATRIX:
            raise ValueError(f"it holds an element of type {kind}, which is no array")
        name, array = _read_array(content, order)
        arrays[name] = array
    return arrays


def _walk(data: memoryview, order: str) -> Iterator[tuple[int, memoryview]]:
    """Walk through the elements: their types and their bytes."""
    while len(data):
        if len(data) < TAG:
            raise ValueError("it ends too early")
        kind, size = struct.unpack(f"{order}II", data[:TAG])
        start, end = TAG, TAG + size + (-size % 8 if kind != _COMPRESSED else 0)
        if kind >> 16:  # at most four bytes, which stand in the tag itself
            kind, size, start, end = kind & 0xFFFF, kind >> 16, TAG // 2, TAG
        if start + size > min(end, len(data)):
            raise ValueError("an element is longer than its place")
        yield kind, data[start : start + size]
        data = data[end:]


def _unfold(content: memoryview) -> memoryview:
    unfolding = zlib.decompressobj()
    unfolded = unfolding.decompress(content, MOST_BYTES)
    if unfolding.unconsumed_tail or not unfolding.eof:
        raise ValueError(f"it is damaged, or unfolds to more than {MOST_BYTES:,} bytes")
    return memoryview(unfolded)


def _read_array(content: memoryview, order: str) -> tuple[str, NDArray[Any]]:
    (_, flags), (_, lengths), (_, name), *values = _walk(content, order)
    if len(flags) != 8 or len(lengths) % 4 or len(values) != 1:
        raise ValueError("an array in it is complex, sparse or damaged")
    kind = struct.unpack(f"{order}I", flags[:4])[0] & 0xFF
    stored, found = values[0]
    if kind not in _CLASSES or stored not in _TYPES:
        raise ValueError("it holds something else than numbers")
    dtype, shape = np.dtype(f"{order}{_TYPES[stored]}"), struct.unpack(f"{order}{len(lengths) // 4}i", lengths)
    if min(shape, default=-1) < 0 or math.prod(shape) * dtype.itemsize != len(found):
        raise ValueError(f"an array of shape {shape} cannot have {len(found)} bytes")
    return bytes(name).decode("latin-1"), np.frombuffer(found, dtype).reshape(shape, order="F").astype(_CLASSES[kind])
