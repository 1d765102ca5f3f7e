"""The non-negative correction: the true value of a PU risk's negative part is never below zero."""

from jaxtyping import Float
from torch import Tensor


def correct_negative_part(
    positive: Float[Tensor, ""], negative: Float[Tensor, ""], *, beta: float = 0.0, gamma: float = 1.0
) -> tuple[Float[Tensor, ""], Float[Tensor, ""]]:
    """Return what to differentiate and what to report of a risk whose negative part r may be too low (nnPU).

    Reported is the positive part + max(-beta, r). Differentiated is their sum while r >= -beta, and -gamma r otherwise:
    a step back from memorised rows.

    Parameters
    ----------
    positive, negative : Tensor, scalar
        The two parts of the risk.
    beta : float
        How far below zero r may fall, at least 0.
    gamma : float
        How large the step back is, at least 0.

    Examples
    --------
    >>> import torch
    >>> correct_negative_part(torch.tensor(0.5), torch.tensor(-0.25))
    (tensor(0.2500), tensor(0.5000))
    """
    objective = positive + negative.clamp(min=-beta)
    loss = objective if negative.item() >= -beta else -gamma * negative
    return loss, objective
