"""Images standardised by channel."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from angularpu.data.prepare.moments import measure
from angularpu.data.prepare.numbers import lies_within, standardise
from angularpu.data.rows import Block, Rows, rows_within, spans
from angularpu.errors import DataError


@dataclass(frozen=True, eq=False)
class ImagePreparation:
    """Pixels as (x - mean) / std of their channel; uint8 is first divided by 255.

    Attributes
    ----------
    shape : (channels, height, width)
    mean, std : (channels,) float64
        Of all fitted pixels; the std of a channel of one colour is 1.
    unit : bool
        Whether the fitted pixels lay in [0, 1], as those of uint8 images do: only then may images of the other dtype
        be scored.
    eight_bit : bool
        Whether the fitted images were uint8.
    """

    shape: tuple[int, ...]
    mean: NDArray[np.float64]
    std: NDArray[np.float64]
    unit: bool
    eight_bit: bool
    notes: tuple[str, ...] = ()

    @property
    def out_shape(self) -> tuple[int, ...]:
        """The shape of one prepared image, that of the fitted ones."""
        return self.shape

    def apply(self, block: Block, *, first_row: int = 0) -> NDArray[np.float32]:
        """Standardise images (n, channels, height, width) of uint8 or floats.

        Returns
        -------
        (n, channels, height, width) float32
        """
        if not isinstance(block, np.ndarray) or block.shape[1:] != self.shape:
            came = block.shape[1:] if isinstance(block, np.ndarray) else type(block).__name__
            raise DataError(f"the model was fitted on images of shape {self.shape}, but {came} came")
        self._refuse_other_range(block)
        mean, std = (value[:, None, None] for value in (self.mean, self.std))
        out = np.empty(block.shape, np.float32)
        for span in spans(len(block), rows_within(1 << 17, self.shape)):
            if block.dtype == np.uint8:
                _standardise_bytes(block[span], 255.0 * mean, 255.0 * std, out=out[span])
            else:
                standardise(block[span], mean, std, out=out[span])
                _refuse_unusable(out[span], first_row=first_row + span.start)
        return out

    def _refuse_other_range(self, block: NDArray[Any]) -> None:
        eight_bit = block.dtype == np.uint8
        if eight_bit == self.eight_bit or len(block) == 0:
            return
        if not self.unit:
            raise DataError(
                f"the model was fitted on float images outside [0, 1], so {block.dtype} ones cannot be scored"
            )
        if not eight_bit and (block.min() < 0 or block.max() > 1):
            raise DataError(
                f"the model was fitted on uint8 images, but floats from {block.min()} to {block.max()} came; "
                "bring them into [0, 1], or pass uint8"
            )

    def state(self) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        """Return all that was fitted, as arrays and as JSON."""
        content = {"kind": "image", "shape": list(self.shape), "unit": self.unit, "eight_bit": self.eight_bit}
        return {"mean": self.mean, "std": self.std}, {**content, "notes": list(self.notes)}

    @classmethod
    def restore(cls, tensors: dict[str, NDArray[Any]], content: dict[str, Any]) -> "ImagePreparation":
        """Make a preparation of what ``state`` returned."""
        return cls(
            shape=tuple(content["shape"]),
            mean=tensors["mean"],
            std=tensors["std"],
            unit=content["unit"],
            eight_bit=content["eight_bit"],
            notes=tuple(content["notes"]),
        )


def fit_images(rows: Rows) -> ImagePreparation:
    """Learn mean and spread of each channel, in one pass."""
    first_row, eight_bit, moments = 0, False, measure(np.empty((0, rows.shape[0])))
    for block in rows.chunks(rows_within(1 << 20, rows.shape)):
        _refuse_unusable(block, first_row=first_row)
        eight_bit = block.dtype == np.uint8
        moments = moments.merge(measure(np.moveaxis(block, 1, -1).reshape(-1, rows.shape[0])))
        first_row += len(block)
    flat = moments.low == moments.high
    if flat.all():
        raise DataError("every image is of one and the same colour, so nothing is left to learn from")
    top = 255.0 if eight_bit else 1.0
    notes = tuple(f"channel {channel} carries nothing: every pixel is the same" for channel in np.flatnonzero(flat))
    return ImagePreparation(
        shape=rows.shape,
        mean=moments.mean / top,
        std=np.where(flat, 1.0, moments.std / top),
        unit=bool(moments.low.min() >= 0 and moments.high.max() <= top),
        eight_bit=eight_bit,
        notes=notes,
    )


def _standardise_bytes(
    pixels: NDArray[np.uint8], mean: NDArray[np.float64], std: NDArray[np.float64], *, out: NDArray[np.float32]
) -> None:
    """Write (pixels - mean) / std into ``out``, computed in float32, which holds every byte and needs half the time."""
    np.subtract(pixels, mean.astype(np.float32), out=out)
    np.divide(out, std.astype(np.float32), out=out)


def _refuse_unusable(images: NDArray[Any], *, first_row: int) -> None:
    if images.dtype.kind != "f" or lies_within(images, np.inf):
        return
    bad = np.flatnonzero(~np.isfinite(images).reshape(len(images), -1).all(axis=1))
    raise DataError(
        f"image {first_row + bad[0]} (the first is 0) holds pixels that are missing, infinite or out of range; "
        "replace them, or leave the image out"
    )
