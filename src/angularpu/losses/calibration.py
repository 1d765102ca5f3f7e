"""Self-calibration: rows of known class tell which loss suits each unlabelled row."""

from collections.abc import Sequence

import torch
from jaxtyping import Float
from torch import Tensor


def differentiate_along(
    output: Float[Tensor, " n"], parameters: Sequence[Tensor], direction: Sequence[Tensor]
) -> Float[Tensor, " n"]:
    """Return each output's derivative along a direction in the space of the parameters.

    Parameters
    ----------
    output : Tensor, shape (n,)
        Made of the parameters; its graph is kept.
    parameters, direction : sequence of Tensor
        Of equal shapes.

    Examples
    --------
    >>> w = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> differentiate_along(torch.eye(2) @ w**2, [w], [torch.tensor([1.0, 10.0])])
    tensor([ 2., 40.])
    """
    # Gradients that are linear in a dummy, differentiated by it: two backward passes, however many rows there are.
    dummy = torch.zeros_like(output, requires_grad=True)
    slopes = torch.autograd.grad(output, parameters, grad_outputs=dummy, create_graph=True, materialize_grads=True)
    moved = torch.stack([(slope * part).sum() for slope, part in zip(slopes, direction, strict=True)]).sum()
    return torch.autograd.grad(moved, dummy, retain_graph=True)[0]


def calibrate_losses(
    logit: Float[Tensor, " n"], drift: Float[Tensor, " n"], *, cap: float
) -> tuple[Float[Tensor, " n"], Float[Tensor, " n"]]:
    """Weigh, for each unlabelled row, its sigmoid loss as a negative against the entropy of its own probability.

    A small step on a loss of weight w changes the loss of the clean rows by -w times that loss's derivative along their
    gradient: sigma'(g) drift for the sigmoid loss, -g sigma'(g) drift for the entropy. The positive ones of the two are
    scaled to a sum of 1 for each row; where neither helps, the sigmoid loss has all the weight. If the weights of the
    entropies add up to more than ``cap``, they are scaled down to it and the sigmoid losses take the rest.

    Parameters
    ----------
    logit : Tensor, shape (n,)
    drift : Tensor, shape (n,)
        The derivative of g along the gradient of the clean rows' loss.
    cap : float
        At least 0.

    Returns
    -------
    negative, entropy : Tensor, shape (n,)
        The weights of the two losses, constants to the gradient.

    Examples
    --------
    >>> calibrate_losses(torch.tensor([3.0, 3.0, -3.0]), torch.tensor([1.0, -1.0, 1.0]), cap=9.0)
    (tensor([1.0000, 0.0000, 0.2500]), tensor([0.0000, 1.0000, 0.7500]))
    """
    # The factor sigma'(g) is in both and cancels in the ratio.
    negative, entropy = drift.detach().clamp(min=0), (-logit * drift).detach().clamp(min=0)
    entropy = entropy / (negative + entropy).clamp(min=torch.finfo(logit.dtype).tiny)
    spent = entropy.sum()
    if spent > cap:
        entropy = entropy * (cap / spent)
    return 1 - entropy, entropy
