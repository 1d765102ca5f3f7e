"""Options that had another name in an earlier version: models, specifications and scripts that say it still work."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from angularpu.errors import SettingError

RENAMED: Mapping[str, Mapping[str, str]] = MappingProxyType({"self_pu": {"alpha": "mutual_bound"}})
"""By method: the old name and the one it has now."""


def rename_options(method: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return a method's options under the names they have now.

    >>> rename_options("self_pu", {"alpha": 0.2, "pace": 0.4})
    {'mutual_bound': 0.2, 'pace': 0.4}
    """
    names = RENAMED.get(method, {})
    for old, new in names.items():
        if old in options and new in options:
            raise SettingError(f"{old} is the earlier name of {new}, and both were given; pass {new} alone")
    return {names.get(name, name): value for name, value in options.items()}
