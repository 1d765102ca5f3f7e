"""Options as they are written on the command line."""

import types
from collections.abc import Mapping, Sequence
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from angularpu.checks import fits
from angularpu.errors import SettingError, quote
from angularpu.methods.configure import ALIASES
from angularpu.methods.encoder_choice import EncoderChoice
from angularpu.methods.table import find_method
from angularpu.train.settings import Settings

VALUES = {"true": True, "false": False, "none": None}
KINDS = {int: "a whole number", float: "a number", bool: "true or false", str: "text", types.NoneType: "none"}


def parse_settings(pairs: Sequence[str], *, method: str) -> dict[str, Any]:
    """Read ``option=value`` texts; a value is a whole number, a number, true, false, none, or text.

    Parameters
    ----------
    pairs : sequence of str
        Such as ``epochs=5`` or ``encoder=linear``; the last one of a name wins.
    method : str
        The method whose options are set: they decide which kind of value an option takes.

    Examples
    --------
    >>> parse_settings(["epochs=5", "lambda=1e-3", "weight=none", "encoder=linear"], method="angular")
    {'epochs': 5, 'lambda_': 0.001, 'weight': None, 'encoder': 'linear'}
    >>> parse_settings(["batch_size=many"], method="angular")
    Traceback (most recent call last):
    angularpu.errors.SettingError: batch_size must be a whole number, got 'many'
    """
    options = {}
    for pair in pairs:
        name, equals, text = (part.strip() for part in pair.partition("="))
        if not (name and equals):
            raise SettingError(f"--set takes option=value, got {quote(pair)}; write, for example, --set epochs=5")
        options[ALIASES.get(name, name)] = _parse(text)
    _check_kinds(options, _collect_hints(method))
    return options


def parse_prior(text: str) -> float | str:
    """Read a share of positives, or the name of an estimator.

    >>> parse_prior("0.3"), parse_prior("bbe")
    (0.3, 'bbe')
    """
    try:
        number = float(text.removesuffix("%"))
    except ValueError:
        return text
    if text.endswith("%"):
        raise SettingError(f"prior must lie in (0, 1), got {quote(text)}; write {number / 100:g}")
    return number


def _parse(text: str) -> Any:
    if text.lower() in VALUES:
        return VALUES[text.lower()]
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            continue
    return text


def _collect_hints(method: str) -> dict[str, Any]:
    card = find_method(method)
    own = get_type_hints(card.load().__init__)
    return own if card.kind == "classical" else own | get_type_hints(EncoderChoice) | get_type_hints(Settings)


def _check_kinds(options: Mapping[str, Any], hints: Mapping[str, Any]) -> None:
    """Refuse a value of the wrong kind, which Python's own operators would meet with a TypeError later on."""
    for name, value in options.items():
        hint = hints.get(name, type(value))  # an unknown name is refused where options are put together
        if hint is Any:
            raise SettingError(f"{name} is an object that only Python can pass, as {name}=...; leave it out here")
        if not fits(value, hint):
            kinds = [
                KINDS.get(kind, repr(kind)) for kind in _flatten(hint) if kind in KINDS or not isinstance(kind, type)
            ]
            raise SettingError(f"{name} must be {' or '.join(kinds)}, got {quote(value)}")


def _flatten(hint: Any) -> list[Any]:
    """List the types and literal values that a hint allows."""
    if get_origin(hint) in {Union, types.UnionType}:
        return [kind for part in get_args(hint) for kind in _flatten(part)]
    return list(get_args(hint)) if get_origin(hint) is Literal else [hint]
