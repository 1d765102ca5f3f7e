"""The rule c >= m: where it cuts, what it refuses, and that a saved model keeps its margin."""

import numpy as np
import pytest

from angularpu import AngularPUClassifier, EuclideanPUClassifier, NNPUClassifier, load
from angularpu.data.sources import as_rows
from angularpu.decide.held_out import HeldOut
from angularpu.decide.margin import Margin
from angularpu.errors import SettingError
from angularpu.fit.workflow import fit_method
from angularpu.methods.configure import configure
from angularpu.scenario.sample import PUSample


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(0)
    y = np.repeat([1, 0], 200)
    return rng.normal(size=(400, 5)) + 1.5 * y[:, None], y * (rng.random(400) < 0.5)


def test_a_row_is_positive_exactly_where_its_score_reaches_the_margin():
    rng = np.random.default_rng(1)
    pos, unl = rng.uniform(-1, 3, 40), rng.uniform(-3, 3, 300)
    decision = Margin().choose(HeldOut(pos, unl, 40, 300, "two-sample", "held out", margin=0.75))
    assert decision.recall == np.mean(pos >= 0.75)
    assert decision.positive_share == np.mean(unl >= 0.75)


def test_the_margin_of_the_final_model_is_the_cut_in_cosines(rows):
    model = AngularPUClassifier(margin=0.2, kappa=5.0, epochs=3, threshold="margin", validation="hold-out").fit(*rows)
    assert model.fitted_.held.margin == pytest.approx(1.0)
    held = np.concatenate([model.fitted_.held.score_pos, model.fitted_.held.score_unl])
    assert np.array_equal(held > model.threshold_, held >= model.fitted_.held.margin)


def test_a_trained_margin_is_that_of_the_epoch_that_was_kept(rows):
    model = AngularPUClassifier(epochs=3, validation="hold-out").fit(*rows)
    trained = model.fitted_.scorer.arrays()["raw_margin"]
    assert model.fitted_.held.margin == pytest.approx(3 * float(trained))
    assert trained != 0.5


def test_the_euclidean_margin_is_a_score_of_zero(rows):
    assert EuclideanPUClassifier(epochs=2, validation="hold-out").fit(*rows).fitted_.held.margin == 0


def test_a_saved_model_can_be_cut_at_its_margin(rows, tmp_path):
    model = AngularPUClassifier(margin=0.3, epochs=2, validation="hold-out").fit(*rows)
    model.save(tmp_path / "model")
    again = load(tmp_path / "model").decide("margin")
    assert again.threshold_ == model.decide("margin").threshold_


def test_a_method_without_a_margin_refuses_the_rule_before_it_trains(rows):
    def tell(*_):
        raise AssertionError("it trained")

    method = configure(method="nnpu", threshold="margin", prior=0.5, options={})
    sample = PUSample(as_rows(rows[0]), rows[1].astype(np.int8), "one-sample")
    with pytest.raises(SettingError, match="takes the margin of a single AngularPU network"):
        fit_method(method, sample, seed=0, on_epoch=tell)


def test_a_model_without_a_margin_refuses_the_rule(rows):
    model = NNPUClassifier(prior=0.5, epochs=2, validation="hold-out").fit(*rows)
    with pytest.raises(SettingError, match="use another rule"):
        model.decide("margin")
