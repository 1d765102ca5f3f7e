"""Where the numbers come from: arrays, tables, images, files, and their preparation."""

from typing import TYPE_CHECKING

from angularpu import export_lazily

if TYPE_CHECKING:
    from angularpu.data.assembly import concatenate as concatenate
    from angularpu.data.assembly import subset as subset
    from angularpu.data.io.arrays import open_arrays as open_arrays
    from angularpu.data.io.tables import open_table as open_table
    from angularpu.data.io.writing import open_writer as open_writer
    from angularpu.data.prepare.preparation import Preparation as Preparation
    from angularpu.data.prepare.preparation import fit_preparation as fit_preparation
    from angularpu.data.rows import Rows as Rows
    from angularpu.data.sources import as_rows as as_rows

__getattr__, __dir__, __all__ = export_lazily(
    __name__,
    {
        "assembly": ("concatenate", "subset"),
        "io.arrays": ("open_arrays",),
        "io.tables": ("open_table",),
        "io.writing": ("open_writer",),
        "prepare.preparation": ("Preparation", "fit_preparation"),
        "rows": ("Rows",),
        "sources": ("as_rows",),
    },
)
