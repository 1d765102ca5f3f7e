"""A skops archive made reproducible: nothing in it differs from one run to the next."""

import hashlib
import io
import json
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import numpy as np

SCHEMA = "schema.json"
DATE = (1980, 1, 1, 0, 0, 0)  # the earliest a zip can state


def make_reproducible(archive: bytes) -> bytes:
    """Rewrite an archive so that equal objects give equal bytes.

    skops names arrays and objects by their addresses in memory and dates every file. Here an array is named by its
    content, so that equal ones are stored once. Objects are numbered in the order of their first appearance; plain
    values, which need no identity, lose their number. The unused bytes between the fields of a record become zero.
    Dates are fixed and the files compressed.

    Parameters
    ----------
    archive : bytes
        As skops.io.dumps returns it.
    """
    with ZipFile(io.BytesIO(archive)) as source:
        content = {name: _clear_padding(name, source.read(name)) for name in source.namelist()}
    schema = json.loads(content.pop(SCHEMA))
    names = {name: _name_by_content(name, data) for name, data in content.items()}
    _rename(schema, names, {})
    files = {names[name]: data for name, data in content.items()}
    files[SCHEMA] = json.dumps(schema, separators=(",", ":")).encode()
    buffer = io.BytesIO()
    with ZipFile(buffer, "w") as target:
        for name in sorted(files):
            target.writestr(ZipInfo(name, DATE), files[name], compress_type=ZIP_DEFLATED)
    return buffer.getvalue()


def _clear_padding(name: str, data: bytes) -> bytes:
    if not name.endswith(".npy"):
        return data
    array = np.load(io.BytesIO(data), allow_pickle=False)
    if array.dtype.names is None:
        return data
    cleared = np.zeros(array.shape, array.dtype)  # zeros_like would leave the gaps as they were
    for field in array.dtype.names:
        cleared[field] = array[field]
    buffer = io.BytesIO()
    np.save(buffer, cleared, allow_pickle=False)
    return buffer.getvalue()


def _name_by_content(name: str, data: bytes) -> str:
    return f"{hashlib.sha256(data).hexdigest()}.{name.rpartition('.')[2]}"


def _rename(node: Any, names: dict[str, str], numbers: dict[int, int]) -> None:
    """Replace addresses in a schema, in place."""
    if isinstance(node, list):
        for item in node:
            _rename(item, names, numbers)
    elif isinstance(node, dict):
        if "__loader__" in node:
            address = node.pop("__id__", None)
            if address is not None and node["__loader__"] != "JsonNode":
                node["__id__"] = numbers.setdefault(address, len(numbers) + 1)
            if isinstance(node.get("file"), str):
                node["file"] = names[node["file"]]
        for item in node.values():
            _rename(item, names, numbers)
