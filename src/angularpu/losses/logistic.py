"""The logistic loss, for rows whose class is taken as given."""

from jaxtyping import Float
from torch import Tensor
from torch.nn.functional import softplus


def logistic_loss(logit: Float[Tensor, " n"], y: int) -> Float[Tensor, " n"]:
    """Logistic loss log(1 + exp(-y g)) of logits g taken as class ``y``.

    Parameters
    ----------
    logit : Tensor, shape (n,)
    y : {1, -1}
        1 for positives, -1 for negatives.

    Examples
    --------
    >>> import torch
    >>> logistic_loss(torch.tensor([0.0, -3.0]), 1)
    tensor([0.6931, 3.0486])
    """
    return softplus(-y * logit)
