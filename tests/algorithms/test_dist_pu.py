"""Dist-PU: label distribution, entropy, and mixed rows with running pseudo-labels."""

import math
from statistics import median

import numpy as np
import pytest
import torch
from scipy.special import expit as sigmoid

from angularpu.algorithms.base import PUBatch
from angularpu.algorithms.dist_pu import MIXING, WARM_UP, DistPU
from angularpu.algorithms.row_values import RowValues
from angularpu.errors import SettingError


class Seen:
    """A view of three positives and five unlabelled rows with given scores."""

    phase = MIXING

    def index(self, which):
        return torch.arange(3) if which == "positives" else torch.arange(3, 8)

    def scores(self, which):
        return torch.zeros(3) if which == "positives" else torch.linspace(-2, 2, 5)

    def embeddings(self, which):
        raise NotImplementedError

    def held_scores(self):
        return None


@pytest.fixture
def built(linear):
    """Make Dist-PU with its pseudo-labels, in its first phase or the second."""

    def make(*, mixing: bool = False, **options) -> DistPU:
        algorithm = DistPU(linear(), alpha=0.4, **options).double()
        algorithm.scaffold = algorithm.build_scaffold(8)
        if mixing:
            algorithm.begin_phase(Seen())
        return algorithm

    return make


def labels(algorithm: DistPU) -> RowValues:
    return dict(algorithm.named_children())["scaffold"]


def entropy(g: float) -> float:
    s = sigmoid(g)
    return -s * math.log(s) - (1 - s) * math.log(1 - s)


def test_the_label_distribution_term_is_zero_when_the_shares_are_right(identity, batch_of):
    algorithm = DistPU(identity(1), alpha=0.25).double()
    algorithm.scaffold = algorithm.build_scaffold(6)
    with torch.no_grad():
        algorithm.head.weight.fill_(100)
        algorithm.head.bias.fill_(-50)
    x = torch.tensor([[1.0], [1.0], [1.0], [0.0], [0.0], [0.0]], dtype=torch.float64)  # P: 1 1; U: one in four is 1
    terms = algorithm.step(batch_of(x, 2, positive_weight=0.5, phase=WARM_UP)).terms
    assert terms["label_distribution"].item() == pytest.approx(0, abs=1e-12)
    wrong = algorithm.step(batch_of(x.flip(0), 2, positive_weight=0.5, phase=WARM_UP)).terms
    assert wrong["label_distribution"].item() == pytest.approx(1 + (0.75 - 0.25) / 0.5)


def test_the_warm_up_equals_a_loop_over_the_rows(built, drawn_batch):
    algorithm, batch = built(), drawn_batch(3, 5, phase=WARM_UP)
    g = algorithm.score(batch.x).tolist()
    share = sum(map(sigmoid, g[3:])) / 5
    expected = 0.7 * sum(1 - sigmoid(v) for v in g[:3]) + abs(share - 0.4) / 0.8
    expected += 0.002 * sum(map(entropy, g[3:])) / 5
    step = algorithm.step(batch)
    assert step.loss.item() == pytest.approx(expected)
    assert set(step.terms) == {"label_distribution", "entropy"}


def test_the_mixing_phase_equals_a_loop_over_the_rows(built, drawn_batch):
    algorithm, batch = built(mixing=True), drawn_batch(3, 5, phase=MIXING)
    batch.progress = 0.5
    given = [1.0] * 3 + torch.sigmoid(torch.linspace(-2, 2, 5)).tolist()
    generator = torch.Generator()
    generator.set_state(batch.generator.get_state())
    share = median(torch.rand(11, generator=generator, dtype=torch.float64).tolist())
    other = torch.randperm(8, generator=generator).tolist()
    g = algorithm.score(batch.x).tolist()
    mixed = [algorithm.score((share * batch.x[i] + (1 - share) * batch.x[j])[None]).item() for i, j in enumerate(other)]
    target = [share * given[i] + (1 - share) * given[j] for i, j in enumerate(other)]
    cross = [-t * math.log(sigmoid(v)) - (1 - t) * math.log(1 - sigmoid(v)) for t, v in zip(target, mixed, strict=True)]
    expected = 0.7 * sum(1 - sigmoid(v) for v in g[:3]) + abs(np.mean([sigmoid(v) for v in g[3:]]) - 0.4) / 0.8
    expected += 0.004 * (1 - math.cos(math.pi / 4)) * np.mean([entropy(v) for v in g[3:]])
    expected += 0.04 * np.mean([entropy(v) for v in mixed]) + 5 * np.mean(cross)
    assert algorithm.step(batch).loss.item() == pytest.approx(expected, rel=1e-6)


