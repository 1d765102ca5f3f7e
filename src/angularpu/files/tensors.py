"""A safetensors file's table of contents, compared with the file before any tensor is read."""

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from io import BufferedReader
from typing import Any

from angularpu.errors import ModelError
from angularpu.files.json_text import parse_json

LENGTH = 8  # bytes in front of the table of contents, which say how long it is
LARGEST_HEADER = 4 << 20  # 40,000 tensors
MOST_DIMENSIONS = 16
_TYPES = {
    **{f"F{bits}": f"float{bits}" for bits in (16, 32, 64)},
    **{f"I{bits}": f"int{bits}" for bits in (8, 16, 32, 64)},
    **{f"U{bits}": f"uint{bits}" for bits in (8, 16, 32, 64)},
    "BOOL": "bool",
}
_BYTES = {"bool": 1, **{f"{kind}{8 * n}": n for kind in ("float", "int", "uint") for n in (1, 2, 4, 8)}}


@dataclass(frozen=True)
class Outline:
    """What is known of an array that is not made yet.

    Attributes
    ----------
    shape : tuple of int or None
        None: of any length.
    dtype : str or None
        NumPy's name of the type; None: any.
    """

    shape: tuple[int | None, ...]
    dtype: str | None = None

    def fits(self, found: "Outline") -> bool:
        """Tell whether an array is as expected.

        >>> Outline((None, 2), "float32").fits(Outline((5, 2), "float32")), Outline((3,)).fits(Outline((4,), "int8"))
        (True, False)
        """
        lengths = len(self.shape) == len(found.shape) and all(
            wanted in {None, there} for wanted, there in zip(self.shape, found.shape, strict=True)
        )
        return lengths and self.dtype in {None, found.dtype}

    def __str__(self) -> str:
        lengths = " x ".join("n" if length is None else str(length) for length in self.shape)
        return f"{self.dtype or 'numbers'} [{lengths}]"


def read_outlines(file: BufferedReader) -> dict[str, Outline]:
    """Return the names, shapes and types of a safetensors file's tensors, which together are as long as the file.

    The file is left at its beginning.

    Raises
    ------
    ModelError
        When the file is no safetensors file, or is shorter or longer than its tensors.
    """
    size = os.fstat(file.fileno()).st_size
    length = int.from_bytes(file.read(LENGTH), "little")
    if not 0 < length <= min(LARGEST_HEADER, size - LENGTH):
        raise ModelError(f"its table of contents cannot have {length} of {size} bytes")
    try:
        header = parse_json(file.read(length))
        header.pop("__metadata__", None)
        spans = {name: _read_entry(entry) for name, entry in header.items()}
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise ModelError(f"its table of contents cannot be read ({error})") from error
    file.seek(0)
    ends = [0, *(end for _, end in sorted(span for span, _ in spans.values()))]
    starts = [*sorted(start for (start, _), _ in spans.values()), size - LENGTH - length]
    if ends != starts:
        raise ModelError(f"its tensors do not fill its {size} bytes")
    return {name: outline for name, (_, outline) in spans.items()}


def refuse_mismatch(found: Mapping[str, Outline], expected: Mapping[str, Outline]) -> None:
    """Refuse arrays of which one is missing, unknown, or of another shape or type than expected.

    >>> refuse_mismatch({"a": Outline((2,), "int8")}, {"a": Outline((3,), "int8")})
    Traceback (most recent call last):
    angularpu.errors.ModelError: the array 'a' is int8 [2] and must be int8 [3]
    """
    for name, outline in expected.items():
        if name not in found:
            raise ModelError(f"the array {name!r} is missing")
        if not outline.fits(found[name]):
            raise ModelError(f"the array {name!r} is {found[name]} and must be {outline}")
    unknown = sorted(set(found) - set(expected))
    if unknown:
        raise ModelError(f"the array {unknown[0]!r} is not one of the model's")


def _read_entry(entry: Mapping[str, Any]) -> tuple[tuple[int, int], Outline]:
    """Return where a tensor lies behind the table of contents, and its outline."""
    dtype, shape, (start, end) = _TYPES[entry["dtype"]], entry["shape"], entry["data_offsets"]
    numbers = [*shape, start, end]
    if len(shape) > MOST_DIMENSIONS or not all(type(number) is int and number >= 0 for number in numbers):
        raise ValueError("a shape or an offset is no list of whole numbers")
    if end - start != math.prod(shape) * _BYTES[dtype]:
        raise ValueError(f"a tensor of shape {shape} cannot have {end - start} bytes")
    return (start, end), Outline(tuple(shape), dtype)
