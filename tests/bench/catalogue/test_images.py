import numpy as np
import pytest

from angularpu.errors import DataError
from angularpu_bench.catalogue.images import order_channels


@pytest.mark.parametrize(
    ("shape", "place", "expected"),
    [
        ((2, 4, 5), (1, 2, 3), (1, 0, 2, 3)),
        ((2, 4, 5, 3), (1, 2, 3, 0), (1, 0, 2, 3)),
        ((2, 4, 5, 1), (1, 2, 3, 0), (1, 0, 2, 3)),
        ((2, 3, 4, 5), (1, 2, 3, 0), (1, 2, 3, 0)),
    ],
)
def test_channels_are_brought_before_rows_and_columns(shape, place, expected):
    images = np.zeros(shape)
    images[place] = 1
    ordered = order_channels(images)
    assert ordered[expected] == ordered.sum() == 1
    assert ordered.shape[2:] == (4, 5)


@pytest.mark.parametrize("shape", [(4, 5), (2, 4, 5, 2), (2, 1, 3, 4, 5)])
def test_other_shapes_are_no_images(shape):
    with pytest.raises(DataError, match="1 or 3 channels, got shape"):
        order_channels(np.zeros(shape))
