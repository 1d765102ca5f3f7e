"""Directions: points of the unit sphere, made from vectors or drawn at random."""

import torch
from jaxtyping import Float
from torch import Tensor


def normalise(x: Float[Tensor, "*rows d"]) -> Float[Tensor, "*rows d"]:
    """Scale every row to length one: z = x / |x|.

    A row of length zero has no direction. It stays zero and passes its gradient on unchanged, so that one dead row
    makes neither its batch nor the next update infinite.

    Parameters
    ----------
    x : Tensor of shape (..., d)
        Vectors of any length.

    Returns
    -------
    Tensor of shape (..., d)
        Their directions.

    Examples
    --------
    >>> normalise(torch.tensor([[3.0, 4.0], [0.0, 0.0]]))
    tensor([[0.6000, 0.8000],
            [0.0000, 0.0000]])
    """
    length = torch.linalg.vector_norm(x, dim=-1, keepdim=True)
    z: Tensor = x / length.masked_fill(length == 0, 1)
    return z


def sample_uniform(n: int, d: int, *, generator: torch.Generator) -> Float[Tensor, "n d"]:
    """Draw n directions uniformly: every direction is as likely as any other.

    Parameters
    ----------
    n : int
        How many to draw.
    d : int
        Dimension of the space around the sphere.
    generator : torch.Generator
        Where the randomness comes from; the same state gives the same directions.

    Returns
    -------
    Tensor of shape (n, d)
        Unit vectors, independent and uniform on the sphere.

    Examples
    --------
    >>> z = sample_uniform(5, 3, generator=torch.Generator().manual_seed(0))
    >>> torch.allclose(z.norm(dim=1), torch.ones(5))
    True
    """
    return normalise(torch.randn(n, d, generator=generator))
