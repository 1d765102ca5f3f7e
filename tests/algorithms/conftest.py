"""Small algorithms and batches in float64, where a wrong digit shows."""

from collections import OrderedDict
from collections.abc import Callable, Iterator

import jaxtyping
import pytest
import torch
from torch import Tensor, nn
from torch.func import functional_call

from angularpu.algorithms.base import Algorithm, PUBatch
from angularpu.nets.encoder import Encoder
from angularpu.nets.linear import LinearEncoder


@pytest.fixture(autouse=True)
def same_prototype() -> Iterator[None]:
    """Let every test draw the same prototype, from the global generator."""
    with torch.random.fork_rng():
        torch.manual_seed(0)
        yield


@pytest.fixture(scope="session")
def linear() -> Callable[..., Encoder]:
    """Make a linear encoder from five columns to R^3, always the same."""

    def make(seed: int = 0) -> Encoder:
        with torch.random.fork_rng():
            torch.manual_seed(seed)
            return LinearEncoder((5,), d=3).double()

    return make


@pytest.fixture(scope="session")
def identity() -> Callable[[int], Encoder]:
    """Make the encoder whose embeddings are the rows themselves: f(x) = x."""
    return lambda d: Encoder(OrderedDict(embedding=nn.Identity()), d=d)


@pytest.fixture(scope="session")
def batch_of() -> Callable[..., PUBatch]:
    """Make a batch of given rows, the first ``n_pos`` of them labelled."""

    def make(x: Tensor, n_pos: int, *, positive_weight: float = 0.7, phase: str = "train") -> PUBatch:
        return PUBatch(
            x=x,
            n_pos=n_pos,
            index=torch.arange(len(x)),
            positive_weight=positive_weight,
            progress=0.0,
            generator=torch.Generator(),
            phase=phase,
        )

    return make


@pytest.fixture(scope="session")
def drawn_batch(batch_of) -> Callable[..., PUBatch]:
    """Make a batch of five random columns."""

    def make(n_pos: int, n_unl: int, *, seed: int = 0, phase: str = "train") -> PUBatch:
        x = torch.randn(n_pos + n_unl, 5, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
        return batch_of(x, n_pos, phase=phase)

    return make


class Loss(nn.Module):
    """The loss of one batch as a function of the algorithm's parameters."""

    def __init__(self, algorithm: Algorithm, batch: PUBatch) -> None:
        super().__init__()
        self.algorithm, self.batch = algorithm, batch

    def forward(self) -> Tensor:
        return self.algorithm.step(self.batch).loss


@pytest.fixture(scope="session")
def gradcheck() -> Callable[[Algorithm, PUBatch], bool]:
    """Compare the slope of a step in every parameter with differences of its loss."""

    def check(algorithm: Algorithm, batch: PUBatch) -> bool:
        loss = Loss(algorithm, batch)
        names, values = zip(*loss.named_parameters(), strict=True)

        def of_parameters(*changed: Tensor) -> Tensor:
            return functional_call(loss, dict(zip(names, changed, strict=True)), ())

        return torch.autograd.gradcheck(of_parameters, [v.detach().clone().requires_grad_() for v in values])

    return check


@pytest.fixture(scope="session")
def slopes_agree() -> Callable[[Algorithm, PUBatch], bool]:
    """Compare the slopes of a step, along one random direction per parameter, with differences of its loss.

    Unlike gradcheck it passes over parameters that must have no slope, and is quick however many entries there are.
    """

    def check(algorithm: Algorithm, batch: PUBatch) -> bool:
        parameters = [p for p in algorithm.parameters() if p.requires_grad]
        slopes = torch.autograd.grad(algorithm.step(batch).loss, parameters, allow_unused=True)
        generator = torch.Generator().manual_seed(0)
        for parameter, slope in zip(parameters, slopes, strict=True):
            direction = torch.randn(parameter.shape, generator=generator, dtype=parameter.dtype)
            values = []
            for distance in (1e-6, -1e-6):
                with torch.no_grad():
                    parameter.add_(direction, alpha=distance)
                    values.append(algorithm.step(batch).loss.item())
                    parameter.sub_(direction, alpha=distance)
            along = 0.0 if slope is None else (slope * direction).sum().item()
            if abs((values[0] - values[1]) / 2e-6 - along) > 1e-6 + 1e-4 * abs(along):
                return False
        return True

    return check


@pytest.fixture
def unchecked() -> Iterator[None]:
    """Switch off the run-time checks of types, which no user has: what is left are the package's own."""
    jaxtyping.config.update("jaxtyping_disable", True)
    yield
    jaxtyping.config.update("jaxtyping_disable", False)
