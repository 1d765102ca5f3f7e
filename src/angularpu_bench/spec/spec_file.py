"""Reading a spec: TOML becomes frozen dataclasses, and whatever does not fit is refused with its place."""

import dataclasses
import math
import tomllib
import types
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from angularpu.checks import fits, suggest
from angularpu.errors import AngularPUError, SettingError, quote
from angularpu_bench.spec.spec import Budget, DatasetChoice, Spec, Sweep, Variant

Made = TypeVar("Made")
MOST_SEEDS = 10_000
_WORDS = {int: "a whole number", float: "a number", str: "text", dict: "a table", list: "a list", bool: "true or false"}


def read_spec(path: Path) -> Spec:
    r"""Read the experiment that a TOML file describes.

    Parameters
    ----------
    path : Path
        Its name without ``.toml`` becomes the name of the spec.

    Raises
    ------
    SettingError
        If the file is not TOML, or has an unknown key or a value of the wrong type.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "tiny.toml"
    ...     _ = path.write_text('seeds = 2\nmethods = ["vpu"]\ndatasets = [{name = "gaussians", track = "table"}]')
    ...     spec = read_spec(path)
    >>> spec.name, spec.seeds, spec.datasets[0].name
    ('tiny', (0, 1), 'gaussians')
    """
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"), parse_float=_parse_finite)
    except (ValueError, RecursionError) as error:
        raise SettingError(f"{path} is not TOML: {error}; correct it, and save it as UTF-8") from error
    try:
        return parse_spec(content, name=path.stem)
    except AngularPUError as error:
        raise SettingError(f"{path}: {error}") from error


def _parse_finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{quote(text)} is no finite number")
    return number


def parse_spec(content: Mapping[str, Any], *, name: str) -> Spec:
    """Make a spec from the content of a TOML file.

    >>> parse_spec({"sedes": 3}, name="main")
    Traceback (most recent call last):
    angularpu.errors.SettingError: the key 'sedes' is unknown; did you mean 'seeds'?
    """
    given = _count_seeds(content)
    for key, kind in (("datasets", DatasetChoice), ("variants", Variant), ("sweeps", Sweep)):
        if key in given:
            given[key] = [_build(kind, table, where=f"{key}[{i}]: ") for i, table in enumerate(_list(key, given[key]))]
    if "name" in given:
        raise SettingError("the key 'name' cannot be set; the file's name is the name of the spec, so leave it out")
    return _build(Spec, {"name": name, **given}, where="")


def _build(kind: type[Made], table: Any, *, where: str) -> Made:
    """Make a dataclass from a table; refuse unknown keys and values of the wrong type."""
    if not isinstance(table, dict):
        raise SettingError(f"{where}must be a table, got {quote(table)}")
    if "budget" in table:
        table = {**table, "budget": _build(Budget, table["budget"], where=f"{where}budget: ")}
    hints = get_type_hints(kind)
    fields = {part.name: part for part in dataclasses.fields(kind)}  # type: ignore[arg-type]
    for key, value in table.items():
        if key not in fields:
            known = [name for name in fields if name != "name" or where]
            raise SettingError(f"{where}the key {quote(key)} is unknown; {suggest(key, known)}")
        if not fits(value, hints[key]):
            raise SettingError(f"{where}{key} must be {_describe(hints[key])}, got {quote(value)}")
    for key, part in fields.items():
        if key not in table and part.default is part.default_factory is dataclasses.MISSING:
            raise SettingError(f"{where}the key {key!r} is missing")
    try:
        return kind(**{key: tuple(value) if isinstance(value, list) else value for key, value in table.items()})
    except AngularPUError as error:
        raise SettingError(f"{where}{error}") from error


def _count_seeds(table: Mapping[str, Any]) -> dict[str, Any]:
    """Replace a number of seeds by the list of seeds."""
    seeds = table.get("seeds")
    if isinstance(seeds, int) and seeds > MOST_SEEDS:
        raise SettingError(f"seeds must be at most {MOST_SEEDS:,}, got {quote(seeds)}; ask for fewer")
    return {**table, "seeds": list(range(seeds))} if isinstance(seeds, int) else dict(table)


def _list(key: str, value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise SettingError(f"{key} must be a list of tables, written [[{key}]], got {quote(value)}")
    return value


def _describe(hint: Any) -> str:
    origin = get_origin(hint)
    if origin in {Union, types.UnionType}:
        return " or ".join(_describe(part) for part in get_args(hint) if part is not types.NoneType)
    if origin is Literal:
        return "one of " + ", ".join(map(repr, get_args(hint)))
    if origin is tuple:
        inner = get_args(hint)[0]
        return "a list" if inner is Any else f"a list, each item {_describe(inner)}"
    return _WORDS.get(hint, "a table")
