"""The neutral loss: it is least where the logit takes neither side."""

from jaxtyping import Float
from torch import Tensor
from torch.nn.functional import softplus


def neutral_loss(logit: Float[Tensor, " n"]) -> Float[Tensor, " n"]:
    """Binary cross-entropy against the target one half, L_unl before weighting (Proposed Method).

    -1/2 log sigma(l) - 1/2 log(1 - sigma(l)) = log(2 cosh(l/2)), computed as softplus(l) - l/2, which neither
    overflows nor loses digits at large ``|l|``.

    Parameters
    ----------
    logit : Tensor, shape (n,)
        Any real numbers.

    Returns
    -------
    Tensor, shape (n,)
        At least log 2, at most log 2 + l^2/8.

    Examples
    --------
    >>> import torch
    >>> neutral_loss(torch.tensor([0.0, 200.0]))
    tensor([  0.6931, 100.0000])
    """
    return softplus(logit) - logit / 2
