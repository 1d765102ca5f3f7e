"""Every field of a model's JSON and what it may hold; read by whatever reads a model, before anything is made of it."""

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, get_args

from angularpu.decide.decision import Bound, PriorSource
from angularpu.errors import ModelError
from angularpu.methods.table import METHODS, find_method
from angularpu.model.fields import (
    Check,
    any_number,
    between,
    boolean,
    choice,
    finite,
    list_of,
    mapping_of,
    nullable,
    record,
    refuse,
    scalar,
    text,
    whole,
    word,
)
from angularpu.nets.names import EncoderName, Precision

FORMAT = 2  # 1 had no field "parts": what a classical method had learnt stood in a file of its own
TENSORS = "model.safetensors"
DESCRIPTION = "model.json"
SKOPS = "parts.skops"  # of earlier versions

LARGEST_FLOAT32 = 3.4028234663852886e38
LARGEST_IMAGE = 2**26  # numbers
DIGITS = 64  # of a checksum

NOTES = list_of(text)
SHARE = between(0, 1)
SCORE = between(-LARGEST_FLOAT32, LARGEST_FLOAT32)


def _either(first: Check, second: Check, *, by: type) -> Check:
    """Make a check that is ``first`` for values of a type and ``second`` for others."""
    return lambda name, value: (first if isinstance(value, by) else second)(name, value)


def _checksum(name: str, value: Any) -> None:
    text(name, value)
    if len(value) != DIGITS or not set(value) <= set("0123456789abcdef"):
        raise refuse(name, value, f"a checksum of {DIGITS} digits")


def _classes(name: str, value: Any) -> None:
    list_of(_class)(name, value)
    if len(value) != 2 or value[0] == value[1]:
        raise refuse(name, value, "two different labels")


def _class(name: str, value: Any) -> None:
    if not isinstance(value, str | bool):
        between(-(2**63), 2**63 - 1)(name, value)


def _source(name: str, value: Any) -> None:
    if not (isinstance(value, list) and len(value) == 2):
        raise refuse(name, value, "a column's name and what it holds")
    text(f"{name}[0]", value[0])
    choice(("number", "date", "duration"))(f"{name}[1]", value[1])


def _shape(name: str, value: Any) -> None:
    list_of(whole(1))(name, value)
    if len(value) != 3 or math.prod(value) > LARGEST_IMAGE:
        raise refuse(name, value, f"channels, height and width of an image of at most {LARGEST_IMAGE:,} numbers")


def _history(name: str, value: Any) -> None:
    list_of(record({"stage": text}, open_=True))(name, value)
    list_of(mapping_of(scalar))(name, value)


COUNT = whole(1)
CATEGORY = record({"name": text, "levels": list_of(text), "other": boolean, "missing": boolean})
PREPARATIONS: Mapping[str, Check] = MappingProxyType(
    {
        "dense": record({"kind": text, "columns": COUNT, "notes": NOTES}),
        "sparse": record({"kind": text, "columns": COUNT, "notes": NOTES}, {"as_matrix": boolean}),
        "frame": record(
            {
                "kind": text,
                "columns": list_of(text, least=1),
                "sources": list_of(_source),
                "categories": list_of(CATEGORY),
                "notes": NOTES,
            }
        ),
        "image": record({"kind": text, "shape": _shape, "unit": boolean, "eight_bit": boolean, "notes": NOTES}),
    }
)


def _preparation(name: str, value: Any) -> None:
    record({"kind": choice(PREPARATIONS)}, open_=True)(name, value)
    PREPARATIONS[value["kind"]](name, value)


ENCODER = record(
    {"encoder": choice((*get_args(EncoderName), "custom")), "d": COUNT, "dropout": between(0, 1)},
    {"frozen_blocks": whole(0), "precision": choice(get_args(Precision))},
)
ESTIMATES = (  # each group is there or is not
    ("precision", "precision_low", "precision_high"),
    ("alpha", "prior"),
    ("alpha_low", "alpha_high"),
    ("rise", "rise_low", "rise_high"),
)
_DECISION = record(
    {
        "rule": word,
        "threshold": SCORE,
        "recall": finite,
        "recall_low": finite,
        "recall_high": finite,
        "positive_share": finite,
        "n_pos_used": whole(0),
        "notes": NOTES,
    },
    {
        **{estimate: nullable(finite) for group in ESTIMATES for estimate in group},
        "prior_source": nullable(choice(get_args(PriorSource))),
        "bound": nullable(choice(get_args(Bound))),
        "refused": nullable(text),
    },
)


def _decision(name: str, value: Any) -> None:
    _DECISION(name, value)
    for group in ESTIMATES:
        if len({value.get(estimate) is None for estimate in group}) > 1:
            raise ModelError(f"{name} must have all of {', '.join(group)}, or none of them")


