"""A method in two steps: a first network estimates how positive each row is, a second one trains with that."""

import copy

import torch
from jaxtyping import Float
from torch import Tensor, nn

from angularpu.algorithms.base import Phase, PUBatch, Step, View
from angularpu.algorithms.logit import LogitAlgorithm
from angularpu.algorithms.row_values import RowValues
from angularpu.nets.encoder import Encoder

FIRST, SECOND = "posterior", "train"


class Memory(nn.Module):
    """What passes from the first network to the second.

    Parameters
    ----------
    n_rows : int
        One more than the greatest row number.
    network : nn.Module
        Before training: the second network starts from the same weights.

    Attributes
    ----------
    weights : RowValues
        How much each row counts as a negative, once the first network is done.
    start, best : nn.Module
        Frozen copies of the network: before training, and where the first network's error was least.
    error : Tensor, scalar
        That least error; infinite before there is one.
    """

    error: Tensor

    def __init__(self, n_rows: int, network: nn.Module) -> None:
        super().__init__()
        self.weights = RowValues(n_rows, start=0.0)
        self.start = copy.deepcopy(network).requires_grad_(requires_grad=False)
        self.best = copy.deepcopy(self.start)
        self.register_buffer("error", torch.tensor(torch.inf))


class TwoStepAlgorithm(LogitAlgorithm):
    """Train a network to estimate sigma(x) = P(y = 1 | x), then train it again with every row weighted by sigma.

    The first half of the epochs goes to the first network. Where rows are held out, it is taken at the epoch with the
    least squared error E_U sigma^2 - 2 pi E_P sigma, which is E (sigma - y)^2 over the unlabelled rows, less a
    constant. The second network starts from the same weights as the first, and is the one that scores.

    Parameters
    ----------
    encoder : Encoder
        Maps prepared rows to R^d; a linear head follows.
    alpha : float
        pi, the share of positives among the unlabelled rows.
    """

    def __init__(self, encoder: Encoder, *, alpha: float) -> None:
        super().__init__(encoder)
        self.alpha = alpha

    def first_step(self, batch: PUBatch, g: Float[Tensor, " n"]) -> Step:
        """Return the first network's loss of a batch with logits g."""
        raise NotImplementedError

    def second_step(self, batch: PUBatch, g: Float[Tensor, " n"], *, weight: Float[Tensor, " n"]) -> Step:
        """Return the second network's loss of a batch with logits g, its rows weighted."""
        raise NotImplementedError

    def weigh(
        self, pos: Float[Tensor, " p"], unl: Float[Tensor, " u"]
    ) -> tuple[Float[Tensor, " p"], Float[Tensor, " u"]]:
        """Return how much labelled and unlabelled rows count as negatives, given their sigma."""
        raise NotImplementedError

    def build_scaffold(self, n_rows: int) -> nn.Module | None:
        """Return the memory that both networks share."""
        return Memory(n_rows, self._network())

    def phases(self, *, epochs: int, learning_rate: float) -> tuple[Phase, ...]:
        """Return one half of the epochs for each network."""
        first = max(1, epochs // 2)
        return (
            Phase(FIRST, first, learning_rate, selects=False),
            Phase(SECOND, max(1, epochs - first), learning_rate),
        )

    def step(self, batch: PUBatch) -> Step:
        """Return the loss of the network in training."""
        g = self.score(batch.x)
        if batch.phase == FIRST:
            return self.first_step(batch, g)
        return self.second_step(batch, g, weight=self.memory.weights.get(batch.index))

    def on_epoch_end(self, view: View) -> None:
        """Keep the first network if its error on the rows held out is the least so far."""
        held = view.held_scores() if view.phase == FIRST else None
        if held is None:
            return
        pos, unl = held[0].sigmoid(), held[1].sigmoid()
        error = unl.square().mean() - 2 * self.alpha * pos.mean()
        if error < self.memory.error:
            self.memory.error.copy_(error)
            self.memory.best.load_state_dict(self._network().state_dict())

    def begin_phase(self, view: View) -> None:
        """Weigh the rows by the first network, then put the network back to its first weights."""
        if view.phase != SECOND:
            return
        memory, network = self.memory, self._network()
        if memory.error.isfinite():
            network.load_state_dict(memory.best.state_dict())
        weights = self.weigh(view.scores("positives").sigmoid(), view.scores("unlabelled").sigmoid())
        memory.weights.put(view.index("positives"), weights[0])
        memory.weights.put(view.index("unlabelled"), weights[1])
        network.load_state_dict(memory.start.state_dict())

    @property
    def memory(self) -> Memory:
        """What passes from the first network to the second."""
        return self.find_scaffold(Memory)

    def _network(self) -> nn.Module:
        return nn.ModuleList([self.encoder, self.head])
