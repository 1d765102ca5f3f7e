"""Compare ``angularpu score`` from start to end with a bare torch loop over the same rows in memory, in one run.

    python benchmarks/scoring.py [--rows 5000000] [--rounds 3] [--dir DIR] [--quick] [--json]

The file has 32 float64 columns in row groups of a million; the model is one AngularPU network (MLP 256-256-128), fitted
on 20,000 of the rows. (a) is the whole command as a process of its own: start, imports, reading, preparing, scoring,
writing. (b) is the network alone, in inference mode, over the same rows prepared before the clock starts, in the chunks
that scoring uses. The two take turns, --rounds times; the ratio is the median over the rounds. Both have torch's
default number of threads. Needed at five million rows, or the exit code is 1: (a) at least half as fast as (b), in less
than a gibibyte. With fewer rows there is no bar, because the start of the process counts for too much.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from command_line import make_parser, parse, print_header, print_row

COLUMNS = 32
ROWS = 5_000_000
GROUP_ROWS = 1_000_000
NEEDED_RATIO = 0.5
NEEDED_BYTES = 2**30


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--rows", type=int)
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--dir", type=Path, help="where the files go; default: a temporary directory")
    parser.add_argument("--bare", nargs=2, type=Path, metavar=("MODEL", "DATA"), help="run (b) alone, once")
    full = {"rows": ROWS, "rounds": 3, "fit_rows": 20_000}
    arguments = parse(parser, full=full, quick={"rows": 20_000, "rounds": 2, "fit_rows": 1_000})
    if arguments.bare:
        print(time_bare_loop(*arguments.bare))
        return
    with tempfile.TemporaryDirectory(dir=arguments.dir) as folder:
        result = compare(Path(folder), arguments.rows, fit_rows=arguments.fit_rows, rounds=arguments.rounds)
    if arguments.json:
        print(json.dumps(result, indent=1))
    else:
        show(result)
    missed = result["ratio"] < NEEDED_RATIO or result["peak_bytes"] >= NEEDED_BYTES
    if missed and arguments.rows >= ROWS:
        sys.exit(f"MISSED: needed are a ratio of at least {NEEDED_RATIO} and a peak below {NEEDED_BYTES / 1e6:.0f} MB")


def show(result: dict[str, Any]) -> None:
    print_header(f"{result['rows']:,} rows, median of {result['rounds']}", "rows per second", "peak memory")
    print_row(
        "(a) `angularpu score`, start to end", f"{result['rows_per_s']:,}", f"{result['peak_bytes'] / 1e6:.0f} MB"
    )
    print_row("(b) bare torch loop, rows in memory", f"{result['bare_rows_per_s']:,}", "")
    print_row("ratio (a) / (b)", f"{result['ratio']:.3f}", "")


def compare(folder: Path, rows: int, *, fit_rows: int, rounds: int) -> dict[str, Any]:
    """Make the files and the model, then time both in turn."""
    data, model, out = folder / "data.parquet", folder / "model", folder / "scores.parquet"
    write_rows(data, rows)
    write_labelled(folder / "labelled.parquet", data, rows=fit_rows)
    angularpu = [sys.executable, "-m", "angularpu"]
    fit = [
        "fit",
        str(folder / "labelled.parquet"),
        "--label",
        "s",
        "--out",
        str(model),
        "--method",
        "angular",
        "--set",
        "epochs=2",
        "--set",
        "refit=true",
    ]
    run([*angularpu, *fit])
    seconds, bare_seconds, peaks = [], [], []
    for _ in range(rounds):
        taken, peak, _ = run([*angularpu, "score", str(model), str(data), "--out", str(out)])
        assert pq.ParquetFile(out).metadata.num_rows == rows
        out.unlink()
        seconds.append(taken)
        peaks.append(peak)
        bare_seconds.append(float(run([sys.executable, __file__, "--bare", str(model), str(data)])[2]))
    return {
        "rows": rows,
        "rounds": rounds,
        "seconds": statistics.median(seconds),
        "rows_per_s": round(rows / statistics.median(seconds)),
        "bare_seconds": statistics.median(bare_seconds),
        "bare_rows_per_s": round(rows / statistics.median(bare_seconds)),
        "ratio": statistics.median(b / a for a, b in zip(seconds, bare_seconds, strict=True)),
        "peak_bytes": max(peaks),
    }


def run(command: list[str]) -> tuple[float, int, str]:
    """Run a process and return its wall time in seconds, its peak memory in bytes and what it printed."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as errors:
        started = time.perf_counter()
        process = subprocess.Popen(command, stdout=out, stderr=errors)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        errors.seek(0)
        if process.returncode:
            raise SystemExit(f"{' '.join(command)} ended with exit code {process.returncode}:\n{errors.read()}")
        return seconds, usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024), out.read()


def time_bare_loop(model: Path, data: Path) -> float:
    """Return the seconds that the network alone takes for all rows, in the chunks that scoring uses."""
    import torch

    from angularpu import AngularPUClassifier
    from angularpu.train.chunks import VECTOR_CHUNK

    fitted = AngularPUClassifier.load(model).fitted_
    network = fitted.scorer.algorithm
    batches = pq.ParquetFile(data).iter_batches(65_536)
    x = torch.cat([torch.from_numpy(fitted.preparation.apply(pa.Table.from_batches([batch]))) for batch in batches])
    started = time.perf_counter()
    with torch.inference_mode():
        for start in range(0, len(x), VECTOR_CHUNK):
            network.score(x[start : start + VECTOR_CHUNK])
    return time.perf_counter() - started


def write_rows(path: Path, rows: int) -> None:
    """Write rows of normal numbers."""
    rng = np.random.default_rng(0)
    schema = pa.schema([(f"f{i}", pa.float64()) for i in range(COLUMNS)])
    with pq.ParquetWriter(path, schema) as writer:
        for start in range(0, rows, GROUP_ROWS):
            n = min(GROUP_ROWS, rows - start)
            writer.write_table(pa.table([rng.standard_normal(n) for _ in range(COLUMNS)], schema=schema))


def write_labelled(path: Path, data: Path, *, rows: int) -> None:
    """Write the first rows again, with a label on some of those that lie on one side of a plane."""
    table = next(pq.ParquetFile(data).iter_batches(rows))
    table = pa.Table.from_batches([table])
    side = sum(table[f"f{i}"].to_numpy() for i in range(8))
    s = (side > 0) & (np.random.default_rng(1).random(len(side)) < 0.2)
    pq.write_table(table.append_column("s", pa.array(s.astype(np.int8))), path)


if __name__ == "__main__":
    main()
