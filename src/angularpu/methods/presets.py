"""Every preset in one literal table: methods with some options set, among them each source's own schedule."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, Literal

from angularpu.methods.table import look_up

# The value of an option that was not given: what the preset has, or else the method's own default. It is a text because
# scikit-learn copies parameters and takes few types as defaults; None would not do, being a value of some options.
PRESET: Final = "preset"
FromPreset = Literal["preset"]


@dataclass(frozen=True)
class Preset:
    """A method with some options set.

    Attributes
    ----------
    method : str
        Its name in the table.
    summary : str
    options : mapping of str to object
        Options that differ from the method's defaults.
    """

    method: str
    summary: str
    options: Mapping[str, Any] = field(default_factory=dict)


# Published schedules give one network, also where folds choose its epoch.
_ONE = {"refit": True}
# Most of them train once and keep the last epoch; a tenth is held out for the threshold.
_LAST = {**_ONE, "selection": "last", "validation": "hold-out"}

_PUBLISHED = {**_LAST, "epochs": 15, "positives": "batch"}
_COSINE = {**_PUBLISHED, "logit": "margin", "positive_loss": "logistic", "lambda_": 0.0}

_KIRYO = {"epochs": 100, "batch_size": 500, "learning_rate": 1e-5, "weight_decay": 5e-3, **_LAST}

_MOMENTUM = {
    "epochs": 800,
    "batch_size": 256,
    "learning_rate": 0.01,
    "optimizer": "sgd",
    "decay": "cosine",
    **_LAST,
    "queue": 8192,
}

PRESETS: Mapping[str, Preset] = MappingProxyType(
    {
        "default": Preset("angular", "Our defaults: best epoch by held-out PU-AUC, no prior, no negatives."),
        "paper": Preset(
            "angular",
            "The published schedule: 15 epochs, the last one kept, a tenth held out for the threshold, batch means.",
            _PUBLISHED,
        ),
        "COS-WGH-M0.5": Preset("angular", "Cosine, weighted, margin 0.5.", {**_COSINE, "margin": 0.5}),
        "COS-WGH-Mlearn": Preset("angular", "Cosine, weighted, margin trained.", {**_COSINE, "margin": "softplus"}),
        "COS-REG-Mlearn": Preset(
            "angular",
            "Cosine, dispersion instead of weights, margin trained.",
            {**_COSINE, "margin": "softplus", "weight": None, "lambda_": 0.5},
        ),
        "COS-BCE-Mlearn": Preset(
            "angular",
            "Cosine, neither weights nor dispersion, margin trained.",
            {**_COSINE, "margin": "softplus", "weight": None},
        ),
        "L2-BCE-Rlearn-N": Preset(
            "euclidean",
            "Distance, no weights, radius trained, normalised at evaluation only.",
            {**_PUBLISHED, "weight": None, "normalise_at_evaluation": True},
        ),
        "L2-WGH-R1.0": Preset("euclidean", "Distance, weighted, radius 1.", {**_PUBLISHED, "radius": 1.0}),
        "L2-WGH-Rlearn": Preset("euclidean", "Distance, weighted, radius trained.", _PUBLISHED),
        "L2-BCE-Rlearn": Preset("euclidean", "Distance, no weights, radius trained.", {**_PUBLISHED, "weight": None}),
        "upu-paper": Preset("upu", "nnPU's schedule, as deep comparisons use it for uPU.", _KIRYO),
        "nnpu-paper": Preset("nnpu", "The published CIFAR-10 schedule.", _KIRYO),
        "pusb-paper": Preset("pusb", "The published CIFAR-10 schedule.", {**_KIRYO, "batch_size": 224}),
        "pubn-paper": Preset(
            "pubn",
            "The published CIFAR-10 schedule: 200 epochs for each network.",
            {"epochs": 400, "batch_size": 110, "learning_rate": 1e-3, "weight_decay": 1e-4, **_LAST},
        ),
        "self_pu-paper": Preset(
            "self_pu",
            "The published CIFAR-10 schedule.",
            {
                "epochs": 200,
                "batch_size": 256,
                "learning_rate": 5e-4,
                "weight_decay": 5e-3,
                "decay": "cosine",
                **_LAST,
            },
        ),
        "apu-paper": Preset(
            "apu",
            "The published CIFAR-10 schedule of PURR.",
            {
                "epochs": 200,
                "batch_size": 10_000,
                "learning_rate": 1e-3,
                "weight_decay": 1e-3,
                "selection": "pu-risk",
                **_ONE,
            },
        ),
        "vpu-paper": Preset(
            "vpu",
            "The published CIFAR-10 schedule.",
            {"epochs": 50, "batch_size": 1000, "learning_rate": 3e-5, "lambda_": 0.03, **_ONE},
        ),
        "vpu-unbiased": Preset(
            "vpu",
            "A first term that batches estimate without bias, and a rate of its own.",
            {"first_term": "mean", "learning_rate": 3e-4},
        ),
        "imbpu-paper": Preset("imbpu", "The published CIFAR-10 schedule.", {"epochs": 200, "batch_size": 510, **_LAST}),
        "dist_pu-paper": Preset(
            "dist_pu",
            "The published CIFAR-10 schedule: 60 epochs of warm-up, 60 of mixing.",
            {
                "epochs": 120,
                "batch_size": 256,
                "learning_rate": 5e-4,
                "weight_decay": 5e-3,
                "decay": "cosine",
                **_LAST,
            },
        ),
        "punce-paper": Preset(
            "punce", "The published second stage: a linear head on frozen features.", {"probe": "linear", **_ONE}
        ),
        "pico-paper": Preset("pico", "The published CIFAR-10 schedule and queue.", {**_MOMENTUM, "weight_decay": 1e-3}),
        "wconpu-paper": Preset("wconpu", "The published CIFAR-10 schedule and queue.", _MOMENTUM),
        "tedn-paper": Preset(
            "tedn",
            "The published CIFAR-10 schedule, warm-up included.",
            {
                "epochs": 2100,
                "batch_size": 400,
                "learning_rate": 0.1,
                "weight_decay": 5e-4,
                "optimizer": "sgd",
                "patience": 2100,
                **_ONE,
            },
        ),
    }
)


def find_preset(name: str) -> Preset:
    """Return a preset by its name.

    >>> find_preset("paper").options["epochs"]
    15
    """
    return look_up("preset", name, PRESETS)


def is_given(value: Any) -> bool:
    """Tell whether an option was given, rather than left to the preset.

    >>> is_given(None), is_given("preset")
    (True, False)
    """
    return not (isinstance(value, str) and value == PRESET)  # an array would compare with each of its entries
