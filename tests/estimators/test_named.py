"""The classes of the methods are made from their cards and say what their parameters mean."""

import ast
import inspect
import pickle
import re
import subprocess
import sys

import pytest
from sklearn.base import clone

import angularpu
from angularpu import METHODS, AngularPUClassifier, PUClassifier
from angularpu.estimators import named
from angularpu.estimators.manual import read_parameters
from angularpu.estimators.named import list_options
from angularpu.estimators.parameters import SHARED
from angularpu.methods.configure import algorithm_options
from angularpu.methods.presets import PRESET


@pytest.fixture(params=METHODS.values(), ids=METHODS)
def card(request):
    return request.param


def test_it_is_an_attribute_of_the_package_that_can_be_pickled(card):
    made = getattr(angularpu, card.class_name)
    assert made is getattr(named, card.class_name)
    assert card.class_name in dir(angularpu)
    assert card.class_name in angularpu.__all__
    model = pickle.loads(pickle.dumps(made(random_state=3)))
    assert type(model) is made
    assert clone(model).get_params()["random_state"] == 3


def test_its_parameters_are_the_shared_ones_and_the_options_of_its_method(card):
    parameters = inspect.signature(getattr(angularpu, card.class_name)).parameters
    assert {name: each.default for name, each in parameters.items()} == {
        **SHARED,
        **dict.fromkeys(list_options(card), PRESET),
    }


def test_every_parameter_has_its_meaning_in_the_docstring(card):
    told = read_parameters(getattr(angularpu, card.class_name))
    assert set(told) >= {*SHARED, *list_options(card)}
    for name in algorithm_options(card.name):
        assert told[name].text, f"{card.target} does not say what {name} is; add it to its Parameters"


def test_the_defaults_in_the_docstrings_are_the_real_ones(card):
    real = {**SHARED, **list_options(card)}
    check_defaults(read_parameters(getattr(angularpu, card.class_name)), real)


def test_the_defaults_in_the_docstring_for_any_method_are_the_real_ones():
    real = {**SHARED, **list_options(METHODS["angular"]), "method": PUClassifier()._method().name}
    check_defaults(read_parameters(PUClassifier), real | {"base": None, "options": None, "algorithm": "deprecated"})


def check_defaults(told, real):
    for name, entry in told.items():
        stated = re.search(r"default=(.*)$", entry.kind)
        assert stated or entry.kind.endswith("optional"), f"{name} states no default"
        assert (ast.literal_eval(stated[1]) if stated else None) == real[name], name


def test_the_one_that_is_written_out_is_the_cards():
    assert named.AngularPUClassifier is AngularPUClassifier
    assert METHODS["angular"].class_name == "AngularPUClassifier"


def test_a_wrong_name_is_refused_as_python_refuses_it():
    for module in (angularpu, named):
        with pytest.raises(AttributeError, match=f"module '{module.__name__}' has no attribute 'NNPVClassifier'"):
            _ = module.NNPVClassifier
    with pytest.raises(TypeError, match="gama"):
        angularpu.NNPUClassifier(gama=0.5)


def test_a_pickled_classifier_can_be_read_in_a_new_process():
    code = "import pickle, sys; print(pickle.loads(bytes.fromhex(sys.argv[1])))"
    content = pickle.dumps(angularpu.SpyClassifier(share=0.2)).hex()
    run = subprocess.run([sys.executable, "-c", code, content], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "SpyClassifier(share=0.2)"
