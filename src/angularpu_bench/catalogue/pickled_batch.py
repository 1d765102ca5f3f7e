"""CIFAR's pickles, read without unpickling them: no class is looked up and no function is called.

A pickle is a little program for a machine with a stack. The few instructions that these files use are followed here.
What they would have NumPy call is only written down, compared with what NumPy writes for an array of bytes, and the
array is made of the bytes alone.
"""

import io
import itertools
import pickletools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

MOST_BYTES = 1 << 26  # an official batch has 31 MB
MOST_STEPS = 1_000_000  # and 40,000 instructions
_MARK = object()

_NAMES = {
    ("numpy", "ndarray"): "ndarray",
    ("numpy", "dtype"): "dtype",
    # The module has moved between versions of NumPy.
    **{(f"numpy.{core}.multiarray", "_reconstruct"): "reconstruct" for core in ("core", "_core")},
    **{(f"numpy.{core}.numeric", "_frombuffer"): "frombuffer" for core in ("core", "_core")},
}


@dataclass(frozen=True)
class _Name:
    """One of NumPy's functions and classes that an array's pickle names."""

    name: str


@dataclass
class _Call:
    """A call that the pickle asks for, and the state that it gives the result; never made."""

    function: str
    arguments: tuple[Any, ...]
    state: Any = None


def read_pickled_batch(path: Path) -> tuple[NDArray[np.uint8], list[int]]:
    """Return the pixels (n, columns) and labels of a pickled batch.

    Raises
    ------
    ValueError
        If the pickle is damaged, or holds or asks for anything but such a batch.
    """
    if path.stat().st_size > MOST_BYTES:
        raise ValueError(f"it has more than {MOST_BYTES:,} bytes")
    content = _Machine().run(path.read_bytes())
    if not isinstance(content, dict) or not {"data", "labels"} <= set(content):
        raise ValueError("it holds no data, or no labels")
    labels = content["labels"]
    if not isinstance(labels, list) or not all(type(label) is int for label in labels):
        raise ValueError("its labels are no list of whole numbers")
    return _make_array(content["data"]), labels


class _Machine:
    """Follows the instructions of a pickle on values that are plain: bytes, text, numbers, lists, dicts and tuples."""

    def __init__(self) -> None:
        self.stack: list[Any] = []
        self.memo: dict[int, Any] = {}

    def run(self, pickled: bytes) -> Any:
        """Return what the pickle leaves on the stack."""
        for step, (code, argument, _) in enumerate(pickletools.genops(io.BytesIO(pickled))):
            if step == MOST_STEPS:
                raise ValueError(f"it has more than {MOST_STEPS:,} instructions")
            if code.name == "STOP":
                return self.stack.pop()
            if code.name in _PUSHED:
                self.stack.append(_PUSHED[code.name](argument))
            elif code.name in _STEPS:
                _STEPS[code.name](self, argument)
            else:
                raise ValueError(f"it has an instruction {code.name}, which no batch has")
        raise ValueError("it ends too early")

    def take_marked(self) -> list[Any]:
        """Take what stands above the last mark, and the mark."""
        taken = list(itertools.takewhile(lambda value: value is not _MARK, reversed(self.stack)))[::-1]
        self.take(len(taken) + 1)
        return taken

    def take(self, n: int) -> tuple[Any, ...]:
        """Take the last n values."""
        if len(self.stack) < n:
            raise ValueError("it takes more values than it has")
        taken = tuple(self.stack[-n:])
        del self.stack[-n:]
        return taken

    def name(self, module: Any, name: Any) -> None:
        """Push one of the few names that an array needs."""
        known = _NAMES.get((str(module), str(name)))
        if known is None:
            raise ValueError(f"it asks for {module}.{name}, which is not an array")
        self.stack.append(_Name(known))

    def call(self, _: Any) -> None:
        """Write a call down."""
        function, arguments = self.take(2)
        if not isinstance(function, _Name) or not isinstance(arguments, tuple):
            raise ValueError("it calls what is no function")
        self.stack.append(_Call(function.name, arguments))

    def build(self, _: Any) -> None:
        """Write down the state that the result of a call gets."""
        (state,) = self.take(1)
        if not isinstance(self.stack[-1], _Call):
            raise ValueError("it gives a state to what has none")
        self.stack[-1].state = state

    def extend(self, items: list[Any]) -> None:
        """Add items to a list."""
        if not isinstance(self.stack[-1], list):
            raise ValueError("it adds to what is no list")
        self.stack[-1].extend(items)

    def fill(self, items: list[Any]) -> None:
        """Add pairs of keys and values to a dict."""
        if not isinstance(self.stack[-1], dict) or len(items) % 2:
            raise ValueError("it adds names to what has none")
        self.stack[-1].update(zip(map(_as_text, items[::2]), items[1::2], strict=True))


