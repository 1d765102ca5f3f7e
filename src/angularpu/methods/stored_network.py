"""A network made again from what a model directory says, once its tensors are known to be in the file."""

import contextlib
from collections.abc import Mapping
from typing import Any

import torch
from numpy.typing import NDArray
from torch import nn

from angularpu.algorithms.base import Algorithm
from angularpu.errors import ModelError
from angularpu.files import Outline, refuse_mismatch
from angularpu.methods.encoder_choice import EncoderChoice
from angularpu.methods.neural import make_algorithm
from angularpu.nets.encoder import Encoder
from angularpu.nets.sparse_linear import lay_out_by_column
from angularpu.train.scoring import NeuralScorer

ENCODER = "encoder."  # in front of the names of its tensors in every algorithm


def outline_neural(
    description: Mapping[str, Any],
    found: Mapping[str, Outline],
    *,
    in_shape: tuple[int, ...],
    encoder: nn.Module | None,
) -> dict[str, Outline]:
    """Return the arrays that a model's JSON asks for, without making any that the file does not have.

    Parameters
    ----------
    description : mapping
        A model's JSON.
    found : mapping of str to Outline
        What the file has. The encoder is compared with it first: all other tensors are as wide as its output.
    in_shape : tuple of int
        The shape of a prepared row.
    encoder : nn.Module or None
        A network of the user's own.
    """
    choice = _read_choice(description, encoder)
    # On the device "meta" tensors of any size take no memory; a user's own network is there already.
    with torch.device("meta") if encoder is None else contextlib.nullcontext():
        blank = choice.build(in_shape)
    refuse_mismatch(
        {name: outline for name, outline in found.items() if name.startswith(ENCODER)},
        {f"{ENCODER}{name}": outline for name, outline in _outline(blank).items()},
    )
    with torch.random.fork_rng(devices=[]):
        return _outline(_make_blank(description, blank))


def restore_neural(
    description: Mapping[str, Any],
    arrays: Mapping[str, NDArray[Any]],
    *,
    in_shape: tuple[int, ...],
    encoder: nn.Module | None,
) -> NeuralScorer:
    """Make a scorer of what a model's JSON and arrays say; ``encoder`` is a network of the user's own."""
    choice = _read_choice(description, encoder)
    with torch.random.fork_rng(devices=[]):  # the initial weights are thrown away, the caller's generator is not
        algorithm = _make_blank(description, choice.build(in_shape))
    algorithm.load_state_dict({name: torch.from_numpy(array) for name, array in arrays.items()})
    # Models of earlier versions prepare sparse rows as dense ones, and score them by the same sums as they did.
    if description["preparation"].get("as_matrix"):
        lay_out_by_column(algorithm.encoder)
    return NeuralScorer(algorithm.eval())


def _outline(module: nn.Module) -> dict[str, Outline]:
    return {name: Outline(tuple(tensor.shape)) for name, tensor in module.state_dict().items()}


def _read_choice(description: Mapping[str, Any], encoder: nn.Module | None) -> EncoderChoice:
    network = description["encoder"]
    if network["encoder"] == "custom" and encoder is None:
        raise ModelError("this model was fitted with your own network; pass it as encoder= to load")
    return EncoderChoice(encoder or network["encoder"], d=network["d"], dropout=network["dropout"])


def _make_blank(description: Mapping[str, Any], encoder: Encoder) -> Algorithm:
    """Make the algorithm with weights that are still to be replaced."""
    method, options = description["method"], description["options"]
    return make_algorithm(method, options, alpha=description.get("alpha"), encoder=encoder)
