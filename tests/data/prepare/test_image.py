"""Images by channel."""

import numpy as np
import pyarrow as pa
import pytest

from angularpu.data.prepare.preparation import fit_preparation
from angularpu.data.sources import as_rows
from angularpu.errors import DataError

RNG = np.random.default_rng(3)
EIGHT_BIT = RNG.integers(0, 256, (3000, 3, 12, 10)).astype(np.uint8)  # several chunks


def standardise_naively(x):
    mean, std = x.mean(axis=(0, 2, 3), keepdims=True), x.std(axis=(0, 2, 3), keepdims=True)
    return (x - mean) / std


@pytest.mark.parametrize(
    "x", [EIGHT_BIT, RNG.normal(5, 2, (500, 2, 8, 8)), RNG.normal(5, 2, (500, 1, 8, 8)).astype(np.float32)]
)
def test_every_channel_comes_out_with_mean_0_and_std_1(x):
    out = fit_preparation(as_rows(x)).apply(x)
    np.testing.assert_allclose(out, standardise_naively(x.astype(np.float64)), atol=2e-5)


def test_bytes_and_floats_between_0_and_1_are_the_same_images():
    preparation = fit_preparation(as_rows(EIGHT_BIT))
    np.testing.assert_allclose(preparation.apply(EIGHT_BIT[:9] / 255), preparation.apply(EIGHT_BIT[:9]), atol=1e-6)
    other = fit_preparation(as_rows(EIGHT_BIT / 255))
    np.testing.assert_allclose(other.apply(EIGHT_BIT[:9]), preparation.apply(EIGHT_BIT[:9]), atol=1e-6)


def test_floats_up_to_255_are_not_taken_for_bytes():
    with pytest.raises(DataError, match=r"fitted on uint8 images, but floats from .* bring them into \[0, 1\]"):
        fit_preparation(as_rows(EIGHT_BIT)).apply(EIGHT_BIT.astype(np.float32))
    with pytest.raises(DataError, match="float images outside"):
        fit_preparation(as_rows(EIGHT_BIT.astype(np.float32))).apply(EIGHT_BIT)


def test_a_channel_of_one_colour_becomes_zeros():
    x = EIGHT_BIT[:9].copy()
    x[:, 1] = 7
    preparation = fit_preparation(as_rows(x))
    assert not preparation.apply(x)[:, 1].any()
    assert preparation.notes == ("channel 1 carries nothing: every pixel is the same",)


@pytest.mark.parametrize(
    "block",
    [np.zeros((2, 3, 10, 12), np.uint8), np.zeros((2, 1, 12, 10), np.uint8), np.zeros((2, 360)), pa.table({"a": [1]})],
)
def test_images_of_another_shape_are_refused(block):
    with pytest.raises(DataError, match=r"fitted on images of shape \(3, 12, 10\)"):
        fit_preparation(as_rows(EIGHT_BIT)).apply(block)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 1e300])
def test_missing_infinite_and_absurd_pixels_are_named_by_image(bad):
    x = RNG.random((2000, 1, 20, 20))
    preparation = fit_preparation(as_rows(x))
    x[1500, 0, 3, 3] = bad
    with pytest.raises(DataError, match="image 1507 "):
        preparation.apply(x, first_row=7)
    if not np.isfinite(bad):
        with pytest.raises(DataError, match="image 1500 "):
            fit_preparation(as_rows(np.repeat(x, 4, axis=2)))
