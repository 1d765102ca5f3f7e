"""How much an unlabelled row counts, by its cosine and the angular margin."""

import torch
from jaxtyping import Float
from torch import Tensor

Scalar = float | Float[Tensor, ""]


def prototype_weight(cosine: Float[Tensor, " n"], m: Scalar, a: Scalar) -> Float[Tensor, " n"]:
    """Weight w(z) = sigma(a (c - m)): rows nearer the prototype count more (Proposed Method).

    Parameters
    ----------
    cosine : Tensor, shape (n,)
        c = mu.z in [-1, 1].
    m : float or scalar Tensor
        The margin.
    a : float or scalar Tensor
        The sharpness, positive.

    Examples
    --------
    >>> prototype_weight(torch.tensor([0.5, 1.0]), 0.5, 10.0)
    tensor([0.5000, 0.9933])
    """
    return torch.sigmoid(a * (cosine - m))


def boundary_weight(cosine: Float[Tensor, " n"], m: Scalar, a: Scalar) -> Float[Tensor, " n"]:
    """Weight sigma'(a (c - m)): rows nearer the margin count more (the ablation's reading of the weights).

    sigma' is the sigmoid's derivative, at most 1/4, which it reaches at c = m.

    Parameters
    ----------
    cosine : Tensor, shape (n,)
        c = mu.z in [-1, 1].
    m, a : float or scalar Tensor
        The margin and the sharpness.

    Examples
    --------
    >>> boundary_weight(torch.tensor([0.5, 1.0]), 0.5, 10.0)
    tensor([0.2500, 0.0066])
    """
    weight = prototype_weight(cosine, m, a)
    return weight * (1 - weight)
