"""The contract: a batch's indicator, one step of descent, the sum of terms."""

import numpy as np
import pytest
import torch
from torch import nn

from angularpu.algorithms.base import Algorithm, Phase, Step, sum_terms
from angularpu.algorithms.naive import Naive
from angularpu.data.prepare.preparation import fit_preparation
from angularpu.nets.mlp import MLP
from angularpu.scenario.sample import make_sample
from angularpu.train.fitting import fit
from angularpu.train.prepared_rows import prepare_rows
from angularpu.train.settings import Settings


class Parabola(Algorithm):
    """A made-up paper: loss and objective differ, and after a step the parameter is cut off at 2."""

    def __init__(self) -> None:
        super().__init__()
        self.theta = nn.Parameter(torch.tensor(3.0))

    def step(self, batch):
        return Step(self.theta**2, torch.tensor(7.0), {"a": self.theta.detach()})

    def after_step(self, batch):
        with torch.no_grad():
            self.theta.clamp_(max=2)


def test_an_update_descends_along_the_loss_not_the_objective_and_then_tidies_up(drawn_batch):
    algorithm = Parabola()
    step = algorithm.update(drawn_batch(1, 1), [torch.optim.SGD(algorithm.parameters(), lr=0.1)])
    assert (step.loss.item(), step.objective.item()) == (9, 7)
    assert algorithm.theta.item() == 2.0  # 3 - 0.1 * 6 = 2.4, cut off
    algorithm.update(drawn_batch(1, 1), [torch.optim.SGD(algorithm.parameters(), lr=0.1)])
    assert algorithm.theta.item() == pytest.approx(1.6)  # no slope is left over from the first step


def test_terms_add_up_each_by_its_strength_and_a_strength_without_a_term_is_idle():
    terms = {"a": torch.tensor(1.0), "b": torch.tensor(2.0), "c": torch.tensor(4.0)}
    assert sum_terms(terms, b=10.0, d=99.0).item() == 25


def test_by_default_there_is_one_phase_that_selects_and_one_optimiser():
    algorithm = Parabola()
    assert algorithm.phases(epochs=4, learning_rate=0.1) == (Phase("train", 4, 0.1, selects=True),)
    assert algorithm.parameter_groups() == {"all": [algorithm.theta]}


def test_every_batch_carries_the_name_of_its_phase():
    seen = []

    class Witness(Naive):
        def phases(self, *, epochs, learning_rate):
            return Phase("first", epochs, learning_rate, selects=False), Phase("second", 1, learning_rate)

        def step(self, batch):
            seen.append(batch.phase)
            return super().step(batch)

    sample = make_sample(np.eye(8, dtype=np.float32), np.arange(8) < 4, scenario="one-sample")
    prepared = prepare_rows(sample.rows, fit_preparation(sample.rows))
    settings = Settings(epochs=2, batch_size=4, selection="last", validation="hold-out", device="cpu")
    fit(lambda: Witness(MLP((8,))), sample, prepared=prepared, settings=settings, seed=0)
    assert seen == ["first"] * 4 + ["second"] * 2


@pytest.mark.parametrize("call", ["step", "embed", "score"])
def test_what_a_paper_must_say_is_not_guessed(drawn_batch, call):
    argument = drawn_batch(1, 1) if call == "step" else torch.zeros(2, 3)
    with pytest.raises(NotImplementedError):
        getattr(Algorithm(), call)(argument)
