"""A model as one ONNX graph: from raw rows to score, probability and prediction, for whoever serves without Python."""

from typing import TYPE_CHECKING

from angularpu import export_lazily

if TYPE_CHECKING:
    from angularpu.export.file import export_onnx as export_onnx

__getattr__, __dir__, __all__ = export_lazily(__name__, {"file": ("export_onnx",)})
