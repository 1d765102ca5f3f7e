"""Flat options, as a user writes them, made into a method."""

import dataclasses
import difflib
import inspect
from collections.abc import Mapping
from typing import Any

import numpy as np

from angularpu.decide.prior_setting import Prior
from angularpu.errors import SettingError
from angularpu.methods import find_method, find_preset
from angularpu.neural import EncoderChoice, NeuralMethod
from angularpu.train.settings import Settings

ALIASES = {"lambda": "lambda_"}


def configure(
    preset: str = "default", *, threshold: str = "auto", prior: Prior = "bbe", options: Mapping[str, Any]
) -> NeuralMethod:
    """Make the method that a preset names, with some options set otherwise.

    Parameters
    ----------
    preset : str
        Its name in methods.PRESETS.
    threshold : str
        The rule that chooses the threshold.
    prior : float or str
        The share of positives in the population, or the estimator that finds it.
    options : mapping of str to object
        Options of the algorithm, the encoder and the training together; they win over the preset's.

    Examples
    --------
    >>> configure("paper", options={"kappa": 5.0}).settings.epochs
    15
    >>> configure(options={"capa": 5.0})
    Traceback (most recent call last):
    angularpu.errors.SettingError: option 'capa' is unknown; did you mean 'kappa'?
    """
    chosen = find_preset(preset)
    settings, encoder = _fields(Settings), _fields(EncoderChoice)
    algorithm = algorithm_options(chosen.method)
    flat = {**chosen.options, **{ALIASES.get(name, name): _plain(value) for name, value in options.items()}}
    known = settings | encoder | algorithm
    for name in flat:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1, cutoff=0)[0]
            raise SettingError(f"option {name!r} is unknown; did you mean {near!r}?")
    return NeuralMethod(
        chosen.method,
        options={name: value for name, value in flat.items() if name in algorithm},
        encoder=EncoderChoice(**{name: value for name, value in flat.items() if name in encoder}),
        settings=Settings(**{name: value for name, value in flat.items() if name in settings}),
        threshold=threshold,
        prior=_plain(prior),
        preset=preset,
    )


def algorithm_options(method: str) -> dict[str, Any]:
    """Return the options of a method's algorithm with their defaults; the prior is the whole fit's."""
    parameters = inspect.signature(find_method(method).load()).parameters.values()
    return {p.name: p.default for p in parameters if p.kind is inspect.Parameter.KEYWORD_ONLY and p.name != "prior"}


def _plain(value: Any) -> Any:
    """Return a NumPy scalar, as grid searches pass them, as the Python number that JSON can hold."""
    return value.item() if isinstance(value, np.generic) else value


def _fields(settings: Any) -> dict[str, Any]:
    return {field.name: field.default for field in dataclasses.fields(settings)}
