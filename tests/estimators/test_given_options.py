"""An option that is given wins over the preset, whatever its value; one that is not given is the preset's."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from torch import nn

from angularpu import AngularPUClassifier, NNPUClassifier, PUClassifier
from angularpu.errors import SettingError
from angularpu.methods.presets import PRESET


def test_a_value_that_equals_the_default_is_not_taken_for_the_preset(rows_and_labels):
    model = AngularPUClassifier(preset="paper", selection="pu-auc", epochs=1).fit(*rows_and_labels)
    assert model.fitted_.settings["selection"] == "pu-auc"
    assert model.fitted_.options["positives"] == "batch"  # the preset's
    for make in (NNPUClassifier, PUClassifier):
        model = make(preset="nnpu-paper", batch_size=128, epochs=1, prior=0.5).fit(*rows_and_labels)
        assert model.fitted_.settings["batch_size"] == 128
        assert model.fitted_.settings["learning_rate"] == 1e-5


def test_none_is_a_value_like_any_other(rows_and_labels):
    model = AngularPUClassifier(preset="COS-WGH-M0.5", weight=None, epochs=1).fit(*rows_and_labels)
    assert model.fitted_.options["weight"] is None
    assert AngularPUClassifier(preset="paper", epochs=None)._method().settings.epochs is None


def test_a_grid_over_values_with_the_default_among_them_fits_each(rows_and_labels):
    seen = []

    def note(model, X, y):
        seen.append(model.fitted_.settings["selection"])
        return 0.0

    model = AngularPUClassifier(preset="paper", epochs=1, validation="auto")
    GridSearchCV(model, {"selection": ["pu-auc", "last"]}, scoring=note, cv=2, refit=False).fit(*rows_and_labels)
    assert sorted(seen) == ["last", "last", "pu-auc", "pu-auc"]


def test_parameters_are_kept_as_they_were_given():
    network, rows = nn.Linear(4, 2), np.zeros((3, 4))
    model = AngularPUClassifier(encoder=network, kappa=3.0)
    assert model.get_params()["encoder"] is network
    assert (model.kappa, model.lambda_) == (3.0, PRESET)
    assert clone(model).get_params()["kappa"] == 3.0
    assert model.set_params(kappa=PRESET).kappa == PRESET
    assert model._method() == AngularPUClassifier(encoder=network)._method()
    known = PUClassifier(method="self_pu", options={"clean": (rows, [0, 1, 1])})
    assert known._method().name == "self_pu"


def test_the_method_is_the_presets_where_none_is_given():
    assert PUClassifier(preset="nnpu-paper")._method().name == "nnpu"
    assert PUClassifier(preset="paper")._method().name == "angular"
    assert PUClassifier()._method().name == "ensemble"


def test_a_preset_of_another_method_is_refused(rows_and_labels):
    with pytest.raises(SettingError, match="is one of 'nnpu', which AngularPUClassifier is not; pass it to NNPUClass"):
        AngularPUClassifier(preset="nnpu-paper").fit(*rows_and_labels)


def test_algorithm_is_the_deprecated_name_of_method(rows_and_labels):
    x, s = rows_and_labels
    old = PUClassifier(algorithm="nnpu", prior=0.5, epochs=1)
    with pytest.warns(FutureWarning, match="algorithm is now called method; write method='nnpu'") as caught:
        clone(old).set_params(random_state=0).fit(x, s)
    assert [each.filename for each in caught] == [__file__]
    with pytest.warns(FutureWarning):
        scores = old.fit(x, s).score_samples(x)
    new = PUClassifier(method="nnpu", prior=0.5, epochs=1).fit(x, s)
    assert scores.tobytes() == new.score_samples(x).tobytes()
    with pytest.raises(SettingError, match="method and algorithm, its old name, are both given"):
        PUClassifier(method="nnpu", algorithm="nnpu").fit(x, s)
