"""The objective of AngularPU against a second implementation, row by row in plain Python."""

import itertools
import math
from dataclasses import replace

import pytest
import torch
from scipy.special import expit as sigmoid

from angularpu.algorithms.angular import Angular

DEGENERATE = [(1, 0), (0, 1), (2, 0), (0, 2), (1, 1), (1, 4), (4, 1)]


def dot(u: list[float], v: list[float]) -> float:
    return sum(p * q for p, q in zip(u, v, strict=True))


def read_scalars(algorithm: Angular) -> tuple[float, float]:
    """The margin and the sharpness from the raw parameters, as the options' description has it."""
    m, a = algorithm.margin, algorithm.sharpness
    if m == "learnable":
        m = algorithm.raw_margin.item()
    elif m == "softplus":
        m = math.log(1 + math.exp(algorithm.raw_margin.item()))
    if a == "learnable":
        a = math.exp(algorithm.raw_sharpness.item())
    return m, a


def naive_objective(algorithm: Angular, batch) -> float:
    """L = L_pos + L_unl + lambda L_reg, one row and one pair at a time."""
    kappa, n, (m, a) = algorithm.kappa, batch.n_pos, read_scalars(algorithm)
    z = [[v / math.sqrt(dot(f, f)) for v in f] for f in algorithm.encoder(batch.x).tolist()]
    positive = unlabelled = pairs = 0.0
    for number, row in enumerate(z):
        c = dot(algorithm.mu[0].tolist(), row)
        logit = kappa * c if algorithm.logit == "cosine" else a * (c - m)
        if number < n:
            positive += -kappa * c if algorithm.positive_loss == "alignment" else -math.log(sigmoid(logit))
        else:
            s = sigmoid(a * (c - m))
            w = {"prototype": s, "boundary": s * (1 - s), None: 1.0}[algorithm.weight]
            unlabelled += w * (-0.5 * math.log(sigmoid(logit)) - 0.5 * math.log(1 - sigmoid(logit)))
    positive *= batch.positive_weight if algorithm.positives == "unbiased" else 1 / n
    spread = z[n:] if algorithm.dispersion_on == "unlabelled" else z
    for i, j in itertools.permutations(range(len(spread)), 2):
        pairs += math.exp(algorithm.t * dot(spread[i], spread[j]))
    dispersion = math.log(pairs / (len(spread) * (len(spread) - 1)))
    return positive + unlabelled / (len(z) - n) + algorithm.lambda_ * dispersion


@pytest.fixture
def make(linear):
    encoder = linear()

    def build(**options) -> Angular:
        with torch.random.fork_rng():
            torch.manual_seed(1)
            algorithm = Angular(encoder, **options).double()
        with torch.no_grad():  # away from where they start, so that no term is right by accident
            if algorithm.margin in {"learnable", "softplus"}:
                algorithm.raw_margin.fill_(0.23)
            if algorithm.sharpness == "learnable":
                algorithm.raw_sharpness.fill_(1.1)
        return algorithm

    return build


def test_every_combination_of_switches_gives_the_objective_of_the_naive_loops(make, drawn_batch):
    switches = {
        "logit": ["cosine", "margin"],
        "margin": [-0.3, "learnable", "softplus"],
        "sharpness": [4.0, "learnable"],
        "weight": ["prototype", "boundary", None],
        "positives": ["unbiased", "batch"],
        "positive_loss": ["alignment", "logistic"],
        "lambda_": [0.0, 0.8],
        "dispersion_on": ["unlabelled", "all"],
    }
    batch = drawn_batch(3, 4)
    for values in itertools.product(*switches.values()):
        options = dict(zip(switches, values, strict=True))
        algorithm = make(**options)
        step = algorithm.step(batch)
        assert step.loss.item() == pytest.approx(naive_objective(algorithm, batch), rel=1e-9), options
        assert step.objective is step.loss


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("kappa", [0.5, 12.0])
@pytest.mark.parametrize("t", [0.1, 5.0])
def test_scale_and_temperature_stand_where_the_paper_has_them(make, drawn_batch, kappa, t, seed):
    algorithm, batch = make(kappa=kappa, t=t), drawn_batch(2, 5, seed=seed)
    assert algorithm.step(batch).loss.item() == pytest.approx(naive_objective(algorithm, batch), rel=1e-9)


