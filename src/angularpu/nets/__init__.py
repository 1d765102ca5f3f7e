"""Encoders: from rows to vectors."""

from typing import TYPE_CHECKING

from angularpu import export_lazily

if TYPE_CHECKING:
    from angularpu.nets.custom import wrap as wrap
    from angularpu.nets.encoder import Encoder as Encoder
    from angularpu.nets.weights import load_weights as load_weights

__getattr__, __dir__, __all__ = export_lazily(
    __name__,
    {
        "custom": ("wrap",),
        "encoder": ("Encoder",),
        "weights": ("load_weights",),
    },
)
