"""PUbN: its two risks, the weights, and the step from one network to the other."""

import math

import pytest
import torch

from angularpu.algorithms.pubn import PUbN
from angularpu.algorithms.two_step import FIRST, SECOND, TwoStepAlgorithm
from angularpu.errors import SettingError


class View:
    """Scores as the loop would make them: of rows 0 to 2, labelled, and 3 to 6, unlabelled."""

    def __init__(self, algorithm, x, phase: str, held=None) -> None:
        self.algorithm, self.x, self.phase, self.held = algorithm, x, phase, held

    def index(self, which):
        return torch.arange(3) if which == "positives" else torch.arange(3, 7)

    def scores(self, which):
        return self.algorithm.score(self.x[self.index(which)]).detach()

    def embeddings(self, which):
        raise AssertionError("no embedding is asked for")

    def held_scores(self):
        return self.held


@pytest.fixture
def make(linear):
    def build(**options) -> PUbN:
        algorithm = PUbN(linear(), **{"alpha": 0.4, **options}).double()
        algorithm.scaffold = algorithm.build_scaffold(7)
        return algorithm

    return build


def losses(g: float) -> tuple[float, float]:
    """The logistic loss of a logit as a positive and as a negative."""
    return math.log(1 + math.exp(-g)), math.log(1 + math.exp(g))


def test_the_first_network_brings_down_the_non_negative_risk(make, drawn_batch):
    algorithm, batch = make(), drawn_batch(3, 4, phase=FIRST)
    both = [losses(g) for g in algorithm.score(batch.x).tolist()]
    positive = 0.4 * 0.7 * sum(plus for plus, _ in both[:3])
    negative = sum(minus for _, minus in both[3:]) / 4 - 0.4 * 0.7 * sum(minus for _, minus in both[:3])
    step = algorithm.step(batch)
    assert negative > 0
    assert step.loss.item() == step.objective.item() == pytest.approx(positive + negative)


def test_where_the_first_networks_negative_part_is_below_zero_it_steps_back(make, drawn_batch):
    algorithm, batch = make(alpha=0.9), drawn_batch(3, 4, phase=FIRST)
    step = algorithm.step(batch)
    assert step.terms["negative"] < 0
    assert step.loss.item() == pytest.approx(-step.terms["negative"].item())
    assert step.objective.item() == pytest.approx(step.terms["positive"].item())


def test_weights_by_hand(make):
    pos, unl = torch.tensor([0.9, 0.5, 0.2]), torch.tensor([0.1, 0.2, 0.3, 0.8])
    # the two lowest of U stay in U: (1 - 0.4) 0.9 of four rows, rounded; eta = 0.2
    above, below = make().weigh(pos, unl)
    assert above.tolist() == pytest.approx([1 / 9, 1, 0])
    assert below.tolist() == pytest.approx([0.9, 0.8, 0, 0])


def test_the_second_network_brings_down_the_risk_of_the_weighted_rows(make, drawn_batch):
    algorithm, batch = make(), drawn_batch(3, 4, phase=SECOND)
    weights = [0.5, 0.0, 2.0, 0.9, 0.0, 0.3, 0.0]
    algorithm.memory.weights.put(torch.arange(7), torch.tensor(weights))
    expected = 0.0
    for number, (g, w) in enumerate(zip(algorithm.score(batch.x).tolist(), weights, strict=True)):
        plus, minus = losses(g)
        expected += 0.4 * 0.7 * (plus + w * minus) if number < 3 else w * minus / 4
    assert algorithm.step(batch).loss.item() == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("tau", [0.0, 0.5, 0.9, 1.0])
def test_with_sigma_known_the_risk_is_that_of_positives_and_negatives(identity, batch_of, tau):
    """Twenty rows of four kinds; the labelled ones are in proportion to how many of each kind are positive."""
    sigma = torch.tensor([0.5, 0.25, 0.125, 0.0625], dtype=torch.float64)
    kinds, labelled = torch.tensor([0] * 4 + [1] * 4 + [2] * 4 + [3] * 8), torch.tensor([0] * 4 + [1] * 2 + [2] + [3])
    alpha = sigma[kinds].mean().item()
    g = torch.tensor([1.5, -0.3, 0.2, -2.0], dtype=torch.float64)
    algorithm = PUbN(identity(1), alpha=alpha, tau=tau).double()
    weight = torch.cat(algorithm.weigh(sigma[labelled], sigma[kinds]))
    rows = torch.cat([labelled, kinds])
    batch = batch_of(rows[:, None].double(), 8, positive_weight=1 / 8)
    found = algorithm.second_step(batch, g[rows], weight=weight).loss.item()
    share = torch.tensor([0.2, 0.2, 0.2, 0.4], dtype=torch.float64)
    plus, minus = torch.nn.functional.softplus(-g), torch.nn.functional.softplus(g)
    assert found == pytest.approx((share * (sigma * plus + (1 - sigma) * minus)).sum().item())


def test_the_slope_of_both_networks_is_that_of_their_losses(make, drawn_batch):
    algorithm, batch = make(), drawn_batch(3, 4)
    g, weight = algorithm.score(batch.x).detach().requires_grad_(), torch.linspace(0, 1, 7, dtype=torch.float64)
    assert torch.autograd.gradcheck(lambda g: algorithm.first_step(batch, g).loss, g)
    assert torch.autograd.gradcheck(lambda g: algorithm.second_step(batch, g, weight=weight).loss, g)