LABELLING = record(
    {
        "statistic": any_number,
        "p_value": any_number,
        "power": finite,
        "alternative": text,
        "finding": text,
        "n_pos": whole(0),
        "n_unl": whole(0),
        "notes": NOTES,
        "holds": boolean,
        "warning": nullable(text),
    }
)
ESTIMATE = record(dict.fromkeys(("value", "low", "high", "at_least", "at_most"), SHARE))
FOUND = record({"alpha": ESTIMATE, "precision": nullable(ESTIMATE), "recall": ESTIMATE, "f1": ESTIMATE})
SAID = record({"threshold": SCORE, **dict.fromkeys(("alpha", "precision", "recall", "f1"), nullable(finite))})
AUDIT = record(
    {
        **dict.fromkeys(("n", "yes", "no", "unsure", "blank", "seed"), whole(0)),
        "found": FOUND,
        "before": nullable(record({"said": SAID, "found": FOUND}, {"bound": boolean})),
        "labelling": LABELLING,
    }
)
HELD = record(
    {
        "n_pos": COUNT,
        "n_unl": COUNT,
        "scenario": choice(("one-sample", "two-sample")),
        "source": choice(("held out", "cross-fitted", "training")),
    },
    {"margin": nullable(SCORE)},
)
OPTION = _either(list_of(scalar), scalar, by=list)

# What stands around all other fields and is checked first: by whom they were written, and whether they are whole.
FRAME: Check = record(
    {"format": whole(1), "checksums": record({DESCRIPTION: _checksum, TENSORS: _checksum}, {SKOPS: _checksum})},
    open_=True,
)
REQUIRED: Mapping[str, Check] = MappingProxyType(
    {
        "angularpu": word,
        "method": choice(METHODS),
        "options": mapping_of(OPTION),
        "encoder": mapping_of(scalar),
        "preparation": _preparation,
        "held": HELD,
        "decision": _decision,
        "best_epoch": whole(0),
        "history": _history,
        "notes": NOTES,
        "classes": _classes,
        "columns": _either(list_of(text, least=1), COUNT, by=list),
        "preset": word,
        "settings": mapping_of(scalar),
        "seed": whole(0, 10**60),
    }
)
OPTIONAL: Mapping[str, Check] = MappingProxyType(  # what models of 0.1.0 did not have
    {
        "threshold": word,
        "calibration": nullable(record({"score": list_of(finite, least=1), "probability": list_of(SHARE, least=1)})),
        "numbers": mapping_of(finite),
        "prior": _either(word, SHARE, by=str),
        "alpha": nullable(SHARE),
        "labelling": nullable(LABELLING),
        "estimator": nullable(word),
        "audit": nullable(AUDIT),
        "parts": mapping_of(mapping_of(lambda name, value: None)),
    }
)


MEMBER = record(
    {
        "name": word,
        "method": choice([card.name for card in METHODS.values() if card.kind != "ensemble"]),
        "options": mapping_of(OPTION),
        "encoder": mapping_of(scalar),
        "settings": mapping_of(scalar),
        "weight": SHARE,
        "pu_auc": SHARE,
        "auc": nullable(SHARE),
        "parts": mapping_of(mapping_of(lambda name, value: None)),
        "numbers": mapping_of(finite),
    }
)


def check_description(description: Any) -> None:
    """Refuse a model's JSON of which a field is missing or holds what it may not.

    Fields that are not known are left alone: a later version may have written them.

    Parameters
    ----------
    description : object
        What the JSON says; its format and checksums, which FRAME checks, are left alone too.

    Raises
    ------
    ModelError
        Names the field, what came and what is allowed.
    """
    record(REQUIRED, OPTIONAL, open_=True)("", description)
    if find_method(description["method"]).kind == "ensemble":
        record({})("encoder", description["encoder"])
        _check_members(description.get("parts"))
    else:
        _check_encoder("", description)
    _compare_columns(description)


def _check_members(parts: Any) -> None:
    mapping_of(MEMBER)("parts", parts)
    if not parts:
        raise refuse("parts", parts, "an object with at least one member")
    if set(parts) != {str(number) for number in range(len(parts))}:
        raise ModelError("parts must have the members of an ensemble by their numbers, from 0 on")
    for number, member in parts.items():
        _check_encoder(f"parts.{number}.", member)


def _check_encoder(place: str, description: Mapping[str, Any]) -> None:
    """Refuse an encoder where there is no network, and a classifier where there is one."""
    neural = find_method(description["method"]).is_neural
    (ENCODER if neural else record({}))(f"{place}encoder", description["encoder"])
    if neural and description.get("parts"):
        raise ModelError(f"{place}parts is no field of a model of {description['method']!r}, which has a network")


def _compare_columns(description: Mapping[str, Any]) -> None:
    """Refuse a preparation of other columns than the model's, or one that prepares columns it does not have."""
    preparation = description["preparation"]
    prepared = preparation["shape"][0] if preparation["kind"] == "image" else preparation["columns"]
    if prepared != description["columns"]:
        raise refuse("columns", description["columns"], "the columns of preparation")
    if preparation["kind"] == "frame":
        used = [name for name, _ in preparation["sources"]] + [each["name"] for each in preparation["categories"]]
        if len(set(used)) < len(used) or not set(used) <= set(prepared):
            raise ModelError("preparation.sources and preparation.categories must name columns of the model, each once")
