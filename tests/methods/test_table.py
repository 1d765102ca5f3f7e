"""The two tables: every method loads, every preset is what its name says, and one set of defaults rules them all."""

import dataclasses
import inspect
import subprocess
import sys

import numpy as np
import pytest
from torch import nn

from angularpu import AngularPUClassifier
from angularpu.algorithms.angular import Angular
from angularpu.algorithms.base import Algorithm
from angularpu.classical.base import Classical
from angularpu.errors import SettingError
from angularpu.estimators.parameters import SHARED
from angularpu.methods.configure import algorithm_options, configure
from angularpu.methods.encoder_choice import EncoderChoice
from angularpu.methods.ensemble import EnsembleOptions
from angularpu.methods.neural import NeuralMethod, make_algorithm
from angularpu.methods.presets import PRESET, PRESETS, FromPreset, find_preset, is_given
from angularpu.methods.table import METHODS, find_method
from angularpu.nets.linear import LinearEncoder
from angularpu.train.settings import Settings

LEADERBOARD = {
    "COS-WGH-M0.5",
    "COS-WGH-Mlearn",
    "COS-REG-Mlearn",
    "COS-BCE-Mlearn",
    "L2-BCE-Rlearn-N",
    "L2-WGH-R1.0",
    "L2-WGH-Rlearn",
    "L2-BCE-Rlearn",
}


def switches(name: str) -> dict[str, object]:
    """What a row of the leaderboard must switch on and off, read off its name alone."""
    geometry, losses, edge, *normalised = name.split("-")
    weight = "prototype" if losses == "WGH" else None
    value = "softplus" if edge.endswith("learn") else float(edge[1:])
    if geometry == "COS":
        strength = 0.5 if losses == "REG" else 0.0
        fixed = {"logit": "margin", "positive_loss": "logistic", "positives": "batch", "detach_weight": False}
        return {"weight": weight, "margin": value, "lambda_": strength, **fixed}
    return {
        "weight": weight,
        "radius": value,
        "normalise_at_evaluation": normalised == ["N"],
        "scale": 1.0,
        "positives": "batch",
    }


def all_options(method: NeuralMethod) -> dict[str, object]:
    return {**algorithm_options(method.name), **method.options}


@pytest.mark.parametrize("name", METHODS)
def test_every_method_loads_and_is_an_algorithm_or_a_classical_method(name):
    card = find_method(name)
    assert card.name == name
    assert issubclass(
        card.load(), {"network": Algorithm, "classical": Classical, "ensemble": EnsembleOptions}[card.kind]
    )
    if card.is_neural:
        assert isinstance(make_algorithm(name, {}, alpha=0.5, encoder=LinearEncoder((3,), d=2)), card.load())
    assert card.summary.endswith(".")
    assert card.reference
    assert card.class_name.endswith("Classifier")


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_configures_its_method_and_only_what_differs_is_written_down(name):
    preset, method = find_preset(name), configure(name, options={})
    assert (method.name, method.preset) == (preset.method, name)
    make_algorithm(method.name, method.options, alpha=0.5, encoder=LinearEncoder((3,), d=2))
    known = {**algorithm_options(preset.method), **dataclasses.asdict(Settings())}
    redundant = {option for option, value in preset.options.items() if known[option] == value}
    assert redundant <= {"lambda_"}  # the leaderboard's rows switch it off, and one of them on again


def test_the_eight_rows_of_the_leaderboard_are_there():
    assert {name for name in PRESETS if name.startswith(("COS-", "L2-"))} == LEADERBOARD


@pytest.mark.parametrize("name", sorted(LEADERBOARD))
def test_a_row_of_the_leaderboard_is_what_its_name_says(name):
    method = configure(name, options={})
    assert method.name == ("angular" if name.startswith("COS") else "euclidean")
    assert switches(name).items() <= all_options(method).items()
    assert method.settings == Settings(epochs=15, selection="last", validation="hold-out", refit=True)
    assert method.encoder == EncoderChoice()


def test_rows_of_one_geometry_differ_in_weights_margin_and_dispersion_only():
    for geometry, may_differ in [
        ("COS", {"weight", "margin", "lambda_"}),
        ("L2", {"weight", "radius", "normalise_at_evaluation"}),
    ]:
        rows = [all_options(configure(name, options={})) for name in LEADERBOARD if name.startswith(geometry)]
        differ = {option for option in rows[0] if len({row[option] for row in rows}) > 1}
        assert differ == may_differ


