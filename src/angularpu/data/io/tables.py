"""Tables in files, read whole or in batches."""

from collections.abc import Collection
from pathlib import Path

from angularpu.data.io.formats import TABLES, TableFile
from angularpu.data.io.reading import refuse_path

TABLE_SUFFIXES = tuple(TABLES)


def open_table(path: Path, *, text: Collection[str] = ()) -> TableFile:
    r"""Open a CSV or Parquet file and find out which columns it has.

    Parameters
    ----------
    path : Path
        A file that ends in ``.csv`` or ``.parquet``.
    text : collection of str
        Columns of a CSV file that stay text although all their cells may look like numbers: pass the fitted
        preparation's ``text_columns`` when scoring.

    Raises
    ------
    DataError
        When the file is missing, damaged, empty, of another kind, or has two columns of one name.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "people.csv"
    ...     _ = path.write_text("age,city\n31,Oslo\nNA,Bergen\n")
    ...     open_table(path).read().to_pydict()
    {'age': [31, None], 'city': ['Oslo', 'Bergen']}
    """
    path = Path(path)
    refuse_path(path, tuple(TABLES))
    return TABLES[path.suffix.lower()].open(path, text=text)
