"""A classifier is written in a few short lines, whatever it was given."""

import numpy as np
import pandas as pd
import sklearn
from sklearn.linear_model import LogisticRegression
from torch import nn

import angularpu
from angularpu import AngularPUClassifier, PUClassifier


def test_only_what_was_given_is_written():
    assert repr(AngularPUClassifier()) == "AngularPUClassifier()"
    assert repr(PUClassifier(method="bagging", base=LogisticRegression(C=0.1), prior=0.5)) == (
        "PUClassifier(base=LogisticRegression(C=0.1), method='bagging', prior=0.5)"
    )
    assert repr(AngularPUClassifier(kappa=3.0, weight=None)) == "AngularPUClassifier(kappa=3.0, weight=None)"


def test_scikit_learns_wish_to_see_every_parameter_is_followed():
    with sklearn.config_context(print_changed_only=False):
        assert "kappa='preset'" in repr(AngularPUClassifier())


def test_networks_and_arrays_are_named_not_printed():
    network = nn.Sequential(nn.Linear(30, 256), nn.ReLU(), nn.Linear(256, 16))
    assert repr(AngularPUClassifier(encoder=network)) == "AngularPUClassifier(encoder=<Sequential>)"
    known = angularpu.SelfPUClassifier(clean=(np.zeros((500, 30)), list(range(500))))
    assert repr(known) == ("SelfPUClassifier(clean=(<ndarray of shape (500, 30)>, [0, 1, 2, 3, 4, 5, ...]))")


def test_many_parameters_take_a_line_each():
    text = repr(AngularPUClassifier(epochs=3, learning_rate=1e-3, encoder="linear", threshold="recall=0.9", prior=0.3))
    assert text.splitlines()[:2] == ["AngularPUClassifier(", "    encoder='linear',"]


def test_a_loaded_model_with_many_columns_is_short(tmp_path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(60, 200)), columns=[f"a rather long column name {i}" for i in range(200)])
    AngularPUClassifier(epochs=1).fit(frame, np.arange(60) < 30).save(tmp_path / "model")
    model = angularpu.load(tmp_path / "model")
    assert repr(model) == "AngularPUClassifier(epochs=1)"
    assert len(repr(model.fitted_)) < 1500
    assert "'a rather long column name 5', ...)" in repr(model.fitted_)
