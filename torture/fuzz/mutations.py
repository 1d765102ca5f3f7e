"""Changes of bytes, texts, JSON and tensors, as damage and as malice make them."""

import copy
import json
import random
from collections.abc import Callable
from typing import Any

import numpy as np
from safetensors.numpy import load, save

LENGTH = 8  # bytes of a safetensors file that say how long its table of contents is
NUMBERS = (0, 1, -1, 127, 255, 2**15, 2**31 - 1, 2**31, 2**32 - 1, 2**53, 2**63 - 1, 2**64 - 1)
TOKENS = (
    b'"', b",", b"\n", b"\r\n", b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"nan", b"inf", b"-inf", b"1e999", b"9" * 70,
    b"\x1b[2J", b"\xed\xa0\x80", b"'", b"{", b"[", b"]", b"}", b"\\u0000", b"PK\x03\x04", b"\x93NUMPY", b"PAR1", b"|O",
    b"(9223372036854775807,)", b"=1+1", b"\xf0\x9f\x98\x80", b"\t", b" ", b"True", b"None", b"-0", b"0x10", b"1_000",
)  # fmt: skip
VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 10**7, 2**31, 2**53, 2**53 + 1, 2**63, 10**59, -(10**59), 0.5, -0.5, 1e-320, 1e308,
    float("nan"), float("inf"), -float("inf"), "", "x", "x" * 300, "\u202e\x1b[2J", "../../etc/passwd", "angular",
    "custom", "bagging", "nnpu", "oracle_pn", "1", "nan", [], [0], [[]], [None], {}, {"a": 1}, {"": None}, [1, 2],
    ["a", "a"], [1] * 50,
)  # fmt: skip


def damage(data: bytes, rng: random.Random, *, other: bytes = b"") -> bytes:
    """Change bytes in one to four ways; ``other`` is what pieces are taken from."""
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        data = rng.choice(_BYTES)(data, rng, other or data)
    return data


def edit_json(content: Any, rng: random.Random) -> Any:
    """Return a copy of JSON in which one to three places are changed."""
    content = copy.deepcopy(content)
    for _ in range(rng.choice((1, 1, 2, 3))):
        holder, key = _choose_place(content, rng)
        if holder is None:
            return rng.choice(VALUES)
        _change(holder, key, rng)
    return content


def edit_tensors(data: bytes, rng: random.Random) -> bytes:
    """Return a safetensors file of which an array, or the table of contents, is changed."""
    if rng.random() < 0.3:
        return _edit_contents(data, rng)
    arrays = {name: array.copy() for name, array in load(data).items()}
    for _ in range(rng.choice((1, 1, 2))):
        name = rng.choice(sorted(arrays)) if arrays else "x"
        rng.choice(_ARRAYS)(arrays, name, rng)
    return save({name: np.ascontiguousarray(array) for name, array in arrays.items()})


def _place(data: bytes, rng: random.Random) -> int:
    return rng.randrange(len(data) + 1) if rng.random() < 0.6 else min(rng.randrange(200), len(data))


def _flip(data: bytes, rng: random.Random, other: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.choice((1, 2, 8))):
        if changed:
            changed[min(_place(data, rng), len(changed) - 1)] ^= 1 << rng.randrange(8)
    return bytes(changed)


def _cut(data: bytes, rng: random.Random, other: bytes) -> bytes:
    at = _place(data, rng)
    return data[:at] if rng.random() < 0.5 else data[:at] + data[at + rng.choice((1, 7, 64, 4096)) :]


def _insert(data: bytes, rng: random.Random, other: bytes) -> bytes:
    at, token = _place(data, rng), rng.choice(TOKENS)
    return data[:at] + token * rng.choice((1, 1, 3, 500)) + data[at + rng.choice((0, len(token))) :]


def _splice(data: bytes, rng: random.Random, other: bytes) -> bytes:
    a, b = _place(data, rng), _place(other, rng)
    return data[:a] + other[b : b + rng.choice((8, 100, 10_000))] + data[a + rng.choice((0, 8, 100)) :]


