"""Quotes in a CSV file that open a cell and are never closed, found as Arrow reads them.

To Arrow a quote opens a cell only at the cell's start. Inside, two quotes are one of the text and a single one ends the
quoting; any later quote of the cell is text. Where a closing quote is missing, Arrow takes the next lines for more of
the cell and says nothing, so rows vanish.
"""

import io
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from angularpu.errors import DataError

_BLOCK = 1 << 22
_BOM = b"\xef\xbb\xbf"
_QUOTE = ord('"')
_BREAKS = frozenset(b",\r\n")  # what stands before a quote that opens a cell, and behind one that closes it
_REGULAR = np.isin(np.arange(256), [*_BREAKS, _QUOTE])
_END_OF_CELL = re.compile(rb"[ \t]*(?:[,\r\n]|\Z)")
_LINE_BREAK = re.compile(rb"[\r\n]")


class CountedFile(io.FileIO):
    """A file that counts the lines read from it: a table with as many lines as rows has no cell of several lines."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.breaks = 0
        self._last = b"\n"

    @property
    def lines(self) -> int:
        """How many lines have been read, the last one whether or not it ended."""
        return self.breaks + (self._last not in b"\r\n")

    def read(self, size: int | None = -1) -> bytes:
        """Return the next bytes."""
        block = super().read(-1 if size is None else size)
        if block:
            self.breaks += _count_breaks(block) - (self._last == b"\r" and block.startswith(b"\n"))
            self._last = block[-1:]
        return block


class StrayQuote(NamedTuple):
    """Where a quote stands that opens a cell, and the one that ends it in the middle of text; None if none does."""

    opened: int
    ended: int | None


def refuse_stray_quote(path: Path) -> None:
    """Raise with its line when a quote opens a cell and is not closed as it should be.

    A cell may hold several lines. But one whose closing quote is followed by more text has swallowed the rows up to the
    opening quote of another cell.
    """
    with path.open("rb") as file:
        stray = find_stray_quote(iter(lambda: file.read(_BLOCK), b""))
    if stray is None:
        return
    how = (
        "the file ends before it is closed"
        if stray.ended is None
        else f"the next quote, in line {find_line(path, stray.ended)}, stands in the middle of a text"
    )
    line = find_line(path, stray.opened)
    raise DataError(f"{path}, line {line}: a quote opens a cell, but {how}; add the closing quote or remove this one")


def ends_in_quotes(path: Path) -> bool:
    """Tell whether the last line, read by itself, ends before a quote of it is closed."""
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - 2 * _BLOCK))  # Arrow has read no line that is longer
        text = file.read().rstrip(b"\r\n")
    return find_stray_quote([text[max(text.rfind(b"\n"), text.rfind(b"\r")) + 1 :]]) is not None


def find_stray_quote(blocks: Iterable[bytes]) -> StrayQuote | None:
    r"""Return the first quote of a CSV file, given in blocks of any size, that is not closed as it should be.

    >>> find_stray_quote([b'a,b\n1,"x"\n2,"y\n'])
    StrayQuote(opened=12, ended=None)
    >>> find_stray_quote([b'a,b\n1,"x""\n', b'y"\n2,5" pipe\n'])
    """
    scan = _Scan()
    for block in _end_beside_quotes(blocks):
        scan.read(block)
        if scan.stray:
            return scan.stray
    return StrayQuote(scan.opened, None) if scan.inside else None


class _Scan:
    """Follows the quotes of a file; no block but the last may end in a quote."""

    def __init__(self) -> None:
        self.inside = False
        self.opened = 0  # the first quote of the current cell, or of an earlier one
        self.stray: StrayQuote | None = None
        self._spans = False  # whether the current cell has had a line break in an earlier block
        self._offset = 0
        self._before = ord("\n")

    def read(self, block: bytes) -> None:
        if self._offset == 0 and block.startswith(_BOM):
            self._offset, block = len(_BOM), block[len(_BOM) :]
        content = np.frombuffer(block, np.uint8)
        quotes = np.flatnonzero(content == _QUOTE)
        if len(quotes):
            before, after = content[quotes - 1], content[np.minimum(quotes + 1, len(content) - 1)]
            if quotes[0] == 0:
                before[0] = self._before
            if quotes[-1] == len(content) - 1:
                after[-1] = ord("\n")
            opening, closing = slice(int(self.inside), None, 2), slice(1 - int(self.inside), None, 2)
            # Where every other quote opens a cell, or is the second of two, and the others close one, counting will do.
            if _REGULAR[before[opening]].all() and _REGULAR[after[closing]].all():
                first = quotes[opening][before[opening] != _QUOTE]
                if len(first):
                    self.opened, self._spans = self._offset + int(first[-1]), False
                self.inside ^= bool(len(quotes) % 2)
            else:
                self._follow(block, zip(quotes.tolist(), before.tolist(), strict=True))
        if self.inside:
            self._spans |= self._has_break(block, len(block))
        self._offset += len(block)
        self._before = block[-1] if block else self._before

    def _follow(self, block: bytes, quotes: Iterable[tuple[int, int]]) -> None:
        """Follow one quote after another: some stand in the middle of text."""
        closed = -2
        for place, before in quotes:
            if self.inside:
                self.inside, closed = False, place
                ends_here = block[place + 1 : place + 2] == b'"' or _END_OF_CELL.match(block, place + 1)
                if not ends_here and (self._spans or self._has_break(block, place)):
                    self.stray = StrayQuote(self.opened, self._offset + place)
                    return
            elif place == closed + 1:
                self.inside = True
            elif before in _BREAKS:
                self.inside, self.opened, self._spans = True, self._offset + place, False

    def _has_break(self, block: bytes, end: int) -> bool:
        return _LINE_BREAK.search(block, max(0, self.opened - self._offset), end) is not None


def _end_beside_quotes(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """Move quotes and blanks at the end of a block to the next one, so that what follows a quote is known."""
    held = b""
    for block in blocks:
        text = held + block
        kept = text.rstrip(b' \t"')
        held = text[len(kept) :]
        if kept:
            yield kept
    if held:
        yield held


def find_line(path: Path, place: int) -> int:
    """Return the number of the line in which a byte stands, as an editor counts."""
    with CountedFile(path) as file:
        while place > 0:
            place -= len(file.read(min(place, _BLOCK)))
        return file.breaks + 1


def _count_breaks(block: bytes) -> int:
    returns = block.count(b"\r")
    feeds = int(np.count_nonzero(np.frombuffer(block, np.uint8) == ord("\n")))
    return feeds + (returns - block.count(b"\r\n") if returns else 0)
