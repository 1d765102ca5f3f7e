"""Which network encodes the rows: one by its name, or the user's own."""

import copy
import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import torch
from torch import nn

from angularpu.checks import check_choice
from angularpu.errors import SettingError
from angularpu.nets.build import build, check_head
from angularpu.nets.custom import wrap
from angularpu.nets.encoder import Encoder
from angularpu.nets.names import Precision
from angularpu.nets.vgg import VGG, check_blocks
from angularpu.nets.weights import load_weights


@dataclass(frozen=True)
class EncoderChoice:
    """Which network encodes the rows.

    Attributes
    ----------
    encoder : str or nn.Module
        A name that nets.build knows, or a network of the user's own.
    d : int
        Dimension of the sphere's surrounding space; a user's own network has its own.
    dropout : float
    weights : str or None
        File with ImageNet weights for a VGG.
    frozen_blocks : int
        How many of a VGG's five blocks keep those weights: their maps are computed once, and only what follows is
        trained. 0 trains all of it.
    maps_dir : str or None
        Directory where these maps are kept, for other fits of the same rows, folds in other processes, and fits that
        are resumed. None keeps them in memory while the fit lasts.
    precision : {"float32", "bfloat16"}
        In which numbers the encoder multiplies while it is trained. Weights, losses and scores are float32 in any case.
    """

    encoder: str | nn.Module = "mlp"
    d: int = 128
    dropout: float = 0.2
    weights: str | None = None
    frozen_blocks: int = 0
    maps_dir: str | None = None
    precision: Precision = "float32"

    def __post_init__(self) -> None:
        check_head(self.d, self.dropout)
        check_choice("precision", self.precision, get_args(Precision))
        if self.frozen_blocks:
            check_blocks(self.frozen_blocks)
            if self.weights is None:
                raise SettingError("frozen_blocks keeps blocks as a weight file has them; pass weights= as well")
        elif self.maps_dir is not None:
            raise SettingError("maps_dir keeps the maps of frozen blocks; pass frozen_blocks= as well")

    @property
    def maps_directory(self) -> Path | None:
        """The directory where maps are kept, if they are."""
        return None if self.maps_dir is None else Path(self.maps_dir)

    def build(self, in_shape: tuple[int, ...]) -> Encoder:
        """Make the encoder; a user's own network is copied, so the original stays as it is."""
        if isinstance(self.encoder, nn.Module):
            return wrap(copy.deepcopy(self.encoder), in_shape)
        encoder = build(self.encoder, in_shape, d=self.d, dropout=self.dropout)
        if self.weights is not None:
            load_weights(encoder, Path(self.weights))
        return encoder

    def build_trainable(self, in_shape: tuple[int, ...]) -> Encoder:
        """Make the part of the encoder that is trained: all of it, or what follows the frozen blocks."""
        encoder = self.build(in_shape)
        trained = self._cut(encoder)[1] if self.frozen_blocks else encoder
        trained.trains_in_bfloat16 = self.precision == "bfloat16"
        return trained

    def build_stem(self, in_shape: tuple[int, ...]) -> nn.Module | None:
        """Make the part of the encoder that stays as it is, if any does."""
        if not self.frozen_blocks:
            return None
        with torch.random.fork_rng(devices=[]):
            return self._cut(self.build(in_shape))[0]

    def complete(self, trained: Encoder, in_shape: tuple[int, ...]) -> Encoder:
        """Return the whole encoder: the frozen blocks in front of the part that was trained."""
        with torch.random.fork_rng(devices=[]):
            whole = self.build(in_shape)
        whole.load_state_dict(trained.state_dict(), strict=False)  # the frozen blocks are as the file has them
        return whole.eval()

    def _cut(self, encoder: Encoder) -> tuple[nn.Module, Encoder]:
        if not isinstance(encoder, VGG):
            raise SettingError(f"frozen_blocks is for the encoders vgg11_bn and vgg16, got {self.encoder!r}")
        return encoder.cut(self.frozen_blocks)

    def describe(self) -> dict[str, Any]:
        """Return what the model directory says about the encoder."""
        name = "custom" if isinstance(self.encoder, nn.Module) else self.encoder
        frozen = {"frozen_blocks": self.frozen_blocks} if self.frozen_blocks else {}
        lowered = {"precision": self.precision} if self.precision != "float32" else {}
        return {"encoder": name, "d": self.d, "dropout": self.dropout, **frozen, **lowered}

    def fingerprint(self) -> str:
        """Return a text that differs whenever training would start elsewhere."""
        digest = hashlib.sha256(json.dumps(self.describe(), sort_keys=True).encode())
        if self.weights is not None:
            digest.update(Path(self.weights).read_bytes())
        if isinstance(self.encoder, nn.Module):
            digest.update(repr(self.encoder).encode())
            for name, tensor in self.encoder.state_dict().items():
                digest.update(name.encode() + tensor.detach().cpu().numpy().tobytes())
        return digest.hexdigest()
