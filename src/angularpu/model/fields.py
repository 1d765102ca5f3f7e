"""What a field of a model's JSON may hold: checks that name the field, what came and what is allowed."""

import math
from collections.abc import Callable, Collection, Mapping
from typing import Any

from angularpu.checks import suggest
from angularpu.errors import ModelError

Check = Callable[[str, Any], None]  # takes the field's name and its value

LARGEST_COUNT = 2**53  # up to here floats tell whole numbers apart
LONGEST = 80
LONGEST_WORD = 200


def show(value: Any) -> str:
    """Return a value as a message can show it.

    >>> show("x" * 1000)[-5:], len(show("x" * 1000))
    ('xx...', 80)
    """
    if isinstance(value, list | dict):
        return f"{'a list' if isinstance(value, list) else 'an object'} of {len(value)}"
    text = repr(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


def refuse(name: str, value: Any, allowed: str) -> ModelError:
    """Return the error about a field that holds something else than it may.

    >>> print(refuse("seed", "x", "a whole number"))
    seed must be a whole number, got 'x'
    """
    return ModelError(f"{name} must be {allowed}, got {show(value)}")


def text(name: str, value: Any) -> None:
    """Refuse what is no text."""
    if not isinstance(value, str):
        raise refuse(name, value, "text")


def word(name: str, value: Any) -> None:
    """Refuse what is no text of a few words, such as a name or a rule."""
    text(name, value)
    if len(value) > LONGEST_WORD:
        raise refuse(name, value, f"text of at most {LONGEST_WORD} letters")


def boolean(name: str, value: Any) -> None:
    """Refuse what is neither true nor false."""
    if not isinstance(value, bool):
        raise refuse(name, value, "true or false")


def any_number(name: str, value: Any) -> None:
    """Refuse what is no number; a training's history may hold infinite ones."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise refuse(name, value, "a number")


def scalar(name: str, value: Any) -> None:
    """Refuse what holds other values."""
    if isinstance(value, list | dict):
        raise refuse(name, value, "text, a number, true, false or null")


def finite(name: str, value: Any) -> None:
    """Refuse what is no finite number."""
    between(-math.inf, math.inf)(name, value)


def between(low: float, high: float) -> Check:
    """Make a check for finite numbers from ``low`` to ``high``."""

    def check(name: str, value: Any) -> None:
        any_number(name, value)
        if not (math.isfinite(value) and low <= value <= high):
            limits = f" from {low:g} to {high:g}" if high < math.inf else ""
            raise refuse(name, value, f"a finite number{limits}")

    return check


def whole(low: int, high: int = LARGEST_COUNT) -> Check:
    """Make a check for whole numbers from ``low`` to ``high``.

    >>> whole(1)("d", 0)
    Traceback (most recent call last):
    angularpu.errors.ModelError: d must be a whole number from 1 to 9007199254740992, got 0
    """

    def check(name: str, value: Any) -> None:
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise refuse(name, value, f"a whole number from {low} to {high}")

    return check


def choice(allowed: Collection[str]) -> Check:
    """Make a check for one of several words."""

    def check(name: str, value: Any) -> None:
        text(name, value)
        if value not in allowed:
            raise ModelError(f"{name} {show(value)} is unknown; {suggest(value[:LONGEST], allowed)}")

    return check


def nullable(inner: Check) -> Check:
    """Make a check that lets null pass too."""

    def check(name: str, value: Any) -> None:
        if value is not None:
            inner(name, value)

    return check


def list_of(inner: Check, *, least: int = 0) -> Check:
    """Make a check for lists of ``least`` values or more, each of which passes ``inner``."""

    def check(name: str, value: Any) -> None:
        if not isinstance(value, list) or len(value) < least:
            raise refuse(name, value, f"a list of {least} or more" if least else "a list")
        for number, item in enumerate(value):
            inner(f"{name}[{number}]", item)

    return check


def mapping_of(inner: Check) -> Check:
    """Make a check for objects with any names, each of whose values passes ``inner``."""

    def check(name: str, value: Any) -> None:
        if not isinstance(value, dict):
            raise refuse(name, value, "an object")
        for key, item in value.items():
            inner(f"{name}.{show(key)[1:-1]}", item)

    return check


def record(required: Mapping[str, Check], optional: Mapping[str, Check] | None = None, *, open_: bool = False) -> Check:
    """Make a check for objects with these fields, and with no others unless they are ``open_``."""
    known = {**required, **(optional or {})}

    def check(name: str, value: Any) -> None:
        if not isinstance(value, dict):
            raise refuse(name or "the JSON", value, "an object")
        prefix = f"{name}." if name else ""
        for key in required:
            if key not in value:
                raise ModelError(f"{prefix}{key} is missing")
        for key, item in value.items():
            if key in known:
                known[key](f"{prefix}{key}", item)
            elif not open_:
                raise ModelError(f"{prefix}{show(key)[1:-1]} is unknown; {suggest(key[:LONGEST], known)}")

    return check
