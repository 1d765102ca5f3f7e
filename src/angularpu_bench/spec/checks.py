"""Checks of a spec, made when it is read so that no cell fails on a wrong setting later."""

from collections.abc import Mapping
from typing import Any, get_args

from angularpu.errors import SettingError
from angularpu.nets.names import EncoderName
from angularpu_bench.catalogue.entry import Entry
from angularpu_bench.spec.protocol import ENCODERS, WEIGHTS, Track


def is_count(value: Any, *, least: int) -> bool:
    """Tell whether a value is a whole number of at least ``least``."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def is_share(value: Any) -> bool:
    """Tell whether a value is a share in (0, 1), written with a decimal point."""
    return isinstance(value, float) and 0 < value < 1


def check_single(value: Any, *, place: str) -> None:
    """Refuse lists, tables and dates."""
    if not isinstance(value, str | int | float | bool):
        raise SettingError(
            f"{place} must be text, a number, or true or false, got {value}; "
            "put text in quotes, and list several values as those of a sweep"
        )


def read_options(options: Mapping[str, Any], *, place: str) -> dict[str, Any]:
    """Return options, each a single value; ``"none"`` becomes None, which TOML does not have."""
    for name, value in options.items():
        if value is not None:
            check_single(value, place=f"{place}.{name}")
    return {name: None if value == "none" else value for name, value in options.items()}


def check_track(entry: Entry, track: Track) -> None:
    """Refuse a data set whose rows do not fit a track."""
    if not entry.files:
        raise SettingError(f"{entry.name} cannot be in a spec, because it is read from your own files: {entry.notes}")
    needed = track if track in {"table", "text"} else "image"
    if entry.kind != needed:
        fit = "'features', 'scratch' or 'finetune'" if entry.kind == "image" else repr(entry.kind)
        raise SettingError(
            f"the track {track!r} takes {needed} rows, but {entry.name} has {entry.kind} rows; use the track {fit}"
        )


def check_threshold(text: str) -> None:
    """Refuse a rule that does not exist, or that needs true classes."""
    from angularpu.decide.default import choose_rule
    from angularpu.decide.oracle import OracleF1

    try:
        rule = choose_rule(text, prior="bbe", shares=None, n_pos=1)
    except SettingError as error:
        raise SettingError(f"threshold: {error}") from error
    if isinstance(rule, OracleF1):
        raise SettingError(
            f"threshold must be a rule without true classes, got {text!r}; the oracle's threshold is measured too"
        )


def check_encoder(encoder: Any, track: Track) -> None:
    """Refuse an encoder that does not exist or, on the track "finetune", has no ImageNet weights."""
    known = tuple(WEIGHTS) if track == "finetune" else get_args(EncoderName)
    if encoder not in known:
        which = "those with ImageNet weights, " if track == "finetune" else ""
        raise SettingError(
            f"on the track {track!r} encoder must be one of {which}{', '.join(known)}, got {encoder!r}; "
            f"leave it out to use {ENCODERS[track]!r}"
        )
