"""aPU: the parts of its three risks, with one unlabelled set and with two."""

import math

import numpy as np
import pytest
import torch

from angularpu.algorithms.apu import APU
from angularpu.algorithms.nnpu import NNPU
from angularpu.algorithms.two_step import FIRST, SECOND
from angularpu.errors import SettingError
from angularpu.methods.neural import NeuralMethod
from angularpu.metrics.ranking import auc
from angularpu.scenario.proportions import Proportions
from angularpu.scenario.sample import make_sample
from angularpu.train.settings import Settings

TWO_SETS = {"test_from": 5, "test_prior": 0.2}
WEIGHT = torch.linspace(0.1, 0.9, 7, dtype=torch.float64)


@pytest.fixture
def make(linear):
    return lambda **options: APU(linear(), **{"alpha": 0.4, **options}).double()


def sigmoid(g: float, y: int) -> float:
    return 1 / (1 + math.exp(y * g))


def logistic(g: float, y: int) -> float:
    return math.log(1 + math.exp(-y * g))


def mean(values: list[float]) -> float:
    return sum(values) / len(values)


def naive_objective(algorithm: APU, g: list[float], *, variant: str) -> float:
    """The risks row by row: three labelled rows of weight 0.7; of the four others two are a second set, or none."""
    two = algorithm.test_from is not None
    pi, pi_test = 0.4, 0.2 if two else 0.4
    first, second = (range(3, 5), range(5, 7)) if two else (range(3, 7), range(3, 7))
    ratio = (1 - pi_test) / (1 - pi)

    def labelled(y: int) -> float:
        return 0.7 * sum(sigmoid(value, y) for value in g[:3])

    def negative(y: int) -> float:
        if variant == "purr":
            return abs(ratio * (mean([sigmoid(g[i], y) for i in first]) - pi * labelled(y)))
        return ratio * mean([WEIGHT[i].item() * sigmoid(g[i], y) for i in first])

    positive = abs(mean([sigmoid(g[i], 1) for i in second]) - negative(1))
    if variant == "apnu":
        positive = 0.75 * pi_test * labelled(1) + 0.25 * positive
    return positive + negative(-1)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, 1 / 16 + 3 / 16),  # N(1) = 5/8 - 1/16, N(-1) = 3/8 - 3/16
        ({"alpha": 0.75}, 3 / 16 + 3 / 16),  # N(1) = 5/8 - 3/16, N(-1) = |3/8 - 9/16|
        ({"variant": "wuu"}, 5 / 32 + 5 / 32),  # M(1) = 15/32, M(-1) = 5/32
        ({"variant": "apnu"}, 1 / 32 + 5 / 64 + 5 / 32),
    ],
)
def test_the_objectives_by_hand(identity, batch_of, options, expected):
    """A labelled row with probability 3/4; four others with 3/4, 1/4, 1/4, 1/4 that weigh 0, 1, 1, 1/2."""
    g = math.log(3) * torch.tensor([1.0, 1.0, -1.0, -1.0, -1.0], dtype=torch.float64)
    batch = batch_of(g[:, None], 1, positive_weight=1.0, phase=SECOND)
    algorithm = APU(identity(1), **{"alpha": 0.25, **options})
    algorithm.score = lambda x: x[:, 0]
    algorithm.scaffold = algorithm.build_scaffold(5)
    if "variant" in options:
        algorithm.memory.weights.put(torch.arange(5), torch.tensor([1, 0, 1, 1, 0.5]))
        first = algorithm.first_step(batch, g)
        assert first.loss.item() == pytest.approx(math.log(4 / 3))  # the logistic loss, not the sigmoid
    assert algorithm.step(batch).loss.item() == pytest.approx(expected)


@pytest.mark.parametrize("sets", [{}, TWO_SETS], ids=["one set", "two sets"])
@pytest.mark.parametrize("variant", ["purr", "wuu", "apnu"])
def test_the_objective_is_that_of_the_naive_loops(make, drawn_batch, variant, sets):
    algorithm, batch = make(variant=variant, rho=0.25, **sets), drawn_batch(3, 4, phase=SECOND)
    algorithm.scaffold = algorithm.build_scaffold(7)
    if variant != "purr":
        algorithm.memory.weights.put(torch.arange(7), WEIGHT)
    g = algorithm.score(batch.x).tolist()
    step = algorithm.step(batch)
    assert step.loss.item() == pytest.approx(naive_objective(algorithm, g, variant=variant), rel=1e-6)
    assert step.objective is step.loss


