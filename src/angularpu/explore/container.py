"""Arrays and JSON in a page: small, safe whatever their content, and read at once."""

import base64
import gzip
import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

ALIGNED = 8  # bytes, so that a typed array may begin there
TYPES = {
    **{"uint8": "u1", "uint16": "u2", "uint32": "u4"},
    **{"int8": "i1", "int16": "i2", "int32": "i4"},
    **{"float32": "f4", "float64": "f8"},
}
LEVEL = 6


class Sections:
    """Arrays one behind the other, each found by its name.

    Examples
    --------
    >>> sections = Sections()
    >>> sections.add("a", np.arange(3, dtype=np.uint8))
    >>> sections.add("b", np.array([0.5], np.float32))
    >>> sections.index
    {'a': ['u1', 0, 3], 'b': ['f4', 8, 1]}
    """

    def __init__(self) -> None:
        self.index: dict[str, list[Any]] = {}
        self._parts: list[bytes] = []
        self._end = 0

    def add(self, name: str, array: NDArray[Any]) -> None:
        """Append an array of whole or floating-point numbers, little-endian, flat."""
        flat = np.ascontiguousarray(array).reshape(-1)
        content = flat.astype(flat.dtype.newbyteorder("<"), copy=False).tobytes()
        self.index[name] = [TYPES[flat.dtype.name], self._end, len(flat)]
        padding = -len(content) % ALIGNED
        self._parts.append(content + bytes(padding))
        self._end += len(content) + padding

    def pack(self) -> str:
        """Return all arrays, compressed, as base64, in which nothing can be taken for HTML."""
        return base64.b64encode(gzip.compress(b"".join(self._parts), LEVEL, mtime=0)).decode("ascii")


def dump_for_page(content: Any) -> str:
    r"""Return JSON that may stand inside a script element, whatever texts are in it.

    >>> dump_for_page({"</script>": "a & b\u2028"})
    '{"\\u003c/script\\u003e":"a \\u0026 b\\u2028"}'
    """
    text = json.dumps(content, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text
