"""Files that are no UTF-8 text, named as what they are."""

import codecs
from pathlib import Path

from angularpu.data.io.quotes import find_line
from angularpu.errors import DataError

_BLOCK = 1 << 22
_AS_UTF_8 = "save it as UTF-8, for example with iconv -f {} -t UTF-8"
_BEGINNINGS = (
    (codecs.BOM_UTF32_LE, "in UTF-32", _AS_UTF_8.format("UTF-32")),  # begins as UTF-16 does, so it stands before
    (codecs.BOM_UTF32_BE, "in UTF-32", _AS_UTF_8.format("UTF-32")),
    (codecs.BOM_UTF16_LE, "in UTF-16", _AS_UTF_8.format("UTF-16")),
    (codecs.BOM_UTF16_BE, "in UTF-16", _AS_UTF_8.format("UTF-16")),
    (b"\x1f\x8b", "compressed by gzip", "unpack it first"),
    (b"PK\x03\x04", "a zip archive, as spreadsheets are", "save the table as CSV, or unpack it first"),
    (b"PAR1", "a Parquet file", "call it .parquet"),
    (b"\x93NUMPY", "an array of NumPy", "call it .npy"),
)


def refuse_other_content(path: Path) -> None:
    """Raise when the first bytes of a file show that it is no UTF-8 text: another encoding, or no text at all."""
    with path.open("rb") as file:
        beginning = file.read(1000)
    found = name_content(beginning)
    if found is not None:
        raise DataError(f"{path} is {found}")


def name_content(beginning: bytes) -> str | None:
    r"""Say what a file is by its first bytes, and what to do; None for what may be UTF-8.

    >>> name_content("a,b\n".encode("utf-16"))
    'in UTF-16, not in UTF-8; save it as UTF-8, for example with iconv -f UTF-16 -t UTF-8'
    >>> name_content(b"a,b\n1,2\n")
    """
    for start, what, advice in _BEGINNINGS:
        if beginning.startswith(start):
            return f"{what}, not {'in UTF-8' if what.startswith('in ') else 'CSV'}; {advice}"
    for place, name in ((1, "UTF-16LE"), (0, "UTF-16BE")):
        # Without a mark at the start: letters of most tables have a zero byte beside them.
        if len(beginning) > 7 and not any(beginning[place:8:2]) and all(beginning[1 - place : 8 : 2]):
            return f"in UTF-16, not in UTF-8; {_AS_UTF_8.format(name)}"
    return None


def refuse_not_utf8(path: Path) -> None:
    """Raise with its line when a byte of a file is not UTF-8, as in files that older programs of Windows write."""
    decoder, done = codecs.getincrementaldecoder("utf-8")(), 0
    with path.open("rb") as file:
        while True:
            block = file.read(_BLOCK)
            held = len(decoder.getstate()[0])  # bytes of a character that the last block began
            try:
                decoder.decode(block, final=not block)
            except UnicodeDecodeError as error:
                byte, line = error.object[error.start], find_line(path, done - held + error.start)
                break
            if not block:
                return
            done += len(block)
    raise DataError(
        f"{path}, line {line}: the byte 0x{byte:02x} is not UTF-8, so the file is probably in Latin-1 or "
        f"Windows-1252; {_AS_UTF_8.format('WINDOWS-1252')}"
    )
