"""A classical model of one fold, kept in a checkpoint until the whole fit is done."""

from dataclasses import dataclass
from typing import Any

import torch

from angularpu.classical.base import Classical
from angularpu.classical.storage.parts import dump_parts, load_parts
from angularpu.errors import ModelError
from angularpu.train.checkpoint import Checkpoint


@dataclass(frozen=True)
class FittedFold:
    """Where the model of one fold is kept.

    Attributes
    ----------
    checkpoint : Checkpoint
        The fold's own.
    """

    checkpoint: Checkpoint

    def save(self, model: Classical) -> None:
        """Keep a fitted model."""
        structure, arrays = dump_parts(model.parts())
        tensors = {name: torch.from_numpy(array) for name, array in arrays.items()}
        self.checkpoint.save(tensors, {"parts": structure, "numbers": model.numbers()})

    def load(self, unfitted: Classical, *, columns: int) -> Any:
        """Return the model that was kept, or None.

        Parameters
        ----------
        unfitted : Classical
            With the options of the fit.
        columns : int
            How many columns the rows have.
        """
        saved = self.checkpoint.load()
        if saved is None:
            return None
        tensors, info = saved
        try:
            parts = load_parts(info["parts"], {name: each.numpy() for name, each in tensors.items()}, columns=columns)
            return type(unfitted).from_parts(parts, info["numbers"], **unfitted.options())
        except (KeyError, ModelError) as error:
            raise ModelError(
                f"{self.checkpoint.path} is no checkpoint of a fold ({error}); restart to throw it away (--restart)"
            ) from error
