"""Compressed files, unfolded within bounds."""

import gzip
from pathlib import Path

MOST_BYTES = 1 << 28  # no file of the catalogue unfolds to more than 50 MB


def read_gzip(path: Path) -> bytes:
    """Return what a file compressed by gzip holds; a ValueError if that is more than any official file has."""
    with gzip.open(path) as file:
        content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise ValueError(f"it unfolds to more than {MOST_BYTES:,} bytes")
    return content