def test_the_paper_preset_is_the_published_schedule():
    method = configure("paper", options={})
    assert method.settings == Settings(
        epochs=15, batch_size=128, learning_rate=1e-4, selection="last", validation="hold-out", refit=True
    )
    assert method.options == {"positives": "batch"}
    assert (method.encoder.d, method.encoder.dropout) == (128, 0.2)


def test_no_two_methods_share_a_class_or_a_colour():
    for what in ("class_name", "colour"):
        assert len({getattr(card, what) for card in METHODS.values()}) == len(METHODS)


def test_a_colour_is_written_as_figures_take_it():
    with pytest.raises(SettingError, match="must be written #rrggbb, got 'blue'"):
        dataclasses.replace(METHODS["nnpu"], colour="blue")


def test_an_option_that_is_left_to_the_preset_is_as_if_it_were_not_there():
    for preset in ("default", "paper"):
        left = dict.fromkeys([*algorithm_options("angular"), *dataclasses.asdict(Settings())], PRESET)
        assert configure(preset, options=left) == configure(preset, options={})


def test_an_option_that_equals_a_default_wins_over_the_preset():
    assert configure("paper", options={"selection": "pu-auc"}).settings.selection == "pu-auc"
    assert configure("nnpu-paper", options={"batch_size": 128}).settings.batch_size == 128
    assert configure("paper", options={"epochs": None}).settings.epochs is None


def test_options_win_over_the_preset_and_land_where_they_belong():
    method = configure("COS-WGH-M0.5", options={"margin": 0.1, "lambda": 0.2, "d": 16, "epochs": 3})
    assert (method.options["margin"], method.options["lambda_"]) == (0.1, 0.2)
    assert (method.encoder.d, method.settings.epochs) == (16, 3)


@pytest.mark.parametrize(
    ("call", "nearest"),
    [
        (lambda: find_method("angula"), "method 'angula' is unknown; did you mean 'angular'"),
        (lambda: find_method("naïve"), "did you mean 'naive'"),
        (lambda: find_preset("papers"), "preset 'papers' is unknown; did you mean 'paper'"),
        (lambda: find_preset("COS-WGH-M05"), "did you mean 'COS-WGH-M0.5'"),
        (lambda: configure("papers", options={}), "did you mean 'paper'"),
        (lambda: configure(options={"kapa": 3}), "option 'kapa' is unknown; did you mean 'kappa'"),
        (lambda: configure(options={"epoch": 3}), "did you mean 'epochs'"),
        (lambda: configure("L2-WGH-R1.0", options={"kappa": 3}), "option 'kappa' is unknown"),
    ],
)
def test_what_is_unknown_is_refused_with_the_nearest_that_is_known(call, nearest):
    with pytest.raises(SettingError, match=nearest):
        call()


def test_the_tables_cannot_be_changed():
    with pytest.raises(TypeError):
        METHODS["other"] = METHODS["angular"]
    with pytest.raises(TypeError):
        PRESETS["other"] = PRESETS["paper"]


def test_no_option_has_two_homes():
    homes = [{field.name for field in dataclasses.fields(home)} for home in (Settings, EncoderChoice)]
    for name in METHODS:
        every = [*homes, set(algorithm_options(name))]
        assert sum(map(len, every)) == len(set().union(*every))


def test_the_classifier_has_every_option_and_leaves_each_to_the_preset():
    own = {name: p.default for name, p in inspect.signature(AngularPUClassifier).parameters.items()}
    options = {**dataclasses.asdict(Settings()), **dataclasses.asdict(EncoderChoice()), **algorithm_options("angular")}
    assert own == {**SHARED, **dict.fromkeys(options, PRESET)}
    plain = NeuralMethod("angular")
    assert (SHARED["threshold"], SHARED["prior"]) == (plain.threshold, plain.prior)


def test_the_classifier_takes_what_the_algorithm_takes_or_leaves_it_to_the_preset():
    face, core = inspect.signature(AngularPUClassifier), inspect.signature(Angular)
    for name in algorithm_options("angular"):
        assert face.parameters[name].annotation == core.parameters[name].annotation | FromPreset


@pytest.mark.parametrize("value", [np.zeros(3), nn.Linear(2, 2), None, np.str_("last"), ["preset"]])
def test_any_object_can_be_asked_whether_it_was_given(value):
    assert is_given(value)
    assert not is_given(PRESET)
    assert not is_given(np.str_(PRESET))


@pytest.mark.parametrize(
    ("module", "absent"),
    [("angularpu", ["torch", "sklearn", "pyarrow"]), ("angularpu.methods.table", ["torch", "sklearn"])],
)
def test_importing_the_package_or_the_table_stays_light(module, absent):
    code = f"import {module}, sys; print([name for name in {absent} if name in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
