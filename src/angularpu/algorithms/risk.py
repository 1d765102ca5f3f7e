"""What the risk estimators share: the parts of a PU risk, estimated without bias from a batch."""

from collections.abc import Callable
from types import MappingProxyType
from typing import Literal, NamedTuple

from jaxtyping import Float
from torch import Tensor

from angularpu.algorithms.base import PUBatch, Step
from angularpu.algorithms.logit import LogitAlgorithm
from angularpu.checks import check_choice, check_share
from angularpu.losses.logistic import logistic_loss
from angularpu.losses.non_negative import correct_negative_part
from angularpu.losses.sigmoid import sigmoid_loss
from angularpu.nets.encoder import Encoder

Loss = Literal["sigmoid", "logistic"]
LOSSES: MappingProxyType[str, Callable[[Tensor, int], Tensor]] = MappingProxyType(
    {"sigmoid": sigmoid_loss, "logistic": logistic_loss}
)


class Risks(NamedTuple):
    """The parts of a PU risk.

    Attributes
    ----------
    positive : Tensor, scalar
        E_P l(g, +1).
    negative : Tensor, scalar
        E_U l(g, -1) - pi E_P l(g, -1), which estimates (1 - pi) E_N l(g, -1).
    """

    positive: Float[Tensor, ""]
    negative: Float[Tensor, ""]


class RiskAlgorithm(LogitAlgorithm):
    """Score a row by a logit g with a low PU risk.

    Parameters
    ----------
    encoder : Encoder
        Maps prepared rows to R^d; a linear head follows.
    alpha : float in (0, 1)
        pi, the share of positives among the unlabelled rows.
    loss : {"sigmoid", "logistic"}
        l, the loss of one row.
    """

    learns_from_negatives = True

    def __init__(self, encoder: Encoder, *, alpha: float, loss: Loss = "sigmoid") -> None:
        super().__init__(encoder)
        self.alpha = check_share("alpha", alpha)
        self.loss = check_choice("loss", loss, tuple(LOSSES))

    def estimate_risks(self, batch: PUBatch) -> Risks:
        """Return the parts of the risk; their means over an epoch are those of the training set."""
        return estimate_risks(batch, self.score(batch.x), loss=LOSSES[self.loss], alpha=self.alpha)


def estimate_risks(
    batch: PUBatch, g: Float[Tensor, " n"], *, loss: Callable[[Tensor, int], Tensor], alpha: float
) -> Risks:
    """Return the parts of the risk of the logits g of a batch's rows, under a loss l; ``alpha`` is pi."""
    pos, unl = g[: batch.n_pos], g[batch.n_pos :]
    called_negative = batch.average_positives(loss(pos, -1))
    return Risks(
        batch.average_positives(loss(pos, 1)),
        batch.average_unlabelled(loss(unl, -1)) - alpha * called_negative,
    )


def make_corrected_step(
    positive: Float[Tensor, ""], negative: Float[Tensor, ""], *, beta: float = 0.0, gamma: float = 1.0
) -> Step:
    """Make the step of a risk's two parts, with nnPU's correction of the negative one."""
    loss, objective = correct_negative_part(positive, negative, beta=beta, gamma=gamma)
    return Step(loss, objective, {"positive": positive, "negative": negative})
