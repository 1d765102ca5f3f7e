"""The variational loss: least for the score whose weighting of all rows looks most like the labelled positives."""

import math

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn.functional import logsigmoid


def log_mean_probability(logit: Float[Tensor, " n"]) -> Float[Tensor, ""]:
    """Log of the mean of Phi = sigma(g) over rows, the first part of L_var, without underflow.

    L_var = log E_X Phi(x) - E_P log Phi(x). It exceeds -KL(P | X) by the divergence between P and the density
    proportional to Phi(x) p(x), so it is least where Phi is proportional to P(y = 1 | x), for any factor.

    Parameters
    ----------
    logit : Tensor, shape (n,)
        g of at least one row.

    Examples
    --------
    >>> log_mean_probability(torch.tensor([0.0, math.log(3.0)])).exp()
    tensor(0.6250)
    """
    return torch.logsumexp(logsigmoid(logit), dim=0) - math.log(len(logit))


def mean_probability(logit: Float[Tensor, " n"]) -> Float[Tensor, ""]:
    """Mean of Phi = sigma(g) over rows, the first part of L_mean, whose estimate from a batch has no bias.

    L_mean = E_X Phi(x) - w E_P log Phi(x) is convex in Phi and least at Phi = min(1, w p(x | y = 1)/p(x)): the factor
    that L_var leaves open is w, and with w the share of positives Phi is P(y = 1 | x). As log t <= t/w + log w - 1,
    with equality at t = w, L_mean/w bounds L_var but for a constant.

    Parameters
    ----------
    logit : Tensor, shape (n,)
        g of at least one row.

    Examples
    --------
    >>> mean_probability(torch.tensor([0.0, math.log(3.0)]))
    tensor(0.6250)
    """
    return torch.sigmoid(logit).mean()


def mixed_consistency(
    logit: Float[Tensor, " n"], mixed: Float[Tensor, " n"], *, gamma: Float[Tensor, ""]
) -> Float[Tensor, " n"]:
    """Squared distance of log Phi at a mixture from the log of the mixed Phi, L_reg before averaging.

    (log[gamma Phi(x) + (1 - gamma)] - log Phi(gamma x + (1 - gamma) x_P))^2: at a positive x_P, Phi is taken as 1.

    Parameters
    ----------
    logit, mixed : Tensor, shape (n,)
        g at x and at gamma x + (1 - gamma) x_P.
    gamma : scalar Tensor
        In [0, 1].

    Examples
    --------
    >>> zero = torch.zeros(1)
    >>> mixed_consistency(zero, zero, gamma=torch.tensor(1.0)), mixed_consistency(zero, zero, gamma=torch.tensor(0.5))
    (tensor([0.]), tensor([0.1644]))
    """
    target = torch.logaddexp(gamma.log() + logsigmoid(logit), torch.log1p(-gamma))
    return (target - logsigmoid(mixed)).square()
