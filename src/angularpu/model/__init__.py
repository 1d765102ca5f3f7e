"""A model on disk: written, read, fitted into its directory, cut elsewhere, and used on files of any size."""

from typing import TYPE_CHECKING

from angularpu import export_lazily

if TYPE_CHECKING:
    from angularpu.model.description import read_description as read_description
    from angularpu.model.directory import read_model as read_model
    from angularpu.model.directory import save as save
    from angularpu.model.resumable import fit_into as fit_into

__getattr__, __dir__, __all__ = export_lazily(
    __name__,
    {
        "description": ("read_description",),
        "directory": ("read_model", "save"),
        "resumable": ("fit_into",),
    },
)