@pytest.mark.parametrize("sets", [{}, TWO_SETS], ids=["one set", "two sets"])
def test_the_first_network_learns_from_the_first_set(make, drawn_batch, sets):
    algorithm, batch = make(variant="wuu", **sets), drawn_batch(3, 4, phase=FIRST)
    algorithm.scaffold = algorithm.build_scaffold(7)
    g = algorithm.score(batch.x).tolist()
    labelled = {y: 0.4 * 0.7 * sum(logistic(value, y) for value in g[:3]) for y in (1, -1)}
    unlabelled = mean([logistic(value, -1) for value in (g[3:5] if sets else g[3:])])
    assert algorithm.step(batch).loss.item() == pytest.approx(labelled[1] + abs(unlabelled - labelled[-1]))


def test_with_one_set_purr_is_nnpu_wherever_no_part_is_below_zero(make, linear, drawn_batch):
    batch = drawn_batch(3, 40)
    purr, nnpu = make(alpha=0.1), NNPU(linear(), alpha=0.1).double()
    nnpu.load_state_dict(purr.state_dict())
    torch.testing.assert_close(purr.step(batch).loss, nnpu.step(batch).loss)
    torch.testing.assert_close(purr.step(batch).terms["negative"], nnpu.step(batch).terms["negative"])


def test_with_one_set_wuu_is_the_chance_of_an_error_under_the_first_networks_posterior(make, drawn_batch):
    algorithm, batch = make(variant="wuu"), drawn_batch(3, 4)
    g = algorithm.score(batch.x)
    p, sigma = g[3:].sigmoid(), 1 - WEIGHT[3:]
    soft = (sigma * (1 - p) + (1 - sigma) * p).mean()
    torch.testing.assert_close(algorithm.second_step(batch, g, weight=WEIGHT).loss, soft)


def test_with_one_set_the_ends_of_apnu_are_wuu_and_the_labelled_positives(make, drawn_batch):
    batch = drawn_batch(3, 4)
    g = make().score(batch.x)
    wuu = make(variant="wuu").second_step(batch, g, weight=WEIGHT)
    torch.testing.assert_close(make(variant="apnu", rho=1).second_step(batch, g, weight=WEIGHT).loss, wuu.loss)
    labelled = make(variant="apnu", rho=0).second_step(batch, g, weight=WEIGHT)
    expected = 0.4 * batch.average_positives(torch.sigmoid(-g[:3]))
    torch.testing.assert_close(labelled.terms["positive"], expected)
    torch.testing.assert_close(labelled.terms["negative"], wuu.terms["negative"])


