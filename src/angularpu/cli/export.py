"""``angularpu export``: write a model in a format that other programs serve."""

from pathlib import Path
from typing import Annotated

import typer

from angularpu.cli.options import AsJson, ModelPath


def export(
    model: ModelPath,
    *,
    onnx: Annotated[Path, typer.Option(metavar="FILE", help="ONNX file to write.")],
    force: Annotated[bool, typer.Option("--force", help="Replace an existing FILE.")] = False,
    as_json: AsJson = False,
) -> None:
    """Write a model as one ONNX graph.

    It leads from raw rows to score, probability and prediction.
    """
    from angularpu.errors import ModelError
    from angularpu.export.file import export_onnx, refuse_without_onnx
    from angularpu.model.description import read_description
    from angularpu.model.schema import SKOPS
    from angularpu.progress import print_json, tell

    refuse_without_onnx()
    if SKOPS in read_description(model)["checksums"]:
        raise ModelError(
            f"{model} is a model of an earlier version, which is not exported; if you know who made it, load it in "
            "Python with trusted=True, save it again, and export that"
        )
    from angularpu.model.directory import read_model

    export_onnx(read_model(model), onnx, overwrite=force)
    tell(f"{onnx} written: {onnx.stat().st_size / 1e6:,.1f} MB; onnxruntime serves it, see docs/export.md")
    if as_json:
        print_json({"onnx": str(onnx), "bytes": onnx.stat().st_size})
