"""All rules by name, and how their text is read."""

import dataclasses
import difflib

from angularpu.decide.lee_liu import LeeLiu
from angularpu.decide.oracle import OracleF1
from angularpu.decide.prior_quantile import PriorQuantile
from angularpu.decide.recall_target import RecallTarget
from angularpu.decide.rule import Rule
from angularpu.errors import SettingError

RULES: dict[str, type[Rule]] = {rule.name: rule for rule in (RecallTarget, PriorQuantile, LeeLiu, OracleF1)}


def parse_rule(text: str) -> Rule:
    """Read a rule from its text; ``str`` of the rule gives the text back.

    Parameters
    ----------
    text : str
        A name, its value if it takes one, then other settings: ``recall=0.95``, ``prior=0.3``, ``lee-liu``,
        ``prior=0.2,target=unlabelled``, ``oracle-f1``.

    Raises
    ------
    SettingError
        When no such rule exists, or a value makes no sense for it.

    Examples
    --------
    >>> parse_rule("recall=0.95")
    RecallTarget(recall=0.95)
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
    return rule(**{key: _read(key, given, number=types[key] is float, rule=rule) for key, given in settings.items()})


def _look_up(name: str) -> type[Rule]:
    if name in RULES:
        return RULES[name]
    near = difflib.get_close_matches(name, RULES, n=1)
    advice = f"did you mean {RULES[near[0]].example}?" if near else "choose one of them"
    known = ", ".join(rule.example for rule in RULES.values())
    raise SettingError(f"there is no rule {name!r}; the rules are {known}; {advice}")


def _split(part: str) -> tuple[str, str]:
    key, _, value = part.partition("=")
    return key.strip(), value.strip()


def _read(key: str, given: str, *, number: bool, rule: type[Rule]) -> float | str:
    if not number:
        return given
    try:
        return float(given)
    except ValueError:
        raise SettingError(f"{key} must be a number, got {given!r}; write, for example, {rule.example}") from None