def test_with_sigma_known_every_variant_is_the_risk_on_the_second_set(identity, batch_of):
    """Four kinds of rows; positives have moved between the sets, negatives have not."""
    negatives = torch.tensor([1, 2, 3, 6])  # of each kind, in both sets
    positives = {"train": torch.tensor([4, 4, 2, 2]), "test": torch.tensor([0, 1, 1, 1])}
    kinds = torch.arange(4)
    labelled = kinds.repeat_interleave(positives["train"] // 2)
    train, test = (kinds.repeat_interleave(negatives + positives[name]) for name in ("train", "test"))
    sigma = positives["train"] / (positives["train"] + negatives)
    rows = torch.cat([labelled, train, test])
    batch = batch_of(rows[:, None].double(), len(labelled), positive_weight=1 / len(labelled))
    g = torch.tensor([1.5, -0.3, 0.2, -2.0], dtype=torch.float64)
    weight = 1 - sigma.double()[rows]
    plus, minus = torch.sigmoid(-g), torch.sigmoid(g)
    risk = (positives["test"] * plus + negatives * minus).sum() / len(test)
    options = {"alpha": 0.5, "test_from": len(labelled) + len(train), "test_prior": 0.2}

    class Table(APU):
        def score(self, x):
            return g[x[:, 0].long()]

    torch.testing.assert_close(Table(identity(1), **options).step(batch).loss, risk)
    wuu = APU(identity(1), variant="wuu", **options)
    torch.testing.assert_close(wuu.second_step(batch, g[rows], weight=weight).loss, risk)


@pytest.mark.parametrize("sets", [{}, TWO_SETS], ids=["one set", "two sets"])
def test_slopes_are_those_of_the_losses(make, drawn_batch, gradcheck, sets):
    batch = drawn_batch(3, 4)
    assert gradcheck(make(**sets), batch)
    g = make().score(batch.x).detach().requires_grad_()
    for variant in ("wuu", "apnu"):
        algorithm = make(variant=variant, **sets)
        assert torch.autograd.gradcheck(lambda g, a=algorithm: a.first_step(batch, g).loss, g)
        assert torch.autograd.gradcheck(lambda g, a=algorithm: a.second_step(batch, g, weight=WEIGHT).loss, g)


def test_purr_is_one_phase_without_memory_and_the_others_are_two_with(make):
    assert [phase.name for phase in make().phases(epochs=4, learning_rate=0.1)] == ["train"]
    assert make().build_scaffold(7) is None
    for variant in ("wuu", "apnu"):
        assert [phase.name for phase in make(variant=variant).phases(epochs=4, learning_rate=0.1)] == [FIRST, SECOND]


def test_rows_weigh_what_the_first_network_does_not_take_for_positive(make):
    weights = make(variant="wuu").weigh(torch.tensor([0.9]), torch.tensor([0.25, 0.5]))
    assert [weight.tolist() for weight in weights] == [pytest.approx([0.1]), pytest.approx([0.75, 0.5])]


@pytest.mark.parametrize("variant", ["purr", "wuu", "apnu"])
@pytest.mark.parametrize("sizes", [(1, 0), (0, 1), (1, 1), (3, 0), (0, 3), (0, 7)])
@pytest.mark.parametrize("sets", [{}, TWO_SETS], ids=["one set", "two sets"])
def test_a_batch_with_one_or_no_row_of_a_kind_has_a_finite_loss_and_slope(make, drawn_batch, sizes, variant, sets):
    for phase in (FIRST, SECOND):
        algorithm = make(variant=variant, **sets)
        algorithm.scaffold = algorithm.build_scaffold(7)
        step = algorithm.step(drawn_batch(*sizes, phase=phase))
        step.loss.backward()
        assert torch.isfinite(step.loss)
        assert all(torch.isfinite(p.grad).all() for p in algorithm.parameters() if p.requires_grad)


@pytest.mark.parametrize(
    ("option", "values"),
    [
        ("alpha", [0, 1, "bbe", None]),
        ("variant", ["PURR", None]),
        ("rho", [-0.1, 2]),
        ("test_from", [0, -3, "5"]),
    ],
)
@pytest.mark.usefixtures("unchecked")
def test_options_that_make_no_sense_are_refused_by_name(identity, option, values):
    for value in values:
        with pytest.raises(SettingError, match=f"^{option} must .*, got "):
            APU(identity(2), **{"alpha": 0.4, option: value})


def test_a_second_set_must_have_rows_and_only_a_second_set_has_a_prior(make):
    with pytest.raises(SettingError, match="pass test_from to name its rows"):
        make(test_prior=0.2)
    with pytest.raises(SettingError, match="test_prior must lie"):
        make(test_from=3, test_prior=1)
    with pytest.raises(SettingError, match="test_from must be below the number of rows, 7, got 7"):
        make(test_from=7).build_scaffold(7)


@pytest.mark.parametrize("variant", ["purr", "wuu", "apnu"])
def test_a_second_set_finds_positives_that_no_labelled_row_is_like(variant):
    """Labelled positives stand to the right, those of the second set above; negatives are the same in both sets."""
    rng = np.random.default_rng(0)
    negatives, right, above = (rng.normal(size=(600, 2)) + shift for shift in ([0, 0], [4, 0], [0, 4]))
    x = np.concatenate([right[:100], right[100:300], negatives[:200], above[:200], negatives[200:400]])
    sample = make_sample(x, np.arange(900) < 100, scenario="two-sample")
    settings = Settings(epochs=8, batch_size=64, learning_rate=5e-3, selection="last", validation="hold-out")

    def find(**options) -> float:
        method = NeuralMethod("apu", options={"variant": variant, **options}, settings=settings)
        preparation = method.prepare(sample.rows)
        shares = Proportions(sample.n_pos, sample.n_unl, sample.scenario, 0.5)
        scorer = method.train(sample, preparation, seed=0, shares=shares).scorer
        return auc(*(scorer.score(preparation.apply(part[400:])) for part in (above, negatives)))

    assert find(test_from=500, test_prior=0.5) > 0.9
    assert find() < 0.8
