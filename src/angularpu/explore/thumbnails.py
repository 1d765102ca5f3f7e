"""Rows that have no named columns, made visible: small images, and the greatest values of a row."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import scipy.sparse as sp
from numpy.typing import NDArray

MOST_BYTES = 12_000_000  # of all images of a page
LARGEST_SIDE = 64
COLUMNS = 64  # a row with more has its greatest values listed
GREATEST = 8


@dataclass(frozen=True, eq=False)
class Thumbnails:
    """Images of one size.

    Attributes
    ----------
    pixels : uint8 array of shape (n, height, width, 1 or 3)
    """

    pixels: NDArray[np.uint8]

    @classmethod
    def make(cls, images: NDArray[Any]) -> "Thumbnails":
        """Shrink images (n, channels, height, width) by averaging squares of pixels, and spread floats over 0 to 255.

        >>> Thumbnails.make(np.full((1, 1, 2, 2), 7, np.uint8)).pixels.ravel().tolist()
        [7, 7, 7, 7]
        """
        n, channels, height, width = images.shape
        shown = 3 if channels >= 3 else 1
        small = (MOST_BYTES / max(1, n) / shown) ** 0.5
        factor = int(np.ceil(max(height, width) / max(1.0, min(LARGEST_SIDE, small))))
        out = np.empty((n, height // factor, width // factor, shown), np.uint8)
        low, high = (0, 255) if images.dtype == np.uint8 else (float(images.min()), float(images.max()))
        for number, image in enumerate(images):
            square = image[:shown, : out.shape[1] * factor, : out.shape[2] * factor].astype(np.float32)
            mean = square.reshape(shown, out.shape[1], factor, out.shape[2], factor).mean(axis=(2, 4))
            out[number] = np.clip((mean - low) * (255 / max(high - low, 1e-12)) + 0.5, 0, 255).transpose(1, 2, 0)
        return cls(out)


def list_largest(rows: Any) -> pa.Table:
    """Return what can be shown of rows without names: every column, or of many the values that are greatest in size.

    >>> list_largest(np.array([[1.5, 0.0]])).column_names
    ['0', '1']
    >>> wide = np.zeros((1, 100))
    >>> wide[0, 7] = 2
    >>> list_largest(wide).to_pylist()
    [{'greatest values': '7: 2'}]
    """
    if rows.shape[1] <= COLUMNS:
        dense = rows.toarray() if sp.issparse(rows) else rows
        return pa.table({str(place): dense[:, place] for place in range(dense.shape[1])})
    texts = []
    for number in range(rows.shape[0]):
        row = rows[number]
        place, value = (row.indices, row.data) if sp.issparse(row) else (np.flatnonzero(row), row[row != 0])
        order = np.argsort(-np.abs(value), kind="stable")[:GREATEST]
        texts.append(", ".join(f"{place[i]}: {value[i]:.4g}" for i in order))
    return pa.table({"greatest values": texts})
