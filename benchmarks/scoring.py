"""Compare ``angularpu score`` end to end with a bare torch loop over the same rows in memory, in one run.

The file has 32 float64 columns in row groups of a million; the model is the default one (MLP 256-256-128), fitted on
20,000 of the rows. (a) is the whole command as a process of its own: start, imports, reading, preparing, scoring,
writing. (b) is the network alone, in inference mode, over the same rows prepared before the clock starts, in the chunks
that scoring uses. Both have torch's default number of threads. Needed: (a) at least half as fast as (b), in less than
a gibibyte.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

COLUMNS = 32
GROUP_ROWS = 1_000_000
FIT_ROWS = 20_000
NEEDED_RATIO = 0.5
NEEDED_BYTES = 2**30


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=5_000_000)
    parser.add_argument("--dir", type=Path, help="where the files go; default: a temporary directory")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument(
        "--bare", nargs=2, type=Path, metavar=("MODEL", "DATA"), help="run (b) alone, as (a)'s rival does"
    )
    arguments = parser.parse_args()
    if arguments.bare:
        print(time_bare_loop(*arguments.bare))
        return
    with tempfile.TemporaryDirectory(dir=arguments.dir) as folder:
        result = compare(Path(folder), arguments.rows)
    if arguments.json:
        print(json.dumps(result, indent=1))
    else:
        for name, value in result.items():
            print(f"{name:<20} {value:,}" if isinstance(value, int) else f"{name:<20} {value:.3f}")
    sys.exit(result["ratio"] < NEEDED_RATIO or result["peak_bytes"] >= NEEDED_BYTES)


def compare(folder: Path, rows: int) -> dict[str, Any]:
    """Make the files and the model, then time both."""
    data, model, out = folder / "data.parquet", folder / "model", folder / "scores.parquet"
    write_rows(data, rows)
    write_labelled(folder / "labelled.parquet", data)
    angularpu = [sys.executable, "-m", "angularpu"]
    fit = ["fit", str(folder / "labelled.parquet"), "--label", "s", "--out", str(model), "--set", "epochs=2"]
    subprocess.run([*angularpu, *fit], check=True, stderr=subprocess.DEVNULL)
    seconds, peak = run([*angularpu, "score", str(model), str(data), "--out", str(out)])
    assert pq.ParquetFile(out).metadata.num_rows == rows
    bare = subprocess.run(
        [sys.executable, __file__, "--bare", str(model), str(data)], check=True, capture_output=True, text=True
    )
    bare_seconds = float(bare.stdout)
    return {
        "rows": rows,
        "seconds": seconds,
        "rows_per_s": round(rows / seconds),
        "bare_seconds": bare_seconds,
        "bare_rows_per_s": round(rows / bare_seconds),
        "ratio": bare_seconds / seconds,
        "peak_bytes": peak,
    }


def run(command: list[str]) -> tuple[float, int]:
    """Run a process and return its wall time in seconds and its peak memory in bytes."""
    started = time.perf_counter()
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - started
    if status != 0:
        raise SystemExit(f"{command} ended with status {status}")
    return seconds, usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def time_bare_loop(model: Path, data: Path) -> float:
    """Return the seconds that the network alone takes for all rows, in the chunks that scoring uses."""
    import torch

    from angularpu.model import directory as model_directory
    from angularpu.train.chunks import VECTOR_CHUNK

    fitted = model_directory.load(model)
    batches = pq.ParquetFile(data).iter_batches(65_536)
    x = torch.cat([torch.from_numpy(fitted.preparation.apply(pa.Table.from_batches([batch]))) for batch in batches])
    started = time.perf_counter()
    with torch.inference_mode():
        for start in range(0, len(x), VECTOR_CHUNK):
            fitted.algorithm.score(x[start : start + VECTOR_CHUNK])
    return time.perf_counter() - started


def write_rows(path: Path, rows: int) -> None:
    """Write rows of normal numbers."""
    rng = np.random.default_rng(0)
    schema = pa.schema([(f"f{i}", pa.float64()) for i in range(COLUMNS)])
    with pq.ParquetWriter(path, schema) as writer:
        for start in range(0, rows, GROUP_ROWS):
            n = min(GROUP_ROWS, rows - start)
            writer.write_table(pa.table([rng.standard_normal(n) for _ in range(COLUMNS)], schema=schema))


def write_labelled(path: Path, data: Path) -> None:
    """Write the first rows again, with a label on some of those that lie on one side of a plane."""
    table = next(pq.ParquetFile(data).iter_batches(FIT_ROWS))
    table = pa.Table.from_batches([table])
    side = sum(table[f"f{i}"].to_numpy() for i in range(8))
    s = (side > 0) & (np.random.default_rng(1).random(len(side)) < 0.2)
    pq.write_table(table.append_column("s", pa.array(s.astype(np.int8))), path)


if __name__ == "__main__":
    main()
