"""Images as arrays, in one order of their axes."""

from typing import Any

from numpy.typing import NDArray

from angularpu.errors import DataError


def order_channels(images: NDArray[Any]) -> NDArray[Any]:
    """Return images in the order (n, channels, height, width), without a copy.

    Parameters
    ----------
    images : (n, height, width), (n, height, width, 1 or 3) or (n, 1 or 3, height, width) array

    Examples
    --------
    >>> import numpy as np
    >>> order_channels(np.zeros((5, 8, 9))).shape, order_channels(np.zeros((5, 8, 9, 3))).shape
    ((5, 1, 8, 9), (5, 3, 8, 9))
    """
    if images.ndim == 3:
        return images[:, None]
    if images.ndim == 4 and images.shape[3] in (1, 3):
        return images.transpose(0, 3, 1, 2)
    if images.ndim == 4 and images.shape[1] in (1, 3):
        return images
    raise DataError(f"images must be grey (n, height, width) or have 1 or 3 channels, got shape {images.shape}")
