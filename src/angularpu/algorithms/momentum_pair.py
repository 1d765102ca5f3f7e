"""What PiCO and WConPU need while they train: a slow encoder, a queue of its keys, prototypes, beliefs."""

import copy
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from angularpu.algorithms.moving_average import move_average
from angularpu.algorithms.projector import WIDTH, make_projector
from angularpu.geometry.sphere import normalise
from angularpu.nets.encoder import Encoder

EMPTY = -1
KEY_MOMENTUM = 0.999


@dataclass(frozen=True)
class Seen:
    """What a batch contributes to the pair.

    Attributes
    ----------
    index : Tensor, shape (n,)
        The rows' numbers.
    q, k : Tensor, shape (n, w)
        Queries and keys.
    labels : Tensor, shape (n,)
        The predicted class of each row, 0 or 1: whose prototype its query moves.
    marks : Tensor, shape (n,)
        What the queue remembers each key as.
    beliefs : Tensor, shape (n,)
        How positive each row is now believed to be, in [0, 1].
    """

    index: Int[Tensor, " n"]
    q: Float[Tensor, "n w"]
    k: Float[Tensor, "n w"]
    labels: Int[Tensor, " n"]
    marks: Int[Tensor, " n"]
    beliefs: Float[Tensor, " n"]


class MomentumPair(nn.Module):
    """A projector for queries, slow copies for keys, a queue of keys, a prototype per class, a belief per row.

    Parameters
    ----------
    encoder : Encoder
        The encoder of the queries, which is copied for the keys.
    n_rows : int
        One more than the greatest row number.
    queue : int
        Keys to remember; never more than there are rows.
    belief : float
        How positive every row is believed to be at first.
    """

    keys: Tensor
    marks: Tensor
    place: Tensor
    prototypes: Tensor
    beliefs: Tensor
    started: Tensor

    def __init__(self, encoder: Encoder, *, n_rows: int, queue: int, belief: float) -> None:
        super().__init__()
        self.projector = make_projector(encoder.d)
        self.key_encoder = copy.deepcopy(encoder).requires_grad_(requires_grad=False)
        self.key_projector = copy.deepcopy(self.projector).requires_grad_(requires_grad=False)
        size = min(queue, n_rows)
        self.register_buffer("keys", torch.zeros(size, WIDTH))
        self.register_buffer("marks", torch.full((size,), EMPTY))
        self.register_buffer("place", torch.tensor(0))
        self.register_buffer("prototypes", torch.zeros(2, WIDTH))
        self.register_buffer("beliefs", torch.full((n_rows,), belief))
        self.register_buffer("started", torch.tensor(0))

    def make_queries(self, h: Float[Tensor, "n d"]) -> Float[Tensor, "n w"]:
        """Return the queries q of embedded rows, on the sphere."""
        return normalise(self.projector(h))

    @torch.no_grad()
    def make_keys(self, x: Float[Tensor, "n ..."]) -> Float[Tensor, "n w"]:
        """Return the keys k of prepared rows, on the sphere."""
        return normalise(self.key_projector(nn.functional.relu(self.key_encoder(x))))

    def assign(self, z: Float[Tensor, "n w"]) -> Int[Tensor, " n"]:
        """Return the class of the prototype nearest to each query or key."""
        return (z @ self.prototypes.T).argmax(1)

    @torch.no_grad()
    def revise(
        self, index: Int[Tensor, " n"], q: Float[Tensor, "n w"], *, n_pos: int, keep: float
    ) -> Float[Tensor, " n"]:
        """Return the beliefs about some rows, moved towards the nearest prototype: s <- keep s + (1 - keep) [class].

        Labelled rows stay positive; before the second epoch nothing moves.
        """
        beliefs = self.beliefs[index.to(self.beliefs.device)]
        if self.started:
            beliefs = keep * beliefs + (1 - keep) * self.assign(q)
        beliefs[:n_pos] = 1
        return beliefs

    @torch.no_grad()
    def update_from(self, seen: Seen, encoder: Encoder, *, momentum: float) -> None:
        """Update beliefs, prototypes (with this momentum), slow copies and queue by a batch."""
        self.beliefs[seen.index.to(self.beliefs.device)] = seen.beliefs.to(self.beliefs)
        self.prototypes.copy_(move_prototypes(self.prototypes, seen.q, labels=seen.labels, momentum=momentum))
        move_average(self.key_encoder, encoder, momentum=KEY_MOMENTUM)
        move_average(self.key_projector, self.projector, momentum=KEY_MOMENTUM)
        size = len(self.keys)
        k, marks = seen.k[-size:], seen.marks[-size:]
        places = (self.place + torch.arange(len(k), device=k.device)) % size
        self.keys[places], self.marks[places] = k, marks
        self.place.copy_((self.place + len(k)) % size)

    def find_own(self, n: int) -> Bool[Tensor, "n k"]:
        """Mark the own key of each of ``n`` queries among the candidates: all queries, all keys, the queue."""
        own = torch.zeros(n, 2 * n + len(self.keys), dtype=torch.bool, device=self.keys.device)
        own[:, n : 2 * n].fill_diagonal_(True)
        return own

    def find_excluded(self, n: int) -> Bool[Tensor, "n k"]:
        """Mark the candidates that each of ``n`` queries must not meet: itself, and empty places of the queue."""
        empty = torch.cat([self.marks.new_zeros(2 * n), self.marks]) == EMPTY
        excluded: Tensor = empty.repeat(n, 1)
        return excluded.fill_diagonal_(True)


def move_prototypes(
    prototypes: Float[Tensor, "2 w"], q: Float[Tensor, "n w"], *, labels: Int[Tensor, " n"], momentum: float
) -> Float[Tensor, "2 w"]:
    """Move each class's prototype by its queries in turn, mu <- momentum mu + (1 - momentum) q, then normalise.

    Moving by one row after another is one sum, in which a later row weighs more.

    >>> start, q = torch.tensor([[1.0, 0.0], [1.0, 0.0]]), torch.tensor([[0.0, 1.0]])
    >>> move_prototypes(start, q, labels=torch.tensor([1]), momentum=0.5)
    tensor([[1.0000, 0.0000],
            [0.7071, 0.7071]])
    """
    member = nn.functional.one_hot(labels, 2).to(q)
    later = member.flip(0).cumsum(0).flip(0) - member
    share = (1 - momentum) * momentum**later * member
    return normalise(momentum ** member.sum(0)[:, None] * prototypes + share.T @ q)
