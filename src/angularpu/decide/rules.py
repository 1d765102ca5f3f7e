"""All rules by name, and the function that reads their text."""

import dataclasses
import difflib
from typing import Any

from angularpu.decide.bayes_vmf import BayesVMF
from angularpu.decide.lee_liu import LeeLiu
from angularpu.decide.margin import Margin
from angularpu.decide.oracle import OracleF1
from angularpu.decide.precision_floor import PrecisionFloor
from angularpu.decide.prior_quantile import PriorQuantile
from angularpu.decide.prior_setting import Prior
from angularpu.decide.proxy_accuracy import ProxyAccuracy
from angularpu.decide.pu_f1 import PUF1
from angularpu.decide.recall_target import RecallTarget
from angularpu.decide.rule import Rule
from angularpu.errors import SettingError

RULES: dict[str, type[Rule]] = {
    rule.name: rule
    for rule in (PUF1, RecallTarget, PrecisionFloor, PriorQuantile, ProxyAccuracy, LeeLiu, Margin, BayesVMF, OracleF1)
}
# What a setting's type says about its text.
NUMBERS: dict[object, str] = {float: "a number", int: "a whole number"}
NUMBERS_OR_NAMES: tuple[object, ...] = (Prior, Prior | None)


def parse_rule(text: str) -> Rule:
    """Read a rule from its text; ``str`` of the rule gives the text back.

    Parameters
    ----------
    text : str
        A name, its value if it takes one, then other settings: ``recall=0.95``, ``prior=0.3``, ``lee-liu``,
        ``precision=0.9,prior=bbe``, ``pu-f1,target=unlabelled``.

    Raises
    ------
    SettingError
        If there is no such rule, or a value makes no sense for it.

    Examples
    --------
    >>> parse_rule("recall=0.95")
    RecallTarget(prior=None, target='population', recall=0.95)
    >>> str(parse_rule("prior = .3, target = unlabelled"))
    'prior=0.3,target=unlabelled'
    """
    pairs = [_split(part) for part in text.split(",")]
    name, value = pairs[0]
    rule = _look_up(name)
    types = {field.name: field.type for field in dataclasses.fields(rule)}
    if value and name not in types:
        raise SettingError(f"the rule {name} takes no value, got {value!r}; write {rule.example}")
    settings = dict(pairs if name in types else pairs[1:])
    unknown = [key for key in settings if key not in types]
    if unknown:
        raise SettingError(
            f"the rule {name} has no setting {unknown[0]!r}; it has {', '.join(types) or 'none'}, as in {rule.example}"
        )
    missing = [key for key in _required(rule) if key not in settings]
    if missing:
        raise SettingError(f"the rule {name} needs {' and '.join(missing)}; write, for example, {rule.example}")
    read: dict[str, Any] = {key: _read(key, given, kind=types[key], rule=rule) for key, given in settings.items()}
    return rule(**read)


def names_prior(text: str) -> bool:
    """Tell whether a rule's text names a prior of its own.

    >>> names_prior("precision=0.9,prior=dedpul"), names_prior("pu-f1")
    (True, False)
    """
    return any(_split(part)[0] == "prior" for part in text.split(","))


def _look_up(name: str) -> type[Rule]:
    if name in RULES:
        return RULES[name]
    usable = {each: rule for each, rule in RULES.items() if rule is not OracleF1}  # no text brings true classes
    near = difflib.get_close_matches(name, usable, n=1)
    advice = f"did you mean {usable[near[0]].example}?" if near else "choose one of them"
    known = ", ".join(rule.example for rule in usable.values())
    raise SettingError(f"there is no rule {name!r}; the rules are {known}; {advice}")


def _split(part: str) -> tuple[str, str]:
    key, _, value = part.partition("=")
    return key.strip(), value.strip()


def _required(rule: type[Rule]) -> list[str]:
    return [field.name for field in dataclasses.fields(rule) if field.default is dataclasses.MISSING]


def _read(key: str, given: str, *, kind: object, rule: type[Rule]) -> float | str:
    if kind not in NUMBERS and kind not in NUMBERS_OR_NAMES:
        return given
    try:
        return int(given) if kind is int else float(given)
    except ValueError:
        if kind in NUMBERS_OR_NAMES:
            return given
        raise SettingError(
            f"{key} must be {NUMBERS[kind]}, got {given!r}; write, for example, {rule.example}"
        ) from None