def test_terms_by_hand(identity, batch_of):
    algorithm = Angular(identity(2), margin=0.5, sharpness=2 * math.log(3)).double()
    with torch.no_grad():
        algorithm.mu.copy_(torch.tensor([[1.0, 0.0]]))
    x = torch.tensor([[5.0, 0.0], [0.0, 2.0], [0.0, -1.0], [0.1, 0.0]], dtype=torch.float64)
    step = algorithm.step(batch_of(x, 1, positive_weight=1.0))
    # The positive has c = 1. Two unlabelled rows have c = 0, weight 1/4 and loss log 2; one has c = 1 and weight 3/4.
    assert step.terms["positive"].item() == pytest.approx(-3)
    expected = (2 * math.log(2) / 4 + 3 / 4 * math.log(2 * math.cosh(1.5))) / 3
    assert step.terms["unlabelled"].item() == pytest.approx(expected)
    # One pair points apart, two stand at right angles.
    assert step.terms["dispersion"].item() == pytest.approx(math.log((math.exp(-2) + 2) / 3))
    assert step.loss.item() == pytest.approx(-3 + expected + 0.5 * math.log((math.exp(-2) + 2) / 3))


def test_detaching_the_weights_changes_no_value(make, drawn_batch):
    values = [make(detach_weight=detach).step(drawn_batch(3, 4)).loss.item() for detach in (False, True)]
    assert values[0] == values[1]


@pytest.mark.parametrize("sizes", DEGENERATE)
@pytest.mark.parametrize("positives", ["unbiased", "batch"])
@pytest.mark.parametrize("dispersion_on", ["unlabelled", "all"])
def test_a_batch_with_one_or_no_row_of_a_kind_has_a_finite_loss_and_slope(
    make, drawn_batch, sizes, positives, dispersion_on
):
    algorithm = make(positives=positives, dispersion_on=dispersion_on)
    step = algorithm.step(drawn_batch(*sizes))
    step.loss.backward()
    assert torch.isfinite(step.loss)
    slopes = [p.grad for p in algorithm.parameters() if p.grad is not None]
    assert len(slopes) >= 3
    assert all(torch.isfinite(slope).all() for slope in slopes)


def test_a_row_whose_embedding_is_zero_harms_nobody(identity, batch_of):
    algorithm = Angular(identity(3)).double()
    x = torch.tensor([[1.0, 0, 0], [0, 0, 0], [0, 1, 1], [0, 0, 0]], dtype=torch.float64, requires_grad=True)
    step = algorithm.step(batch_of(x, 2))
    step.loss.backward()
    assert torch.isfinite(step.loss)
    assert torch.isfinite(x.grad).all()


def test_the_order_of_rows_within_a_kind_does_not_matter(make, drawn_batch, batch_of):
    algorithm, batch = make(), drawn_batch(3, 5)
    shuffled = batch_of(batch.x[[2, 0, 1, 7, 4, 6, 3, 5]], 3)
    assert algorithm.step(shuffled).loss.item() == pytest.approx(algorithm.step(batch).loss.item(), rel=1e-12)


@pytest.mark.parametrize("positives", ["unbiased", "batch"])
def test_every_mean_goes_through_reduce(make, drawn_batch, positives):
    batch = drawn_batch(3, 4)
    whole = make(positives=positives).step(batch).terms
    doubled = make(positives=positives).step(replace(batch, reduce=lambda value: 2 * value)).terms
    assert doubled["positive"] == 2 * whole["positive"]
    assert doubled["unlabelled"] == 2 * whole["unlabelled"]
