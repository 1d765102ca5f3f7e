"""JSON from elsewhere, read so that nothing in it can fill the memory, run for ever or break what prints it."""

import json
from typing import Any

LARGEST_JSON = 32 << 20  # bytes: 100,000 entries of a training's history
MOST_VALUES = 3_000_000
LONGEST_WHOLE = 60  # digits; a longer number overflows wherever it meets a float


def parse_json(text: bytes) -> Any:
    """Return what a JSON text says.

    Parameters
    ----------
    text : bytes
        In UTF-8.

    Raises
    ------
    ValueError
        When it is no JSON, larger than 32 MiB, nested deeper than Python can follow, or holds half of a surrogate pair,
        which could not be printed.

    Examples
    --------
    >>> parse_json(b'{"d": 128}')
    {'d': 128}
    >>> parse_json(b"[" * 200_000)
    Traceback (most recent call last):
    ValueError: it is nested too deeply
    """
    if len(text) > LARGEST_JSON or sum(text.count(mark) for mark in (b",", b"[", b"{")) > MOST_VALUES:
        raise ValueError(f"it is larger than {LARGEST_JSON >> 20} MiB or has more than {MOST_VALUES:,} values")
    try:
        content = json.loads(text.decode("utf-8"), parse_int=_read_whole)
        if b"\\u" in text:
            json.dumps(content, ensure_ascii=False).encode("utf-8")
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except UnicodeError:
        raise ValueError("it holds text that is no Unicode") from None
    return content


def _read_whole(digits: str) -> int:
    if len(digits) > LONGEST_WHOLE:
        raise ValueError(f"it holds a number of {len(digits)} digits")
    return int(digits)
