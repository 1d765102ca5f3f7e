"""Checks of an algorithm's options, each with the sentence its user needs."""

import math
from collections.abc import Sequence
from typing import Any

from angularpu.errors import SettingError


def check_range(
    name: str, value: Any, *, low: float = -math.inf, high: float = math.inf, open_low: bool = False
) -> float:
    """Return ``value`` as a float if it is a finite number in [low, high], or (low, high] with ``open_low``.

    >>> check_range("kappa", 3, low=0, open_low=True)
    3.0
    """
    number = float(value) if isinstance(value, int | float) and not isinstance(value, bool) else math.nan
    inside = low < number <= high if open_low else low <= number <= high
    if not (inside and math.isfinite(number)):
        bounds = f"{'above' if open_low else 'at least'} {low:g}" + (
            f" and at most {high:g}" if high < math.inf else ""
        )
        raise SettingError(f"{name} must be a number {bounds}, got {value!r}")
    return number


def check_choice(name: str, value: Any, allowed: Sequence[Any]) -> Any:
    """Return ``value`` if it is one of the allowed ones.

    >>> check_choice("logit", "cosine", ("cosine", "margin"))
    'cosine'
    """
    if value not in allowed:
        raise SettingError(f"{name} must be one of {', '.join(map(repr, allowed))}, got {value!r}")
    return value
