"""The contract between a paper and the training loop."""

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeVar, runtime_checkable

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.optim import Optimizer

from angularpu.losses.logistic import logistic_loss
from angularpu.nets.encoder import Encoder

Kind = TypeVar("Kind", bound=nn.Module)
Which = Literal["positives", "unlabelled"]
Batches = Literal["mixed", "paired"]
MakeView = Callable[[Tensor, torch.Generator], Tensor]


def identity(value: Tensor) -> Tensor:
    """Return a batch statistic as it is: what ``reduce`` does on a single process."""
    return value


def unaltered(x: Tensor, generator: torch.Generator) -> Tensor:
    """Return rows as they are: the view of a kind of input that has no other."""
    return x


@dataclass(frozen=True, slots=True)
class KnownNegatives:
    """Some of the rows that a person found negative.

    Attributes
    ----------
    x : Tensor, shape (n, ...)
        Prepared rows.
    weight : float
        What their mean loss counts.
    """

    x: Tensor
    weight: float


@dataclass(slots=True)
class PUBatch:
    """Some rows of the training set, the labelled positives first.

    Attributes
    ----------
    x : Tensor, shape (n, ...)
        Prepared rows; sparse ones are a CSR tensor, which the encoder takes and ``dense`` makes dense.
    n_pos : int
        The first ``n_pos`` rows are labelled positives, the others unlabelled; either part may be empty.
    index : Tensor, shape (n,)
        Each row's number in the training set.
    positive_weight : float
        Batches in an epoch / labelled positives in the training set: the weight that makes the sum over a batch's
        positives an unbiased estimate of their mean.
    progress : float
        Share of the phase that is done, in [0, 1).
    generator : torch.Generator
        Randomness for mixing and views.
    phase : str
        The name of the current phase.
    reduce : callable
        Makes a batch mean a mean over all ranks.
    make_view : callable
        Alters prepared rows at random without changing what they are, in the way of their kind of input.
    negatives : KnownNegatives, optional
        Rows that a person found negative; they are not among ``x``.
    """

    x: Tensor
    n_pos: int
    index: Int[Tensor, " n"]
    positive_weight: float
    progress: float
    generator: torch.Generator
    phase: str
    reduce: Callable[[Tensor], Tensor] = identity
    make_view: MakeView = unaltered
    negatives: KnownNegatives | None = None
    _views: tuple[Tensor, Tensor] | None = field(default=None, init=False, repr=False)

    def average_positives(self, values: Float[Tensor, " p"]) -> Float[Tensor, ""]:
        """Estimate the mean over all labelled positives from the values of those in the batch, without bias."""
        return self.reduce(self.positive_weight * values.sum())

    def average_unlabelled(self, values: Float[Tensor, " u"]) -> Float[Tensor, ""]:
        """Estimate the mean over the unlabelled rows from the values of those in the batch; 0 where there are none."""
        return self.reduce(values.sum() / max(1, len(values)))

    @property
    def dense(self) -> Tensor:
        """The prepared rows as a dense tensor, for what mixes, alters or rebuilds them."""
        return self.x.to_dense() if self.x.layout == torch.sparse_csr else self.x

    @property
    def views(self) -> tuple[Tensor, Tensor]:
        """Two views of every row, made when first asked for."""
        if self._views is None:
            x = self.dense
            self._views = self.make_view(x, self.generator), self.make_view(x, self.generator)
        return self._views


@dataclass(frozen=True, slots=True)
class Step:
    """What one batch gave.

    Attributes
    ----------
    loss : Tensor, scalar
        What is differentiated.
    objective : Tensor, scalar
        What is reported; it differs from ``loss`` where the paper says so.
    terms : dict of str to Tensor
        The parts, for the history.
    """

    loss: Float[Tensor, ""]
    objective: Float[Tensor, ""]
    terms: dict[str, Tensor] = field(default_factory=dict)


@dataclass(frozen=True)
class Phase:
    """A part of training with one optimiser and one selection.

    Attributes
    ----------
    name : str
    epochs : int
    learning_rate : float
    selects : bool
        Whether held-out rows choose the best epoch of this phase and end it early.
    batches : {"mixed", "paired"}
        Every row once per epoch; or as many labelled positives in each batch as a quarter of its size, drawn round by
        round.
    """

    name: str
    epochs: int
    learning_rate: float
    selects: bool = True
    batches: Batches = "mixed"