def _as_text(key: Any) -> str:
    if not isinstance(key, bytes | str):
        raise ValueError("a name in it is no text")
    return key.decode("latin-1") if isinstance(key, bytes) else key


def _make_array(call: Any) -> NDArray[np.uint8]:
    """Make the array that NumPy would have made, if the call is one for bytes in two dimensions."""
    match call:
        case _Call("reconstruct", (_Name("ndarray"), (0,), b"b" | "b"), (1, shape, dtype, False, content)):
            pass
        case _Call("frombuffer", (content, dtype, shape, "C" | b"C"), None):
            pass
        case _:
            raise ValueError("its data are no array")
    match dtype:
        case _Call("dtype", ("u1" | b"u1", *_), (3, "|" | b"|", None, None, None, -1, -1, 0)):
            pass
        case _:
            raise ValueError("its data are not of type uint8")
    match content, shape:
        case bytes(), (int(rows), int(columns)) if min(rows, columns) >= 0 and rows * columns == len(content):
            return np.frombuffer(content, np.uint8).reshape(rows, columns)
    raise ValueError("its data are not as many as their shape says")


_PUSHED: dict[str, Callable[[Any], Any]] = {
    "MARK": lambda _: _MARK,
    "NONE": lambda _: None,
    "NEWTRUE": lambda _: True,
    "NEWFALSE": lambda _: False,
    "EMPTY_DICT": lambda _: {},
    "EMPTY_LIST": lambda _: [],
    "EMPTY_TUPLE": lambda _: (),
    **dict.fromkeys(("BININT", "BININT1", "BININT2"), lambda number: number),
    **dict.fromkeys(("SHORT_BINUNICODE", "BINUNICODE"), lambda text: text),
    **dict.fromkeys(("SHORT_BINBYTES", "BINBYTES", "BINBYTES8", "BYTEARRAY8"), bytes),
    **dict.fromkeys(("SHORT_BINSTRING", "BINSTRING"), lambda text: text.encode("latin-1")),  # of Python 2
}
_STEPS: dict[str, Callable[[_Machine, Any], None]] = {
    **dict.fromkeys(("PROTO", "FRAME"), lambda machine, _: None),
    **dict.fromkeys(("BINPUT", "LONG_BINPUT"), lambda machine, at: machine.memo.update({at: machine.stack[-1]})),
    "MEMOIZE": lambda machine, _: machine.memo.update({len(machine.memo): machine.stack[-1]}),
    **dict.fromkeys(("BINGET", "LONG_BINGET"), lambda machine, at: machine.stack.append(machine.memo[at])),
    "TUPLE": lambda machine, _: machine.stack.append(tuple(machine.take_marked())),
    "TUPLE1": lambda machine, _: machine.stack.append(machine.take(1)),
    "TUPLE2": lambda machine, _: machine.stack.append(machine.take(2)),
    "TUPLE3": lambda machine, _: machine.stack.append(machine.take(3)),
    "GLOBAL": lambda machine, names: machine.name(*names.split(" ", 1)),
    "STACK_GLOBAL": lambda machine, _: machine.name(*machine.take(2)),
    "REDUCE": _Machine.call,
    "BUILD": _Machine.build,
    "APPENDS": lambda machine, _: machine.extend(machine.take_marked()),
    "APPEND": lambda machine, _: machine.extend(list(machine.take(1))),
    "SETITEMS": lambda machine, _: machine.fill(machine.take_marked()),
    "SETITEM": lambda machine, _: machine.fill(list(machine.take(2))),
}
