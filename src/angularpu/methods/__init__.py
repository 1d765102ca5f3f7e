"""The methods: their table and cards, their presets, and what trains each and keeps what was learnt."""

from typing import TYPE_CHECKING

from angularpu import export_lazily

if TYPE_CHECKING:
    from angularpu.methods.cards import Card as Card
    from angularpu.methods.classical import ClassicalMethod as ClassicalMethod
    from angularpu.methods.encoder_choice import EncoderChoice as EncoderChoice
    from angularpu.methods.fitted import Fitted as Fitted
    from angularpu.methods.neural import NeuralMethod as NeuralMethod
    from angularpu.methods.presets import PRESETS as PRESETS
    from angularpu.methods.presets import find_preset as find_preset
    from angularpu.methods.table import METHODS as METHODS
    from angularpu.methods.table import find_method as find_method

__getattr__, __dir__, __all__ = export_lazily(
    __name__,
    {
        "cards": ("Card",),
        "classical": ("ClassicalMethod",),
        "fitted": ("Fitted",),
        "encoder_choice": ("EncoderChoice",),
        "neural": ("NeuralMethod",),
        "presets": ("PRESETS", "find_preset"),
        "table": ("METHODS", "find_method"),
    },
)
