"""Rows of known class that a user hands to a method as an option, such as Self-PU's ``clean=(X, y)``.

An algorithm names such options in ``row_options``. They travel raw, like any other option, and are prepared as the rows
that the method learns from. A model's JSON has no place for them and leaves them out.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import scipy.sparse as sp
import torch
from numpy.typing import NDArray

from angularpu.data.prepare.preparation import Preparation
from angularpu.data.rows import Rows
from angularpu.data.sources import as_rows
from angularpu.errors import DataError
from angularpu.methods.table import find_method
from angularpu.scenario.labels import encode_labels


def drop_known_rows(method: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return a method's options without those that are rows.

    >>> drop_known_rows("self_pu", {"pace": 0.4, "clean": ([[0.0], [1.0]], [0, 1])})
    {'pace': 0.4}
    """
    return {name: value for name, value in options.items() if name not in find_method(method).load().row_options}


def prepare_known_rows(method: str, options: Mapping[str, Any], *, preparation: Preparation) -> dict[str, Any]:
    """Return a method's options as its algorithm takes them: those that are rows prepared, with their classes."""
    prepared: dict[str, Any] = {}
    for name, (rows, y) in _read(method, options).items():
        x: Any = preparation.apply(rows.take(np.arange(len(rows))))
        dense = torch.from_numpy(x.toarray() if sp.issparse(x) else x)
        prepared[name] = dense, torch.from_numpy(y.astype(np.float32))
    return {**options, **prepared}


def fingerprint_known_rows(method: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return, for JSON, what tells the known rows among a method's options from others."""
    return {name: [rows.fingerprint(), y.tolist()] for name, (rows, y) in _read(method, options).items()}


def _read(method: str, options: Mapping[str, Any]) -> dict[str, tuple[Rows, NDArray[np.int8]]]:
    found = {}
    for name in find_method(method).load().row_options:
        if options.get(name) is not None:
            raw, classes = options[name]
            rows, (y, _) = as_rows(raw), encode_labels(classes)
            if len(rows) != len(y):
                raise DataError(f"{name} has {len(rows)} rows and {len(y)} classes; pass one class a row")
            found[name] = rows, y
    return found
