"""TED^n: alpha by BBE after every epoch, the top share alpha of U discarded, halves of equal weight."""

import math

import numpy as np
import pytest
import torch

from angularpu.algorithms.row_values import RowValues
from angularpu.algorithms.tedn import TEDn
from angularpu.methods.neural import NeuralMethod
from angularpu.metrics.ranking import auc
from angularpu.priors.bbe import estimate_bbe
from angularpu.scenario.sample import make_sample
from angularpu.train.settings import Settings


class Seen:
    """A view whose scores are given."""

    def __init__(self, pos, unl, *, held=None, phase="discard") -> None:
        self.phase, self.held = phase, held
        self.by_kind = {"positives": torch.tensor(pos).float(), "unlabelled": torch.tensor(unl).float()}

    def index(self, which):
        n = len(self.by_kind["positives"])
        return torch.arange(n) if which == "positives" else n + torch.arange(len(self.by_kind["unlabelled"]))

    def scores(self, which):
        return self.by_kind[which]

    def embeddings(self, which):
        raise NotImplementedError

    def held_scores(self):
        return self.held


@pytest.fixture
def scored(identity):
    """TED^n whose logit of a row x >= 0 is x itself, with room for 40 rows."""
    algorithm = TEDn(identity(1)).double()
    with torch.no_grad():
        algorithm.head.weight.fill_(1)
        algorithm.head.bias.fill_(0)
    algorithm.scaffold = algorithm.build_scaffold(40)
    return algorithm


def rows(algorithm: TEDn) -> RowValues:
    return dict(algorithm.named_children())["scaffold"]


def test_values_by_hand(scored, batch_of):
    x = torch.tensor([[0.0], [math.log(3)], [math.log(7)], [0.0]], dtype=torch.float64)
    rows(scored).put(torch.tensor([2]), torch.tensor([0.0]))  # the third row is discarded
    terms = scored.step(batch_of(x, 1, positive_weight=1.0)).terms
    assert terms["positive"].item() == pytest.approx(math.log(2) / 2)
    assert terms["unlabelled"].item() == pytest.approx((math.log(4) + math.log(2)) / 2 / 2)
    assert terms["alpha"].item() == 0


def test_the_objective_equals_a_loop_over_the_rows_that_are_kept(linear, drawn_batch):
    algorithm, batch = TEDn(linear()).double(), drawn_batch(3, 6)
    algorithm.scaffold = algorithm.build_scaffold(9)
    rows(algorithm).put(torch.tensor([4, 8]), torch.zeros(2))
    g = algorithm.score(batch.x).tolist()
    positive = 0.7 * sum(math.log1p(math.exp(-g[i])) for i in range(3))
    kept = [math.log1p(math.exp(g[i])) for i in (3, 5, 6, 7)]
    assert algorithm.step(batch).loss.item() == pytest.approx(positive / 2 + sum(kept) / 4 / 2)


def test_the_share_alpha_of_u_that_scores_highest_is_discarded(scored):
    pos, unl = np.linspace(5, 6, 12), np.append(np.linspace(5, 6, 6), np.linspace(0, 1, 14))
    scored.on_epoch_end(Seen(pos, unl))
    assert estimate_bbe(pos, unl).alpha == 0.3
    assert scored.alpha.item() == pytest.approx(0.3)
    kept = rows(scored).values[12:32]
    assert kept.tolist() == [0.0] * 6 + [1.0] * 14


def test_alpha_is_estimated_during_the_warm_up_and_used_only_after_it(scored):
    pos, unl = np.linspace(5, 6, 12), np.append(np.linspace(5, 6, 6), np.linspace(0, 1, 14))
    scored.on_epoch_end(Seen(pos, unl, phase="warm-up"))
    assert scored.alpha.item() == pytest.approx(0.3)
    assert rows(scored).values.all()
    scored.begin_phase(Seen(pos, unl))
    assert rows(scored).values.sum() == 40 - 6


def test_held_out_rows_tell_alpha_unless_they_hold_too_few_positives(scored):
    pos, unl = np.linspace(5, 6, 12), np.append(np.linspace(5, 6, 6), np.linspace(0, 1, 14))
    held_unl = torch.linspace(0, 1, 20)
    scored.on_epoch_end(Seen(pos, unl, held=(torch.linspace(5, 6, 10), held_unl)))
    assert scored.alpha.item() == 0
    scored.on_epoch_end(Seen(pos, unl, held=(torch.linspace(5, 6, 9), held_unl)))
    assert scored.alpha.item() == pytest.approx(0.3)


@pytest.mark.parametrize(("pos", "unl"), [(np.arange(9.0), np.arange(20.0)), (np.ones(12), np.ones(20))])
def test_alpha_stays_where_it_is_when_no_share_can_be_read_off(scored, pos, unl):
    scored.alpha.fill_(0.25)
    scored.on_epoch_end(Seen(pos, unl))
    assert scored.alpha.item() == 0.25


@pytest.mark.parametrize(("epochs", "split"), [(1, (1, 1)), (2, (1, 1)), (3, (1, 2)), (15, (5, 10))])
def test_a_third_of_the_epochs_is_a_warm_up_without_selection(linear, epochs, split):
    warm_up, discard = TEDn(linear()).phases(epochs=epochs, learning_rate=0.1)
    assert (warm_up.epochs, discard.epochs) == split
    assert (warm_up.selects, discard.selects) == (False, True)


@pytest.mark.parametrize("sizes", [(1, 0), (0, 1), (3, 0), (0, 3)])
def test_a_batch_of_one_kind_or_of_discarded_rows_has_a_finite_slope(linear, drawn_batch, sizes):
    algorithm = TEDn(linear()).double()
    algorithm.scaffold = algorithm.build_scaffold(3)
    for kept in (1.0, 0.0):
        rows(algorithm).values.fill_(kept)
        algorithm.zero_grad()
        algorithm.step(drawn_batch(*sizes)).loss.backward()
        assert all(torch.isfinite(parameter.grad).all() for parameter in algorithm.parameters())


def test_the_slope_is_that_of_the_objective(linear, drawn_batch, gradcheck):
    algorithm = TEDn(linear()).double()
    algorithm.scaffold = algorithm.build_scaffold(5)
    rows(algorithm).put(torch.tensor([3]), torch.tensor([0.0]))
    assert gradcheck(algorithm, drawn_batch(2, 3))


def test_it_finds_the_share_and_separates_better_than_naive_at_its_own_cut():
    rng = np.random.default_rng(0)
    y = np.concatenate([np.ones(400), np.arange(800) < 400])
    x = rng.normal(size=(1200, 6)) + 1.6 * y[:, None]
    sample = make_sample(x, np.arange(1200) < 400, scenario="two-sample")
    accuracy = {}
    for name in ("tedn", "naive"):
        method = NeuralMethod(name, settings=Settings(epochs=6, learning_rate=1e-3, refit=True))
        preparation = method.prepare(sample.rows)
        outcome = method.train(sample, preparation, seed=0)
        score = outcome.scorer.score(preparation.apply(x[400:]))
        accuracy[name] = np.mean((score > 0) == (y[400:] == 1))
        assert auc(score[:400], score[400:]) > 0.98
        if name == "tedn":
            assert float(outcome.scorer.algorithm.alpha) == pytest.approx(0.5, abs=0.15)  # 40 positives tell it
    assert accuracy["tedn"] > max(0.95, accuracy["naive"])
