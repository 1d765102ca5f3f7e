"""Flat options, as a user writes them, made into a method."""

import dataclasses
import inspect
from collections.abc import Mapping
from typing import Any

import numpy as np

from angularpu.checks import suggest
from angularpu.decide.prior_setting import Prior
from angularpu.errors import SettingError
from angularpu.methods.cards import Card
from angularpu.methods.classical import ClassicalMethod
from angularpu.methods.encoder_choice import EncoderChoice
from angularpu.methods.ensemble import AUTO, USUAL, EnsembleMethod, EnsembleOptions
from angularpu.methods.neural import NeuralMethod
from angularpu.methods.presets import PRESETS, Preset, find_preset, is_given
from angularpu.methods.protocol import Member
from angularpu.methods.renamed import rename_options
from angularpu.methods.table import METHODS, find_method
from angularpu.train.settings import Settings

AnyMethod = NeuralMethod | ClassicalMethod | EnsembleMethod
ALIASES = {"lambda": "lambda_"}
# Of training, what an ensemble settles for all of its members: every row is held out once, nothing is trained again.
FIXED = ("validation", "refit")
DEFAULT = "ensemble"
# Five networks instead of one: three times the usual rate takes back some of the time. A preset keeps its own rate.
MEMBER_RATE = 3e-4


def configure(
    preset: str = "default",
    *,
    method: str | None = None,
    threshold: str = "auto",
    prior: Prior = "bbe",
    options: Mapping[str, Any],
) -> AnyMethod:
    """Make the method that a preset or a name asks for, with some options set.

    Parameters
    ----------
    preset : str
        Its name in presets.PRESETS; "default" has the method's own options.
    method : str, optional
        Its name in the table; by default the preset's.
    threshold : str
        The rule that chooses the threshold.
    prior : float or str
        The share of positives in the population, or the estimator that finds it.
    options : mapping of str to object
        Options of the algorithm, the encoder and the training together, or of a classical method, with ``base`` and
        ``validation``; they win over the preset's. One that is "preset" counts as not given.

    Examples
    --------
    >>> configure("paper", options={"kappa": 5.0, "epochs": "preset"}).settings.epochs
    15
    >>> configure(method="bagging", options={"rounds": 5}).options
    {'rounds': 5}
    >>> configure(options={"capa": 5.0})
    Traceback (most recent call last):
    angularpu.errors.SettingError: option 'capa' is unknown; did you mean 'kappa'?
    """
    chosen = choose_preset(preset, method)
    card = find_method(chosen.method)
    own = algorithm_options(card.name)
    homes = list_homes(card)
    renamed = rename_options(card.name, options)
    given = {ALIASES.get(name, name): _plain(value) for name, value in renamed.items() if is_given(value)}
    flat = {**chosen.options, **given}
    for name in flat:
        if not any(name in home for home in (own, *homes)):
            known = [*own, *(known for home in homes for known in home)]
            raise SettingError(f"option {name!r} is unknown; {_advise(name, card) or suggest(name, sorted(known))}")
    in_own, *elsewhere = ({name: flat[name] for name in flat if name in home} for home in (own, *homes))
    if card.kind == "ensemble":
        return _make_ensemble(
            card.name, in_own, network=elsewhere[0], threshold=threshold, prior=_plain(prior), preset=preset
        )
    if not card.is_neural:
        shared = {name: flat.get(name, default) for name, default in classical_options(card.name).items()}
        return ClassicalMethod(card.name, in_own, **shared, threshold=threshold, prior=_plain(prior), preset=preset)
    return NeuralMethod(
        card.name,
        options=in_own,
        settings=Settings(**elsewhere[0]),
        encoder=EncoderChoice(**elsewhere[1]),
        threshold=threshold,
        prior=_plain(prior),
        preset=preset,
    )


def _advise(name: str, card: Card) -> str | None:
    """Say why an ensemble does not have an option that single methods have."""
    if card.kind != "ensemble":
        return None
    if name in FIXED:
        return "an ensemble holds every row out once; leave it out, or choose one method, such as angular"
    single = [other.name for other in METHODS.values() if other.kind != "ensemble"]
    owners = [other for other in single if name in algorithm_options(other)]
    return f"it is one of {', '.join(owners[:3])}, which would be the method to choose" if owners else None


