"""An algorithm whose score is the logit of a linear head on the encoder, as in most papers."""

from jaxtyping import Float
from torch import Tensor, nn

from angularpu.algorithms.base import Algorithm
from angularpu.nets.encoder import Encoder


class LogitAlgorithm(Algorithm):
    """Score a row by a logit g.

    Parameters
    ----------
    encoder : Encoder
        Maps prepared rows to R^d; a ReLU and a linear head follow.
    """

    def __init__(self, encoder: Encoder) -> None:
        super().__init__()
        self.encoder = encoder
        self.head = nn.Linear(encoder.d, 1)

    def embed(self, x: Float[Tensor, "n ..."]) -> Float[Tensor, "n d"]:
        """Return f(x), after the ReLU that the head sees."""
        return nn.functional.relu(self.encoder(x))

    def score(self, x: Float[Tensor, "n ..."]) -> Float[Tensor, " n"]:
        """Return the logit g."""
        logit: Tensor = self.head(self.embed(x))[:, 0]
        return logit
