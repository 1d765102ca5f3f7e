"""Another view of the same rows, by the kind of input: what contrastive methods compare."""

from collections.abc import Mapping
from types import MappingProxyType

import torch
from jaxtyping import Float
from torch import Tensor

from angularpu.algorithms.base import MakeView
from angularpu.data.rows import Kind

DROPPED = 0.2
NOISE = 0.1
FARTHEST_SHIFT = 1 / 8
COLOUR = 0.4


def view_vectors(x: Float[Tensor, "n d"], generator: torch.Generator) -> Float[Tensor, "n d"]:
    """Set a fifth of the entries to 0, the column's mean once prepared, and add noise of a tenth of its deviation."""
    noise = torch.randn(x.shape, generator=generator, device=x.device, dtype=x.dtype)
    return view_tokens(x, generator) + NOISE * noise


def view_tokens(x: Float[Tensor, "n d"], generator: torch.Generator) -> Float[Tensor, "n d"]:
    """Leave out a fifth of the entries, as words left out of a text."""
    kept = torch.rand(x.shape, generator=generator, device=x.device) >= DROPPED
    return x * kept


def view_images(x: Float[Tensor, "n c h w"], generator: torch.Generator) -> Float[Tensor, "n c h w"]:
    """Shift each image by up to an eighth of its side, mirror half of them, and change brightness and contrast.

    What a shift uncovers is filled by repeating the edge. Brightness and contrast move each channel apart, so colours
    change as well.
    """
    n, c, h, w = x.shape

    def draw(*shape: int) -> Tensor:
        return torch.rand(shape, generator=generator, device=x.device)

    rows = _shift(h, draw(n))
    columns = _shift(w, draw(n))
    columns = torch.where(draw(n, 1) < 0.5, columns.flip(1), columns)
    # One gather for both: no copy of the batch per operation.
    place = (rows[:, :, None] * w + columns[:, None, :]).reshape(n, 1, h * w).expand(n, c, h * w)
    moved = x.reshape(n, c, h * w).gather(2, place).reshape(x.shape)
    contrast = 1 + COLOUR * (2 * draw(n, c, 1, 1) - 1)
    brightness = COLOUR * (2 * draw(n, c, 1, 1) - 1)
    return moved * contrast + brightness


def _shift(side: int, chance: Float[Tensor, " n"]) -> Tensor:
    """Return, for each image, which pixel of a side each place takes."""
    reach = max(1, round(side * FARTHEST_SHIFT))
    shift = (chance * (2 * reach + 1)).long() - reach
    return (torch.arange(side, device=chance.device) + shift[:, None]).clamp(0, side - 1)


VIEWS: Mapping[Kind, MakeView] = MappingProxyType(
    {"dense": view_vectors, "frame": view_vectors, "sparse": view_tokens, "image": view_images}
)