def choose_default(method: str | None, preset: str) -> str | None:
    """Return the method to fit where a user names none: the ensemble, unless a preset stands for another.

    >>> choose_default(None, "default"), choose_default("nnpu", "default"), choose_default(None, "paper")
    ('ensemble', 'nnpu', None)
    """
    return DEFAULT if method is None and preset == "default" else method


def list_homes(card: Card) -> tuple[Mapping[str, Any], ...]:
    """Return what a method takes besides its own options, with the defaults, by what takes it."""
    if card.kind == "classical":
        return (classical_options(card.name),)
    settings, encoder = _fields(Settings), _fields(EncoderChoice)
    if card.kind == "network":
        return settings, encoder
    return ({name: default for name, default in {**settings, **encoder}.items() if name not in FIXED},)


def _make_ensemble(
    name: str, options: Mapping[str, Any], *, network: dict[str, Any], threshold: str, prior: Prior, preset: str
) -> EnsembleMethod:
    """Make an ensemble, with every method that may become a member of it."""
    members = EnsembleOptions(**options).members
    asked = USUAL if members == AUTO else members
    candidates = {member: make_member(member, network, prior=prior) for member in asked}
    return EnsembleMethod(
        name, {"members": members}, candidates, network=network, threshold=threshold, prior=prior, preset=preset
    )


def make_member(name: str, network: Mapping[str, Any], *, prior: Prior) -> Member:
    """Make the method of a name as it is trained in folds.

    Parameters
    ----------
    name : str
        Of a method of the table, or of a preset.
    network : mapping of str to object
        Options of the encoder and the training, for a method with a network.
    prior : float or str
        The share of positives in the population, or the estimator that finds it.
    """
    preset, method = _split_name(name)
    card = find_card(name)
    if card.kind == "ensemble" or card.oracle:
        raise SettingError(f"{name} cannot be a member of an ensemble; name methods that learn from labels alone")
    rate = {"learning_rate": MEMBER_RATE} if preset == "default" else {}  # a preset has its own
    options = {**rate, **network} if card.kind == "network" else {}
    made = configure(preset, method=method, prior=prior, options=options)
    assert not isinstance(made, EnsembleMethod)
    return made


def find_card(name: str) -> Card:
    """Return the card of a method, or that of a preset's method.

    >>> find_card("nnpu").name, find_card("vpu-unbiased").name
    ('nnpu', 'vpu')
    """
    return find_method(choose_preset(*_split_name(name)).method)


def _split_name(name: str) -> tuple[str, str | None]:
    """Return the preset and the method that one name stands for."""
    return (name, None) if name in PRESETS and name not in METHODS else ("default", name)


def choose_preset(preset: str, method: str | None) -> Preset:
    """Return what a preset and a method mean together.

    >>> choose_preset("default", "nnpu").method, choose_preset("paper", None).method
    ('nnpu', 'angular')
    """
    if method is None:
        return find_preset(preset)
    if preset == "default":
        return Preset(find_method(method).name, "The method's own options.")
    chosen = find_preset(preset)
    if chosen.method != find_method(method).name:
        raise SettingError(f"preset {preset!r} is one of {chosen.method!r}, not of {method!r}; leave one of them out")
    return chosen


def algorithm_options(method: str) -> dict[str, Any]:
    """Return a method's own options with their defaults; alpha comes from the whole fit."""
    parameters = inspect.signature(find_method(method).load()).parameters.values()
    return {
        p.name: p.default
        for p in parameters
        if p.kind is inspect.Parameter.KEYWORD_ONLY and p.name not in {"alpha", "base"}
    }


def classical_options(method: str) -> dict[str, Any]:
    """Return what a classical method takes besides its own options, with the defaults.

    >>> classical_options("bagging"), classical_options("extra_trees")
    ({'base': None, 'validation': 'auto'}, {'validation': 'auto'})
    """
    takes_base = "base" in inspect.signature(find_method(method).load()).parameters
    return {**({"base": None} if takes_base else {}), "validation": "auto"}


def _plain(value: Any) -> Any:
    """Return a NumPy scalar, as grid searches pass them, as the Python number that JSON can hold."""
    return value.item() if isinstance(value, np.generic) else value


def _fields(settings: Any) -> dict[str, Any]:
    return {field.name: field.default for field in dataclasses.fields(settings)}