def _number(data: bytes, rng: random.Random, other: bytes) -> bytes:
    at, size, order = _place(data, rng), rng.choice((1, 2, 4, 8)), rng.choice(("little", "big"))
    number = (rng.choice(NUMBERS) % 2 ** (8 * size)).to_bytes(size, order)
    return data[:at] + number + data[at + size :]


def _repeat(data: bytes, rng: random.Random, other: bytes) -> bytes:
    at = _place(data, rng)
    return data[:at] + data[at : at + rng.choice((1, 30, 1000))] * rng.choice((2, 20)) + data[at:]


def _choose_place(content: Any, rng: random.Random) -> tuple[Any, Any]:
    """Walk down from the top to some place; return what holds it and its key there."""
    holder, key = None, None
    while isinstance(content, dict | list) and content and (holder is None or rng.random() < 0.75):
        holder, key = content, rng.choice(list(content) if isinstance(content, dict) else range(len(content)))
        content = content[key]
    return holder, key


def _change(holder: Any, key: Any, rng: random.Random) -> None:
    match rng.randrange(8):
        case 0:
            del holder[key]
        case 1 if isinstance(holder, dict):
            holder[rng.choice(("x", "", "__class__", "\u202e", f"{key}_"))] = holder.pop(key)
        case 2 if isinstance(holder, list):
            holder.extend(holder[:] * rng.choice((1, 30)))
        case 3 if isinstance(holder[key], int | float):
            holder[key] = rng.choice((holder[key] + 1, -holder[key], holder[key] * 10**6, float(holder[key])))
        case 4:
            holder[key] = [holder[key]]
        case _:
            holder[key] = copy.deepcopy(rng.choice(VALUES))


def _edit_contents(data: bytes, rng: random.Random) -> bytes:
    size = int.from_bytes(data[:LENGTH], "little")
    header = json.dumps(edit_json(json.loads(data[LENGTH : LENGTH + size]), rng)).encode()
    length = rng.choice((len(header), len(header), rng.choice(NUMBERS) % 2**64))
    return length.to_bytes(LENGTH, "little") + header + data[LENGTH + size :]


Arrays = dict[str, Any]


def _set_one(arrays: Arrays, name: str, rng: random.Random) -> None:
    if name in arrays and arrays[name].size:
        limits = (np.nan, np.inf, -np.inf, 3e38, -3e38, 0, 1, -1, 1e-40, 2**30, -(2**30))
        with np.errstate(all="ignore"):
            value = np.array(rng.choice(limits)).astype(arrays[name].dtype)
        arrays[name].flat[rng.randrange(arrays[name].size)] = value


def _set_all(arrays: Arrays, name: str, rng: random.Random) -> None:
    if name in arrays:
        arrays[name][...] = rng.choice((0, 1, 100))


def _resize(arrays: Arrays, name: str, rng: random.Random) -> None:
    if name in arrays:
        shape = [max(0, length + rng.choice((-1, 0, 1, 5))) for length in arrays[name].shape] or [1]
        arrays[name] = np.resize(arrays[name], rng.choice((shape, [0], [1, *shape], [int(np.prod(shape))])))


def _retype(arrays: Arrays, name: str, rng: random.Random) -> None:
    if name in arrays:
        with np.errstate(all="ignore"):
            arrays[name] = arrays[name].astype(rng.choice(("f4", "f8", "f2", "i8", "i4", "u1", "?")))


def _rename(arrays: Arrays, name: str, rng: random.Random) -> None:
    arrays[rng.choice(("x", f"{name}/", "algorithm/x", "held/pos", "../x", "\u202e"))] = arrays.pop(name, np.zeros(2))


def _drop(arrays: Arrays, name: str, rng: random.Random) -> None:
    arrays.pop(name, None)


def _shuffle(arrays: Arrays, name: str, rng: random.Random) -> None:
    if name in arrays and arrays[name].ndim:
        np.random.default_rng(rng.randrange(2**32)).shuffle(arrays[name])


_BYTES: tuple[Callable[[bytes, random.Random, bytes], bytes], ...] = (_flip, _cut, _insert, _splice, _number, _repeat)
_ARRAYS: tuple[Callable[[Arrays, str, random.Random], None], ...] = (
    *(_set_one, _set_one, _set_all, _resize, _retype, _rename, _drop, _shuffle),
)
