"""Reviews on disk: a CSV with the columns row and answer, and perhaps each row's fingerprint."""

from pathlib import Path

import numpy as np

from angularpu.data.io.reading import refuse_path
from angularpu.data.io.sheet import read_row, read_sheet
from angularpu.data.row_fingerprints import fingerprint_each, write_fingerprint
from angularpu.errors import DataError
from angularpu.scenario.reviews import encode_reviews
from angularpu.scenario.sample import PUSample

ROW, ANSWER, FINGERPRINT = "row", "answer", "fingerprint"


def read_reviews(path: str | Path, sample: PUSample) -> PUSample:
    """Return a sample with the reviews of a file.

    Parameters
    ----------
    path : str or Path
        A CSV: ``row`` counts the rows of the sample from 1, ``answer`` is positive, negative, unsure or blank (yes and
        no, as an audit has them, are all right). Where there is a column ``fingerprint``, each row must still be the
        row that was reviewed.
    sample : PUSample
    """
    path = Path(path)
    refuse_path(path, (".csv",))
    words = np.full(len(sample.s), "", dtype=object)
    expected: dict[int, str] = {}
    for line in read_sheet(path, needed=(ROW, ANSWER)):
        row = read_row(line[ROW], path)
        if not 1 <= row <= len(words):
            raise DataError(
                f"{path} reviews row {row}, but the data has {len(words)} rows; pass the data that was reviewed"
            )
        if words[row - 1]:
            raise DataError(f"row {row} stands twice in {path}; remove one of the two")
        words[row - 1] = line[ANSWER].strip()
        if line.get(FINGERPRINT):
            expected[row - 1] = line[FINGERPRINT].strip()
    _check_fingerprints(path, sample, expected)
    return PUSample(sample.rows, sample.s, sample.scenario, encode_reviews(words, sample.s))


def _check_fingerprints(path: Path, sample: PUSample, expected: dict[int, str]) -> None:
    if not expected:
        return
    found = fingerprint_each(sample.rows.take(np.array(list(expected), np.int64)))
    for (row, text), number in zip(expected.items(), found, strict=True):
        if write_fingerprint(number) != text:
            raise DataError(
                f"row {row + 1} of the data is not the row that {path} reviewed; pass the data that was reviewed, with "
                "the same --id columns"
            )
