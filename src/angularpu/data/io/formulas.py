"""Text that a spreadsheet would take for a formula and run, made harmless."""

import pyarrow as pa
import pyarrow.compute as pc

# Some spreadsheets take the wide signs of equality, plus, minus and at for the narrow ones.
_BEGINS = "^([=+\\-@\t\r\n\uff1d\uff0b\uff0d\uff20])"
_NUMBER = r"^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$"


def neutralise(table: pa.Table) -> pa.Table:
    """Put an apostrophe before names and cells of text that begin as formulas do; numbers stay what they are.

    >>> neutralise(pa.table({"=id": ["=1+1", "a", "-5", None], "score": [-1.0, 2.0, 3.0, 4.0]})).to_pydict()
    {"'=id": ["'=1+1", 'a', '-5', None], 'score': [-1.0, 2.0, 3.0, 4.0]}
    """
    for place, field in enumerate(table.schema):
        type_ = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
        if pa.types.is_string(type_) or pa.types.is_large_string(type_) or pa.types.is_binary(type_):
            table = table.set_column(place, field.name, _neutralise(table.column(place).cast(pa.large_string())))
    return table.rename_columns(_neutralise(pa.array(table.column_names, pa.large_string())).to_pylist())


def _neutralise(text: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    harmless = pc.replace_substring_regex(text, pattern=_BEGINS, replacement=r"'\1")
    return pc.if_else(pc.match_substring_regex(text, _NUMBER), text, harmless)
