"""Choosing an epoch by held-out positives and unlabelled rows, or by the truth where it is called oracle."""

import numpy as np
import pytest

from angularpu.errors import SettingError
from angularpu.methods.neural import NeuralMethod
from angularpu.metrics.ranking import auc
from angularpu.scenario.proportions import Proportions
from angularpu.scenario.sample import Truth
from angularpu.train.selection import Judge
from angularpu.train.settings import Settings

SHARES = Proportions(n_pos=4, n_unl=6, scenario="one-sample", alpha=0.5)
POS = np.array([1.0, 3.0, 4.0, 5.0], np.float32)
UNL = np.array([-3.0, -2.0, 2.0, -1.0, 3.5, 6.0], np.float32)


def test_proxy_accuracy_is_that_of_the_best_threshold():
    measured = Judge("proxy-accuracy", SHARES).measure(POS, UNL, index=np.arange(6))["proxy_accuracy"]
    by_hand = [
        2 * SHARES.prior * (t < POS).mean() + 1 - (4 * (t < POS).mean() + 6 * (t < UNL).mean()) / 10
        for t in np.linspace(-4, 7, 111) + 0.05
    ]
    assert measured == pytest.approx(max(by_hand))


def test_every_rule_stands_side_by_side_and_one_selects():
    truth = Truth(np.array([0, 0, 0, 0, 1, 1], np.int8))
    measures = Judge("oracle", SHARES, truth).measure(POS, UNL, index=np.arange(6))
    assert set(measures) == {"pu_auc", "proxy_accuracy", "pu_risk", "oracle_auc"}
    assert measures["oracle_auc"] == auc(np.append(POS, UNL[4:]), UNL[:4])
    assert Judge("oracle").value(measures) == measures["oracle_auc"]
    assert Judge("pu-risk").value(measures) == -measures["pu_risk"]
    assert Judge("last").value(measures) == measures["pu_auc"]


def train(sample, selection, **given):
    method = NeuralMethod(
        "angular", settings=Settings(epochs=6, learning_rate=0.01, selection=selection, validation="hold-out")
    )
    return method.train(sample, method.prepare(sample.rows), seed=0, **given)


@pytest.mark.parametrize(
    ("selection", "measure", "best"), [("proxy-accuracy", "proxy_accuracy", max), ("pu-risk", "pu_risk", min)]
)
def test_the_epoch_kept_is_the_best_by_the_rule(many, selection, measure, best):
    shares = Proportions(many.n_pos, many.n_unl, many.scenario, 0.4)
    outcome = train(many, selection, shares=shares)
    values = [entry[measure] for entry in outcome.history]
    assert outcome.history[outcome.best_epoch - 1][measure] == best(values)
    assert all("pu_auc" in entry for entry in outcome.history)


def test_rules_that_lack_something_say_what(many):
    with pytest.raises(SettingError, match="needs the share of positives"):
        train(many, "pu-risk")
    with pytest.raises(SettingError, match="needs the true classes"):
        train(many, "oracle")
    with pytest.raises(SettingError, match="selection must be one of"):
        Settings(selection="best")


def test_only_the_oracle_looks_at_the_truth(many):
    truth = Truth(np.ones(len(many.s), np.int8))
    assert all("oracle_auc" not in entry for entry in train(many, "pu-auc", truth=truth).history)
