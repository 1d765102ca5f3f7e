"""The angular dispersion term: how closely a set of directions crowds together."""

import math
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor
from torch.autograd.function import once_differentiable


def dispersion(z: Float[Tensor, "n d"], t: float, *, block: int = 384) -> Float[Tensor, ""]:
    """Measure how closely directions crowd together; lower is more spread out.

    L_reg = log( 1/(n(n-1)) sum over i != j of exp(t z_i.z_j) ), by log-sum-exp over the off-diagonal. For unit
    vectors it lies between -t/(n-1) and t. Vectors of any length are allowed, and the value is right for them too.

    The pairs are visited in strips of a few rows and the gradient, 2t sum over j of p_ij z_j with p_ij the pair's share
    of the sum, is computed on the way: no n x n matrix is ever held, and the backward pass is one multiplication. It
    can be differentiated once, not twice.

    Parameters
    ----------
    z : Tensor of shape (n, d)
        Directions. Fewer than two have no pair: the value is then 0 and so is the gradient.
    t : float
        Temperature: the larger, the more the closest pairs count.
    block : int
        Rows per strip: block x n numbers are held at a time. It never changes the value beyond rounding.

    Returns
    -------
    Tensor of shape ()
        The term L_reg.

    Examples
    --------
    >>> dispersion(torch.tensor([[1.0, 0.0], [1.0, 0.0]]), 2.0)
    tensor(2.)
    >>> dispersion(torch.tensor([[1.0, 0.0], [-1.0, 0.0]]), 2.0)
    tensor(-2.)
    """
    value: Tensor = _Dispersion.apply(z, t, block)  # type: ignore[no-untyped-call]
    return value


class _Dispersion(torch.autograd.Function):
    """Value and gradient in one walk over the pairs on and above the diagonal; those below are their mirror image."""

    @staticmethod
    def forward(ctx: Any, z: Tensor, t: float, block: int) -> Tensor:
        n = len(z)
        if n <= block:  # one strip is the whole matrix: nothing to mirror, nothing to rescale
            value, slope = _take_whole(z, t, with_slope=ctx.needs_input_grad[0])
            ctx.save_for_backward(slope)
            return value
        slope = torch.zeros_like(z) if ctx.needs_input_grad[0] else None
        ctx.save_for_backward(slope)
        # Everything is kept relative to exp(peak), the largest term so far. A new largest term is rare, so rescaling
        # the sums costs next to nothing, and exp can neither overflow nor lose the terms that matter.
        total, peak = 0.0, -math.inf
        for i in range(0, n, block):
            rows, rest = z[i : i + block], z[i:]
            share = torch.mm(t * rows, rest.T).fill_diagonal_(-math.inf)
            highest = share.amax().item()
            if highest > peak:
                fade = math.exp(peak - highest)
                if slope is not None and total > 0:
                    slope.mul_(fade)
                total, peak = total * fade, highest
            share.sub_(peak).exp_()
            total += 2 * share.sum().item() - share[:, :block].sum().item()
            if slope is not None:
                slope[i : i + block].addmm_(share, rest)
                if i + block < n:
                    slope[i + block :].addmm_(share[:, block:].T, rows)
            del share  # otherwise the next strip would be held beside it
        if slope is not None:
            slope.mul_(2 * t / total)
        return z.new_tensor(peak + math.log(total / (n * (n - 1))))

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *outer: Tensor) -> tuple[Tensor, None, None]:
        (slope,) = ctx.saved_tensors
        return outer[0] * slope, None, None


def _take_whole(z: Tensor, t: float, *, with_slope: bool) -> tuple[Tensor, Tensor | None]:
    """Return the value and its gradient where all pairs fit at once, as in most batches."""
    n = len(z)
    if n < 2:
        return z.new_zeros(()), torch.zeros_like(z) if with_slope else None
    share = torch.mm(t * z, z.T).fill_diagonal_(-math.inf)
    peak = share.amax().item()
    total = share.sub_(peak).exp_().sum().item()
    slope = torch.mm(share, z).mul_(2 * t / total) if with_slope else None
    return z.new_tensor(peak + math.log(total / (n * (n - 1)))), slope