def test_the_second_network_starts_where_the_first_did_and_rows_weigh_what_the_first_says(make, drawn_batch):
    algorithm, x = make(), drawn_batch(3, 4).x
    start = {name: tensor.clone() for name, tensor in algorithm.state_dict().items() if not name.startswith("scaff")}
    with torch.no_grad():
        algorithm.head.weight.mul_(-3)
    view = View(algorithm, x, SECOND)
    expected = algorithm.weigh(view.scores("positives").sigmoid(), view.scores("unlabelled").sigmoid())
    algorithm.begin_phase(view)
    torch.testing.assert_close(algorithm.memory.weights.values.double(), torch.cat(expected), rtol=0, atol=1e-6)
    assert all(torch.equal(algorithm.state_dict()[name], tensor) for name, tensor in start.items())


def test_the_first_network_is_taken_where_its_squared_error_on_held_out_rows_was_least(make, drawn_batch):
    algorithm, x = make(), drawn_batch(3, 4).x

    def finish_epoch(bias: float, pos: float, unl: float) -> None:
        with torch.no_grad():
            algorithm.head.bias.fill_(bias)
        held = torch.tensor([pos]).logit(), torch.tensor([unl, unl]).logit()
        algorithm.on_epoch_end(View(algorithm, x, FIRST, held))

    finish_epoch(1.0, pos=0.9, unl=0.6)  # 0.36 - 0.8 0.9 = -0.36
    finish_epoch(2.0, pos=0.9, unl=0.4)  # 0.16 - 0.72 = -0.56
    finish_epoch(3.0, pos=0.5, unl=0.4)  # 0.16 - 0.4 = -0.24
    assert algorithm.memory.error.item() == pytest.approx(-0.56)
    seen = []
    algorithm.weigh = lambda pos, unl: (seen.append(algorithm.head.bias.item()), (pos, unl))[1]
    algorithm.begin_phase(View(algorithm, x, SECOND))
    assert seen == [2.0]


def test_without_held_out_rows_the_last_first_network_is_taken(make, drawn_batch):
    algorithm, x = make(), drawn_batch(3, 4).x
    algorithm.on_epoch_end(View(algorithm, x, FIRST))
    with torch.no_grad():
        algorithm.head.bias.fill_(5)
    seen = []
    algorithm.weigh = lambda pos, unl: (seen.append(algorithm.head.bias.item()), (pos, unl))[1]
    algorithm.begin_phase(View(algorithm, x, SECOND))
    assert seen == [5.0]


def test_held_out_rows_say_nothing_of_the_second_phase_and_the_first_phase_weighs_nothing(make, drawn_batch):
    algorithm, x = make(), drawn_batch(3, 4).x
    algorithm.on_epoch_end(View(algorithm, x, SECOND, held=(torch.ones(1), torch.ones(1))))
    algorithm.begin_phase(View(algorithm, x, FIRST))
    assert algorithm.memory.error.isinf()
    assert not algorithm.memory.weights.values.any()


@pytest.mark.parametrize(("epochs", "split"), [(1, (1, 1)), (2, (1, 1)), (3, (1, 2)), (15, (7, 8))])
def test_each_network_has_half_of_the_epochs_and_only_the_second_is_selected(make, epochs, split):
    phases = make().phases(epochs=epochs, learning_rate=0.1)
    assert tuple(phase.epochs for phase in phases) == split
    assert [phase.selects for phase in phases] == [False, True]


@pytest.mark.parametrize("phase", [FIRST, SECOND])
@pytest.mark.parametrize("sizes", [(1, 0), (0, 1), (1, 1), (3, 0), (0, 3)])
def test_a_batch_with_one_or_no_row_of_a_kind_has_a_finite_loss_and_slope(make, drawn_batch, sizes, phase):
    algorithm = make()
    step = algorithm.step(drawn_batch(*sizes, phase=phase))
    step.loss.backward()
    assert torch.isfinite(step.loss)
    assert all(torch.isfinite(parameter.grad).all() for parameter in algorithm.parameters() if parameter.requires_grad)


@pytest.mark.parametrize(("option", "values"), [("alpha", [0, 1, "bbe", None]), ("tau", [-0.1, 1.1, None])])
@pytest.mark.usefixtures("unchecked")
def test_options_that_make_no_sense_are_refused_by_name(identity, option, values):
    for value in values:
        with pytest.raises(SettingError, match=f"^{option} must .*, got "):
            PUbN(identity(2), **{"alpha": 0.4, option: value})


def test_what_a_paper_of_two_steps_must_say_is_not_guessed(identity, drawn_batch):
    algorithm = TwoStepAlgorithm(identity(5), alpha=0.4)
    with pytest.raises(NotImplementedError):
        algorithm.first_step(drawn_batch(1, 1), torch.zeros(2))
    with pytest.raises(NotImplementedError):
        algorithm.second_step(drawn_batch(1, 1), torch.zeros(2), weight=torch.zeros(2))
    with pytest.raises(NotImplementedError):
        algorithm.weigh(torch.zeros(1), torch.zeros(1))
