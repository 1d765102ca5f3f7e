"""Scoring and fitting past one process: the scorer that every engine takes, directories of files, a Ray cluster."""

from typing import TYPE_CHECKING

from angularpu import export_lazily

if TYPE_CHECKING:
    from angularpu.engines.batch_scorer import BatchScorer as BatchScorer
    from angularpu.engines.directory import score_directory as score_directory

__getattr__, __dir__, __all__ = export_lazily(
    __name__, {"batch_scorer": ("BatchScorer",), "directory": ("score_directory",)}
)
