"""VPU: its objective, its slope, its fixed point, mixtures drawn from the batch's generator alone."""

import math
from dataclasses import replace

import numpy as np
import pytest
import torch

from angularpu.algorithms.vpu import VPU, _draw_beta
from angularpu.errors import SettingError

OUT_OF_RANGE = [("lambda_", [-1, "1"]), ("concentration", [0, None]), ("first_term", ["log", 1]), ("factor", [0, 1.5])]


def seeded(batch, seed: int = 0):
    batch.generator.manual_seed(seed)
    return batch


def naive_objective(algorithm: VPU, batch) -> float:
    """The loss row by row, with the same draws."""
    n, rows = batch.n_pos, batch.x
    phi = [1 / (1 + math.exp(-g)) for g in algorithm.score(rows).tolist()]
    first, positive = sum(phi) / len(phi), -batch.positive_weight * sum(math.log(p) for p in phi[:n])
    published = algorithm.first_term == "log-mean"
    value = math.log(first) + positive if published else first + algorithm.factor * positive
    generator = torch.Generator().manual_seed(0)
    gamma = _draw_beta(algorithm.concentration, generator).item()
    partner = torch.randint(n, (len(rows),), generator=generator).tolist()
    total = 0.0
    for i, row in enumerate(rows):
        g = algorithm.score((gamma * row + (1 - gamma) * rows[partner[i]])[None]).item()
        total += (math.log(gamma * phi[i] + 1 - gamma) + math.log(1 + math.exp(-g))) ** 2
    return value + algorithm.lambda_ * total / len(rows)


@pytest.mark.parametrize("options", [{}, {"lambda_": 2.0, "concentration": 5.0}, {"first_term": "mean", "factor": 0.7}])
def test_the_objective_is_that_of_the_naive_loops(linear, drawn_batch, options):
    algorithm = VPU(linear(), **options).double()
    step = algorithm.step(seeded(drawn_batch(3, 4)))
    assert step.loss.item() == pytest.approx(naive_objective(algorithm, drawn_batch(3, 4)), rel=1e-9)
    assert step.objective is step.loss


def test_terms_by_hand(identity, batch_of):
    algorithm = VPU(identity(1), lambda_=0.0).double()
    with torch.no_grad():
        algorithm.head.weight.fill_(1)
        algorithm.head.bias.fill_(0)
    x = torch.tensor([[math.log(3)], [0.0]], dtype=torch.float64)  # Phi: 3/4, 1/2
    step = algorithm.step(batch_of(x, 1, positive_weight=2.0))
    assert {name: term.item() for name, term in step.terms.items()} == pytest.approx(
        {"all": math.log(5 / 8), "positive": 2 * math.log(4 / 3)}
    )
    assert step.loss.item() == pytest.approx(math.log(5 / 8) + 2 * math.log(4 / 3))


def test_the_mean_of_parts_of_a_batch_is_that_of_the_batch(linear, drawn_batch):
    """The published log of the mean is below that of the whole, by Jensen."""
    whole = drawn_batch(0, 6)
    for first_term in ("mean", "log-mean"):
        algorithm = VPU(linear(), first_term=first_term).double()
        terms = [algorithm.step(replace(whole, x=rows)).terms["all"] for rows in (whole.x, whole.x[:3], whole.x[3:])]
        gap = (terms[0] - (terms[1] + terms[2]) / 2).item()
        assert gap == pytest.approx(0, abs=1e-12) if first_term == "mean" else gap > 1e-6


@pytest.mark.parametrize("first_term", ["log-mean", "mean"])
def test_the_slope_is_that_of_the_objective(linear, drawn_batch, gradcheck, first_term):
    class Repeated(VPU):
        def step(self, batch):
            return super().step(seeded(batch))

    assert gradcheck(Repeated(linear(), first_term=first_term).double(), drawn_batch(2, 3))


def test_it_stands_still_where_phi_is_proportional_to_the_posterior(identity, batch_of):
    """Twenty rows of four kinds; P(y = 1 | x) is 1/2 for the first kind, and so on; the positives follow from it."""
    logit = torch.tensor([0.4, 0.2, 0.1, 0.05], dtype=torch.float64).logit()  # Phi, and 5/4 of it is the posterior
    kinds = torch.tensor([0] * 4 + [1] * 4 + [2] * 4 + [3] * 8)
    labelled = torch.tensor([0] * 4 + [1] * 2 + [2] + [3])  # in the proportion of count times posterior
    table = logit.clone().requires_grad_()

    class Table(VPU):
        def score(self, x):
            return table[x[:, 0].long()]

    # all rows and, as a batch of its own, the labelled ones: the two parts of L_var are apart on the left and right
    algorithm = Table(identity(1), lambda_=0.0).double()
    everything = algorithm.step(batch_of(kinds[:, None].double(), 0)).terms["all"]
    positives = algorithm.step(batch_of(labelled[:, None].double(), 8, positive_weight=1 / 8)).terms["positive"]
    (slope,) = torch.autograd.grad(everything + positives, table)
    torch.testing.assert_close(slope, torch.zeros(4, dtype=torch.float64), rtol=0, atol=1e-12)


@pytest.mark.parametrize("sizes", [(1, 0), (0, 1), (1, 1), (3, 0), (0, 3)])
def test_a_batch_with_one_or_no_row_of_a_kind_has_a_finite_loss_and_slope(linear, drawn_batch, sizes):
    algorithm = VPU(linear()).double()
    step = algorithm.step(seeded(drawn_batch(*sizes)))
    step.loss.backward()
    assert torch.isfinite(step.loss)
    assert all(torch.isfinite(parameter.grad).all() for parameter in algorithm.parameters())
    assert ("consistency" in step.terms) == (sizes[0] > 0)  # without a positive there is nothing to mix with


def test_mixtures_come_from_the_batchs_generator_alone(linear, drawn_batch):
    algorithm = VPU(linear()).double()

    def loss(seed: int) -> float:
        return algorithm.step(seeded(drawn_batch(3, 4), seed)).loss.item()

    before = torch.get_rng_state()
    assert loss(1) == loss(1) != loss(2)
    assert torch.equal(torch.get_rng_state(), before)


def test_gamma_follows_the_beta_distribution():
    generator = torch.Generator().manual_seed(0)
    draws = np.array([_draw_beta(0.3, generator).item() for _ in range(4000)])
    assert draws.mean() == pytest.approx(0.5, abs=0.02)
    assert draws.var() == pytest.approx(1 / (4 * 1.6), abs=0.005)  # 1/(4 (2 a + 1))


@pytest.mark.parametrize(("option", "values"), OUT_OF_RANGE)
@pytest.mark.usefixtures("unchecked")
def test_options_that_make_no_sense_are_refused_by_name(identity, option, values):
    for value in values:
        with pytest.raises(SettingError, match=f"^{option} must be .*, got "):
            VPU(identity(2), **{option: value})
