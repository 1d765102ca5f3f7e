"""A model written as an ONNX file."""

import importlib.util
import json
from pathlib import Path

from angularpu import __version__, files
from angularpu.errors import DataError, SettingError
from angularpu.methods.fitted import Fitted

NEEDED = ("onnx", "onnxscript")


def export_onnx(fitted: Fitted, path: str | Path, *, overwrite: bool = False) -> None:
    """Write a model as one ONNX file, from raw rows to score, probability and prediction.

    docs/export.md has its inputs and outputs, and what cannot be exported.

    Parameters
    ----------
    fitted : Fitted
        A classifier's ``fitted_``, or what :func:`angularpu.model.read_model` returns.
    path : str or Path
        The file, which appears only when it is complete.
    overwrite : bool, default=False
        Whether a file that is there may be replaced.

    Raises
    ------
    ModelError
        When a part of the model has no place in an ONNX graph.
    SettingError
        When the packages of ``angularpu[onnx]`` are not installed.
    """
    path = Path(path)
    refuse_without_onnx()
    if path.exists() and not overwrite:
        raise DataError(f"{path} exists already; choose another name, or allow overwriting (--force, overwrite=True)")
    content = build_onnx(fitted)
    path.parent.mkdir(parents=True, exist_ok=True)
    with files.atomic_file(path) as temporary:
        temporary.write_bytes(content)


def build_onnx(fitted: Fitted) -> bytes:
    """Return the content of the file: inputs, preparation, members, their mean, probability, decision."""
    from angularpu.export.decision import add_decision_outputs
    from angularpu.export.graph import Graph
    from angularpu.export.preparation import add_preparation
    from angularpu.export.scorer import add_scorer

    graph = Graph()
    rows = add_preparation(graph, fitted.preparation)
    score = add_scorer(graph, fitted.scorer, rows, in_shape=fitted.preparation.out_shape)
    add_decision_outputs(graph, fitted, score)
    content: bytes = graph.finish(describe(fitted)).SerializeToString(deterministic=True)
    return content


def describe(fitted: Fitted) -> dict[str, str]:
    """Return what the file says about the model besides the graph."""
    about = {
        "method": fitted.method,
        "rule": fitted.decision.rule,
        "threshold": fitted.decision.threshold,
        "classes": list(fitted.classes),
        "columns": fitted.columns,
        "angularpu": __version__,
    }
    return {name: value if isinstance(value, str) else json.dumps(value) for name, value in about.items()}


def refuse_without_onnx() -> None:
    """Say what to install where a package is missing."""
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        raise SettingError(
            f"exporting needs {' and '.join(missing)}, not installed here; install what is missing: "
            "pip install 'angularpu[onnx]'"
        )