@runtime_checkable
class View(Protocol):
    """What an algorithm may look at between epochs: its own scores and embeddings, never the sample.

    ``phase`` is the name of the current phase.
    """

    phase: str

    def index(self, which: Which) -> Int[Tensor, " n"]:
        """Return the numbers of the training rows of one kind, in the order of their scores and embeddings."""
        ...

    def scores(self, which: Which) -> Float[Tensor, " n"]:
        """Return the scores of the training rows of one kind, made in eval mode."""
        ...

    def embeddings(self, which: Which) -> Float[Tensor, "n d"]:
        """Return the embeddings of the training rows of one kind, made in eval mode."""
        ...

    def held_scores(self) -> tuple[Float[Tensor, " n"], Float[Tensor, " m"]] | None:
        """Return the scores of the held-out positives and unlabelled rows, if rows are held out."""
        ...


class Algorithm(nn.Module):
    """One paper: what a batch costs, and what a row scores.

    The constructor makes what scoring needs, and only that is saved with a model. What training alone needs
    (pseudo-labels by row, momentum copies, queues) stands in ``scaffold``, a module that the training loop builds at
    the start, keeps in every checkpoint and removes when training ends.
    """

    encoder: Encoder
    scaffold: nn.Module | None
    has_own_scale = False  # whether the score means the same in every run, as a cosine does and a logit does not
    has_margin = False  # whether it has a margin of its own to cut at
    learns_from_negatives = False  # whether it has a term for rows that a person found negative
    row_options: tuple[str, ...] = ()  # options that are rows of known class, (X, y); they come prepared

    def __init__(self) -> None:
        super().__init__()
        self.scaffold = None

    def build_scaffold(self, n_rows: int) -> nn.Module | None:
        """Return what only training needs, for row numbers below ``n_rows``."""
        return None

    def step(self, batch: PUBatch) -> Step:
        """Return the batch's loss, ready to be differentiated."""
        raise NotImplementedError

    def find_scaffold(self, kind: type[Kind]) -> Kind:
        """Return the scaffold, which is a module of the given kind during training."""
        assert isinstance(self.scaffold, kind)
        return self.scaffold

    def embed(self, x: Float[Tensor, "n ..."]) -> Float[Tensor, "n d"]:
        """Return the embeddings of prepared rows."""
        raise NotImplementedError

    def score(self, x: Float[Tensor, "n ..."]) -> Float[Tensor, " n"]:
        """Return the scores of prepared rows; higher is more positive."""
        raise NotImplementedError

    def negative_term(self, negatives: KnownNegatives) -> Float[Tensor, ""]:
        """Return the loss of rows that a person found negative: w times the mean of log(1 + e^score)."""
        return negatives.weight * logistic_loss(self.score(negatives.x), -1).mean()

    def find_margin(self) -> float | None:
        """Return the score at the method's own margin, if it has one."""
        return None

    def after_step(self, batch: PUBatch) -> None:
        """Put constrained parameters back in their range, move averages and queues."""

    def phases(self, *, epochs: int, learning_rate: float) -> tuple[Phase, ...]:
        """Return the parts of training, one by default."""
        return (Phase("train", epochs, learning_rate),)

    def begin_phase(self, view: View) -> None:
        """Prepare what the coming phase needs."""

    def on_epoch_end(self, view: View) -> None:
        """Refresh what is kept by training row: pseudo-labels, curriculum."""

    def parameter_groups(self) -> dict[str, list[nn.Parameter]]:
        """Return the parameters by optimiser; one optimiser by default."""
        return {"all": [parameter for parameter in self.parameters() if parameter.requires_grad]}

    def update(self, batch: PUBatch, optimizers: Sequence[Optimizer]) -> Step:
        """Take one step of gradient descent; only adversarial or bilevel methods override it."""
        step = self.step(batch)
        if batch.negatives is not None:
            step = _add_term(step, "negative", self.negative_term(batch.negatives))
        for optimizer in optimizers:
            optimizer.zero_grad(set_to_none=True)
        _differentiate(step.loss)
        for optimizer in optimizers:
            optimizer.step()
        self.after_step(batch)
        return step


def sum_terms(terms: dict[str, Tensor], **strength: float) -> Float[Tensor, ""]:
    """Add up the terms of an objective, each times its strength where one is named.

    >>> sum_terms({"a": torch.tensor(1.0), "b": torch.tensor(4.0)}, b=0.5)
    tensor(3.)
    """
    scaled = (strength[name] * term if name in strength else term for name, term in terms.items())
    return functools.reduce(torch.add, scaled)


def _add_term(step: Step, name: str, term: Tensor) -> Step:
    return Step(step.loss + term, step.objective + term.detach(), {**step.terms, name: term})


def _differentiate(loss: Tensor) -> None:
    loss.backward()  # type: ignore[no-untyped-call]
