"""The contrastive loss: an anchor should be nearer to its peers than to all else."""

import torch
from jaxtyping import Float
from torch import Tensor


def contrastive_loss(
    logits: Float[Tensor, "a k"], peers: Float[Tensor, "a k"], *, log_weights: Float[Tensor, "a k"] | None = None
) -> Float[Tensor, " a"]:
    """Return what it costs each anchor i to tell its peers from the other candidates (InfoNCE, SupCon).

    sum_j p_ij nll_ij, with nll_ij = -log [exp(l_ij) / sum_k w_ik exp(l_ik)].

    Parameters
    ----------
    logits : Tensor, shape (a, k)
        l_ij = z_i.z_j / tau, the similarity of anchor i and candidate j.
    peers : Tensor, shape (a, k)
        p_ij, how much of anchor i's attention candidate j gets; each row adds up to 1.
    log_weights : Tensor, shape (a, k), optional
        log w_ik; -inf leaves a candidate out, as each anchor must be among its own candidates. None: equal weights.

    Examples
    --------
    One peer and one stranger, equally near:

    >>> contrastive_loss(torch.tensor([[2.0, 2.0]]), torch.tensor([[1.0, 0.0]]))
    tensor([0.6931])
    """
    weighted = logits if log_weights is None else logits + log_weights
    return torch.logsumexp(weighted, dim=1) - (peers * logits).sum(dim=1)


def leave_out(mask: Tensor) -> Tensor:
    """Return log weights that leave out the candidates where ``mask`` is true.

    >>> leave_out(torch.tensor([[True, False]]))
    tensor([[-inf, 0.]])
    """
    return torch.zeros(mask.shape, device=mask.device).masked_fill_(mask, -torch.inf)
