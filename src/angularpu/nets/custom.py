"""Any network of the user's own as an encoder."""

from collections import OrderedDict

import torch
from torch import Tensor, nn

from angularpu.errors import SettingError
from angularpu.nets.encoder import Encoder


def wrap(module: nn.Module, in_shape: tuple[int, ...]) -> Encoder:
    """Make an encoder of your own network, finding its output width d by a dry run.

    The dry run passes two rows of zeros in eval mode and changes neither batch statistics nor random generators. The
    module itself is used, not a copy: training the encoder trains it.

    Parameters
    ----------
    module : nn.Module
        Maps a float32 batch of n rows to n vectors of one width.
    in_shape : tuple of int
        The shape of one row.

    Raises
    ------
    SettingError
        If the module fails on such rows or returns anything but an n x d float tensor.

    Examples
    --------
    >>> wrap(nn.Sequential(nn.Linear(10, 32), nn.Tanh(), nn.Linear(32, 6)), (10,)).d
    6
    """
    try:
        output = _dry_run(module, in_shape)
    except Exception as error:  # the module is not ours: it may raise anything
        reason = str(error).partition("\n")[0]
        raise SettingError(
            f"the encoder {type(module).__name__} fails on float32 rows of shape {in_shape} ({reason}); "
            "make its first layer fit the rows"
        ) from error
    if not isinstance(output, Tensor) or not output.is_floating_point() or output.ndim != 2 or len(output) != 2:
        came = f"{output.dtype} {tuple(output.shape)}" if isinstance(output, Tensor) else type(output).__name__
        raise SettingError(
            f"the encoder {type(module).__name__} must map n rows to an n x d float tensor, got {came} for n = 2; "
            "end it in one vector per row"
        )
    return Encoder(OrderedDict(module=module), d=output.shape[1])


def _dry_run(module: nn.Module, in_shape: tuple[int, ...]) -> object:
    device = next((parameter.device for parameter in module.parameters()), torch.device("cpu"))
    # each part has its own mode: a user may have frozen one of them
    modes = [(part, part.training) for part in module.modules()]
    # lazy layers draw their weights now, and a random layer may draw in eval mode too
    with torch.random.fork_rng(devices=[device] if device.type == "cuda" else []), torch.no_grad():
        try:
            return module.eval()(torch.zeros(2, *in_shape, device=device))
        finally:
            for part, training in modes:
                part.training = training