def test_pseudo_labels_are_the_scores_when_a_row_was_last_seen_and_stay_1_for_positives(built, drawn_batch):
    algorithm, batch = built(mixing=True), drawn_batch(3, 5, phase=MIXING)
    torch.testing.assert_close(labels(algorithm).values[3:], torch.sigmoid(torch.linspace(-2, 2, 5)))
    s = torch.sigmoid(algorithm.score(batch.x)).float()
    algorithm.step(batch)
    torch.testing.assert_close(labels(algorithm).values[3:], s[3:])
    assert labels(algorithm).values[:3].tolist() == [1, 1, 1]


def test_the_mixing_share_follows_beta_6_6():
    draws = torch.rand(20_000, 11, generator=torch.Generator().manual_seed(0)).median(1).values
    assert draws.mean().item() == pytest.approx(0.5, abs=0.005)
    assert draws.var().item() == pytest.approx(1 / 52, rel=0.04)  # ab/((a + b)^2 (a + b + 1)) at a = b = 6


def test_in_the_mixing_phase_logits_are_cut_at_ten(built, drawn_batch):
    algorithm = built(mixing=True)
    with torch.no_grad():
        algorithm.head.weight.zero_()
        algorithm.head.bias.fill_(50)
    algorithm.step(drawn_batch(3, 5, phase=MIXING))
    assert labels(algorithm).values[3:].tolist() == pytest.approx([sigmoid(10)] * 5)


@pytest.mark.parametrize(("epochs", "split"), [(1, (1, 1)), (2, (1, 1)), (3, (1, 2)), (120, (60, 60))])
def test_half_of_the_epochs_is_a_warm_up_and_the_rest_learns_at_a_tenth_of_the_rate(built, epochs, split):
    warm_up, mixing = built().phases(epochs=epochs, learning_rate=0.5)
    assert (warm_up.epochs, mixing.epochs) == split
    assert (warm_up.selects, mixing.selects) == (False, True)
    assert (warm_up.learning_rate, mixing.learning_rate) == (0.5, 0.05)


@pytest.mark.parametrize("sizes", [(1, 0), (0, 1), (1, 1), (3, 0), (0, 3)])
@pytest.mark.parametrize("mixing", [True, False])
def test_a_batch_with_one_or_no_row_of_a_kind_has_a_finite_loss_and_slope(built, drawn_batch, sizes, mixing):
    algorithm = built(mixing=mixing)
    step = algorithm.step(drawn_batch(*sizes, phase=MIXING if mixing else WARM_UP))
    step.loss.backward()
    assert torch.isfinite(step.loss)
    assert all(torch.isfinite(parameter.grad).all() for parameter in algorithm.parameters())
    if sizes[1] == 0:
        assert step.terms["label_distribution"] < 3  # no unlabelled row is no share of zero


class Repeated(DistPU):
    """Draws the same mixture and keeps the same pseudo-labels at every step, so that slopes can be compared."""

    def step(self, batch: PUBatch):
        batch.generator.manual_seed(0)
        kept = labels(self).values.clone()
        step = super().step(batch)
        labels(self).values.copy_(kept)
        return step


@pytest.mark.parametrize("mixing", [True, False])
def test_the_slope_is_that_of_the_objective(linear, drawn_batch, gradcheck, mixing):
    algorithm = Repeated(linear(), alpha=0.4).double()
    algorithm.scaffold = algorithm.build_scaffold(8).double()
    if mixing:
        algorithm.begin_phase(Seen())
    assert gradcheck(algorithm, drawn_batch(3, 5, phase=MIXING if mixing else WARM_UP))


@pytest.mark.parametrize("option", ["entropy", "mixed_entropy", "mixup"])
def test_a_strength_below_zero_is_refused(linear, option):
    with pytest.raises(SettingError, match=f"{option} must be a number at least 0, got -1"):
        DistPU(linear(), alpha=0.4, **{option: -1})
