"""Dist-PU's losses: predicted shares of positives against the known ones, and how sure each prediction is."""

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn.functional import softplus


def label_distribution_loss(
    gap_pos: Float[Tensor, ""], mean_unl: Float[Tensor, ""], *, alpha: float
) -> Float[Tensor, ""]:
    """Distance of predicted shares of positives from the true ones: |mean_P s - 1| + |mean_U s - pi|/(2 pi) (Dist-PU).

    It is zero when every labelled row is called positive and a share pi of the unlabelled ones is, whichever they are.

    Parameters
    ----------
    gap_pos : Tensor, scalar
        Mean over P of 1 - s, with s = sigma(g) in [0, 1]: how far the predicted share is from one.
    mean_unl : Tensor, scalar
        Mean over U of s.
    alpha : float in (0, 1)
        pi, the true share among U.

    Examples
    --------
    >>> label_distribution_loss(torch.tensor(0.0), torch.tensor(0.3), alpha=0.3)
    tensor(0.)
    >>> label_distribution_loss(torch.tensor(0.1), torch.tensor(0.5), alpha=0.25)
    tensor(0.6000)
    """
    return gap_pos + (mean_unl - alpha).abs() / (2 * alpha)


def binary_entropy(logit: Float[Tensor, " n"]) -> Float[Tensor, " n"]:
    """Entropy -s log s - (1 - s) log(1 - s) of s = sigma(g), computed as softplus(g) - s g, finite for every g.

    Examples
    --------
    >>> binary_entropy(torch.tensor([0.0, 50.0]))
    tensor([0.6931, 0.0000])
    """
    return softplus(logit) - torch.sigmoid(logit) * logit


def soft_cross_entropy(logit: Float[Tensor, " n"], target: Float[Tensor, " n"]) -> Float[Tensor, " n"]:
    """Cross-entropy -t log s - (1 - t) log(1 - s) of s = sigma(g) against targets t in [0, 1]: softplus(g) - t g.

    Examples
    --------
    >>> soft_cross_entropy(torch.tensor([0.0, 2.0]), torch.tensor([0.3, 1.0]))
    tensor([0.6931, 0.1269])
    """
    return softplus(logit) - target * logit
