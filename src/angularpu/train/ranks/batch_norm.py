"""Batch normalisation by the statistics of the whole batch, of which every rank has a part."""

from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function
from torch.nn.modules.batchnorm import _BatchNorm

from angularpu.train.ranks.group import Ranks


class _Sum(Function):
    """The sum over ranks: what each adds is felt by all, so gradients are summed as well."""

    @staticmethod
    def forward(ctx: Any, values: Tensor, ranks: Ranks) -> Tensor:
        ctx.ranks = ranks
        return ranks.add_up(values.clone())

    @staticmethod
    def backward(ctx: Any, *slope: Tensor) -> tuple[Tensor, None]:
        return ctx.ranks.add_up(slope[0].clone()), None


def normalise_batch(norm: _BatchNorm, ranks: Ranks, x: Tensor) -> Tensor:
    """Normalise this rank's rows by mean and variance over the rows of all ranks, as one process would.

    torch has the same for GPUs (SyncBatchNorm), not for the CPU.
    """
    if not norm.training:
        plain: Tensor = type(norm).forward(norm, x)
        return plain
    over = [0, *range(2, x.ndim)]
    along = (1, -1, *[1] * (x.ndim - 2))
    own = x.float()
    add_up = _Sum.apply
    totals = add_up(torch.cat([own.sum(over), own.new_tensor([own.numel() / own.shape[1]])]), ranks)  # type: ignore[no-untyped-call]
    count = totals[-1].detach()
    mean = totals[:-1] / count
    centred = own - mean.view(along)
    variance = add_up(centred.square().sum(over), ranks) / count  # type: ignore[no-untyped-call]
    _follow(norm, mean.detach(), variance.detach() * count / (count - 1))
    out: Tensor = centred * (variance + norm.eps).rsqrt().view(along)
    if norm.affine:
        out = out * norm.weight.view(along) + norm.bias.view(along)
    return out.to(x.dtype)


@torch.no_grad()
def _follow(norm: _BatchNorm, mean: Tensor, variance: Tensor) -> None:
    """Move the running statistics, by which rows are normalised once the network is trained."""
    if norm.running_mean is None or norm.running_var is None or norm.num_batches_tracked is None:
        return
    norm.num_batches_tracked.add_(1)
    pace = 1 / norm.num_batches_tracked.item() if norm.momentum is None else norm.momentum
    norm.running_mean.lerp_(mean, pace)
    norm.running_var.lerp_(variance, pace)
