"""What the risk estimators share: the parts of a PU risk, estimated without bias from a batch."""

from collections.abc import Callable
from types import MappingProxyType
from typing import Literal, NamedTuple

from jaxtyping import Float
from torch import Tensor

from angularpu.algorithms.base import PUBatch
from angularpu.algorithms.checks import check_choice, check_share
from angularpu.algorithms.logit import LogitAlgorithm
from angularpu.losses.logistic import logistic_loss
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
    """Score a row by a logit g whose PU risk is brought down.

    Parameters
    ----------
    encoder : Encoder
        Maps prepared rows to R^d; a linear head follows.
    prior : float in (0, 1)
        pi, the share of positives among the unlabelled rows.
    loss : {"sigmoid", "logistic"}
        l.
    """

    def __init__(self, encoder: Encoder, *, prior: float, loss: Loss = "sigmoid") -> None:
        super().__init__(encoder)
        self.prior = check_share("prior", prior)
        self.loss = check_choice("loss", loss, tuple(LOSSES))

    def estimate_risks(self, batch: PUBatch) -> Risks:
        """Return the parts of the risk; their means over an epoch are those of the training set."""
        g = self.score(batch.x)
        pos, unl = g[: batch.n_pos], g[batch.n_pos :]
        penalise = LOSSES[self.loss]
        called_negative = batch.average_positives(penalise(pos, -1))
        return Risks(
            batch.average_positives(penalise(pos, 1)),
            batch.average_unlabelled(penalise(unl, -1)) - self.prior * called_negative,
        )
