"""Rows of known class as an option: prepared like all rows, part of the key, left out of what a model's JSON says."""

import json

import numpy as np
import pytest

from angularpu.errors import DataError
from angularpu.methods.configure import configure
from angularpu.methods.known_rows import prepare_known_rows
from angularpu.scenario.sample import PUSample, make_sample

X = np.random.default_rng(0).normal(5, 2, size=(40, 3))
Y = np.array(["no", "yes"] * 5)


@pytest.fixture
def sample() -> PUSample:
    return make_sample(X, np.arange(40) < 10, scenario="one-sample")


def method(**options):
    return configure(method="self_pu", options=options)


def test_they_are_prepared_as_the_rows_that_the_method_learns_from(sample):
    preparation = method().prepare(sample.rows)
    options = prepare_known_rows("self_pu", {"pace": 0.3, "clean": (X[:10], Y)}, preparation=preparation)
    x, y = options["clean"]
    assert np.array_equal(x.numpy(), preparation.apply(X[:10]))
    assert y.tolist() == [0.0, 1.0] * 5
    assert options["pace"] == 0.3


def test_other_options_and_other_methods_are_left_as_they_are(sample):
    preparation = method().prepare(sample.rows)
    for name, options in (("self_pu", {"pace": 0.3}), ("self_pu", {"clean": None}), ("nnpu", {"gamma": 0.5})):
        assert prepare_known_rows(name, options, preparation=preparation) == options


def test_the_key_of_a_run_knows_their_rows_and_classes(sample):
    options = [{}, {"clean": None}, {"clean": (X[:10], Y)}, {"clean": (X[1:11], Y)}, {"clean": (X[:10], Y[::-1])}]
    keys = [method(**each).key(sample, 0) for each in options]
    assert keys[0] == keys[1]
    assert len(set(keys)) == 4


def test_a_models_json_leaves_them_out():
    described = method(pace=0.3, clean=(X[:10], Y)).describe()
    assert described["options"] == {"pace": 0.3}
    json.dumps(described)


def test_a_row_without_a_class_is_refused(sample):
    preparation = method().prepare(sample.rows)
    with pytest.raises(DataError, match=r"^clean has 9 rows and 10 classes; pass one class a row$"):
        prepare_known_rows("self_pu", {"clean": (X[:9], Y)}, preparation=preparation)
