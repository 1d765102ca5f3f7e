"""Compare ways to stream a Parquet file into float32 matrices: seconds and peak memory, each in a process of its own.

    python benchmarks/table_readers.py [--rows 5000000] [--dir DIR] [--quick] [--json]

The file has 32 float64 columns in row groups of a million rows. Every reader makes C-ordered float32 matrices of its
pieces and adds them up, so that equal sums show equal work. The winner is what ``angularpu.data.io.parquet_file`` does.
"""

import json
import math
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from command_line import make_parser, parse, print_header, print_row
from numpy.typing import NDArray

COLUMNS = 32
GROUP_ROWS = 1_000_000
PIECE_ROWS = 65_536
SLICE_ROWS = 262_144

Pieces = Iterator[NDArray[np.float32]]


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--rows", type=int)
    parser.add_argument("--dir", type=Path, help="where the file goes, and stays; default: a temporary directory")
    parser.add_argument("--reader", choices=READERS, help="run this reader alone, in this process, and print JSON")
    arguments = parse(parser, full={"rows": 5_000_000}, quick={"rows": 20_000})
    with tempfile.TemporaryDirectory() as temporary:
        path = (arguments.dir or Path(temporary)) / f"normal-{arguments.rows}x{COLUMNS}.parquet"
        if not path.exists():
            write_file(path, arguments.rows)
        if arguments.reader:
            print(json.dumps(measure(arguments.reader, path)))
        else:
            compare(path, arguments.rows, as_json=arguments.json)


def compare(path: Path, rows: int, *, as_json: bool) -> None:
    if not as_json:
        print_header("reader", "seconds", "peak memory", "sum")
    results = []
    for reader in READERS:
        command = [sys.executable, __file__, "--reader", reader, "--rows", str(rows), "--dir", str(path.parent)]
        result = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
        results.append({"reader": reader, **result})
        if not as_json:
            print_row(reader, f"{result['seconds']:.2f}", f"{result['peak_mb']:.0f} MB", f"{result['sum']:.3f}")
    if as_json:
        print(json.dumps(results, indent=1))


def measure(reader: str, path: Path) -> dict[str, Any]:
    start = time.perf_counter()
    total = math.fsum(float(piece.sum(dtype=np.float64)) for piece in READERS[reader](path))
    seconds = time.perf_counter() - start
    return {
        "seconds": seconds,
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000,
        "sum": total,
    }


def write_file(path: Path, rows: int) -> None:
    rng = np.random.default_rng(0)
    names = [f"x{i}" for i in range(COLUMNS)]
    with pq.ParquetWriter(path, pa.schema([(name, pa.float64()) for name in names])) as writer:
        for start in range(0, rows, GROUP_ROWS):
            n = min(GROUP_ROWS, rows - start)
            writer.write_table(pa.table({name: rng.normal(size=n) for name in names}), row_group_size=GROUP_ROWS)


def fill_matrix(batch: pa.RecordBatch) -> NDArray[np.float32]:
    matrix = np.empty((batch.num_rows, batch.num_columns), np.float32)
    for i, column in enumerate(batch.columns):
        matrix[:, i] = column.to_numpy()
    return matrix


def read_with_pyarrow(path: Path) -> Pieces:
    with pq.ParquetFile(path) as file:
        yield from map(fill_matrix, file.iter_batches(PIECE_ROWS))


def read_with_pyarrow_buffered(path: Path) -> Pieces:
    with pq.ParquetFile(path, pre_buffer=False, buffer_size=1 << 20) as file:
        yield from map(fill_matrix, file.iter_batches(PIECE_ROWS))


def read_with_polars_slices(path: Path) -> Pieces:
    import polars as pl

    scan = pl.scan_parquet(path)
    for start in range(0, pq.read_metadata(path).num_rows, SLICE_ROWS):
        yield scan.slice(start, SLICE_ROWS).collect().cast(pl.Float32).to_numpy(order="c")


def read_with_polars_batches(path: Path) -> Pieces:
    import polars as pl

    for frame in pl.scan_parquet(path).collect_batches(chunk_size=PIECE_ROWS, maintain_order=True):
        yield frame.cast(pl.Float32).to_numpy(order="c")


READERS: dict[str, Callable[[Path], Pieces]] = {
    "pyarrow": read_with_pyarrow,
    "pyarrow, 1 MB buffers": read_with_pyarrow_buffered,
    "polars, slices": read_with_polars_slices,
    "polars, batches": read_with_polars_batches,
}

if __name__ == "__main__":
    main()
