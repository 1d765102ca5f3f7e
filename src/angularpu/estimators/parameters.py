"""The parameters of a classifier: which of them are options of its method, and which describe a fitted model."""

from collections.abc import Container, Mapping
from types import MappingProxyType
from typing import Any

from angularpu.errors import ModelError, SettingError
from angularpu.methods.configure import configure
from angularpu.methods.fitted import Fitted

# What every classifier takes besides the options of its method, with its defaults.
SHARED: Mapping[str, Any] = MappingProxyType(
    {
        "preset": "default",
        "threshold": "auto",
        "prior": "bbe",
        "scenario": "one-sample",
        "random_state": 0,
        "verbose": False,
    }
)
# Kept in words only, or not at all: a model directory holds no objects and no paths.
NOT_KEPT = ("base", "clean", "weights", "frozen_blocks", "maps_dir")
# Of models that say nothing about it: every one was a single network before fold means.
EARLIER = {"refit": True}


def describe_parameters(fitted: Fitted, accepted: Container[str]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the parameters with which a fit would give a model again.

    Parameters
    ----------
    fitted : Fitted
    accepted : container of str
        The parameters that the classifier has.

    Returns
    -------
    parameters : dict
        Those it has; an option that the preset sets to the same value is left out.
    others : dict
        Options that it would need and does not have.
    """
    shared = {
        "method": fitted.method,
        "preset": fitted.preset,
        "threshold": fitted.threshold,
        "prior": fitted.prior,
        "scenario": fitted.held.scenario,
        "random_state": fitted.seed,
    }
    parameters = {name: value for name, value in shared.items() if name in accepted}
    options = _list_options(fitted)
    parameters |= {name: value for name, value in options.items() if name in accepted}
    return parameters, {name: value for name, value in options.items() if name not in accepted}


def _list_options(fitted: Fitted) -> dict[str, Any]:
    """Return the options that differ from what the model's method and preset have by themselves."""
    try:
        plain = configure(fitted.preset, method=fitted.method, options={})
    except SettingError as error:
        raise ModelError(f"the model's preset cannot be used: {error}") from error
    usual = {**plain.options, **plain.describe()["settings"], **plain.describe()["encoder"]}
    earlier = {name: value for name, value in EARLIER.items() if name in usual}
    chosen = {**earlier, **fitted.options, **fitted.settings, **fitted.encoder}
    return {
        name: value
        for name, value in chosen.items()
        if name not in NOT_KEPT and not (name in usual and usual[name] == value)
    }
