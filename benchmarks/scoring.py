"""Compare ``angularpu score`` from start to end with a bare torch loop over the same rows in memory, in one run.

    python benchmarks/scoring.py [--rows 5000000] [--turns 3] [--formats parquet csv] [--dir DIR] [--quick] [--json]
                                 [--save]

The file has 32 columns of float64, a Parquet file in row groups of a million; the model is one AngularPU network (MLP
256-256-128), fitted on 20,000 of the rows. (a) is the whole command as a process of its own: start, imports, reading,
preparing, scoring, writing. (b) is the network alone, in inference mode, over the same rows prepared before the clock
starts, in the chunks that scoring uses. The two take turns; one thread, processor time. Needed at five million rows, or
the exit code is 1: Parquet at least half as fast as (b), in less than a gibibyte. With fewer rows there is no bar,
because the start of the process counts for too much. --save writes the ratios to benchmarks/results/speed.csv.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.parquet as pq
from command_line import make_parser, parse
from turns import compare, save, show

COLUMNS = 32
ROWS = 5_000_000
GROUP_ROWS = 1_000_000
BARS = {"parquet": "at least 0.75", "csv": "at least 0.40"}
ANGULARPU = [sys.executable, "-m", "angularpu"]
NEEDED_RATIO = 0.5
NEEDED_BYTES = 2**30


class Run(NamedTuple):
    """What a process took."""

    seconds: float  # of the processor
    peak: int  # bytes
    output: str


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--rows", type=int)
    parser.add_argument("--turns", type=int)
    parser.add_argument("--formats", nargs="+", choices=BARS)
    parser.add_argument("--dir", type=Path, help="where the files go; default: a temporary directory")
    parser.add_argument("--bare", nargs=2, type=Path, metavar=("MODEL", "DATA"), help="run (b) alone, once")
    parser.add_argument("--save", action="store_true", help="write the ratios to benchmarks/results/speed.csv")
    full = {"rows": ROWS, "turns": 3, "fit_rows": 20_000, "formats": list(BARS)}
    arguments = parse(parser, full=full, quick={"rows": 20_000, "turns": 1, "fit_rows": 1_000})
    if arguments.bare:
        print(time_bare_loop(*arguments.bare))
        return
    os.environ["OMP_NUM_THREADS"] = "1"
    with tempfile.TemporaryDirectory(dir=arguments.dir) as folder:
        results = measure(Path(folder), arguments)
    ratios = [result["ratio"] for result in results]
    if arguments.json:
        print(json.dumps(results, indent=1, default=asdict))
    else:
        show(ratios)
        print()
        for result in results:
            print(
                f"{result['format']}, {result['rows']:,} rows: {result['rows_per_s']:,} rows a second, bare loop "
                f"{result['bare_rows_per_s']:,}, peak memory {result['peak_bytes'] / 1e6:.0f} MB"
            )
    if arguments.save:
        save(ratios)
    missed = [r for r in results if r["format"] == "parquet" and r["ratio"].ratio < NEEDED_RATIO]
    missed += [r for r in results if r["peak_bytes"] >= NEEDED_BYTES]
    if missed and arguments.rows >= ROWS:
        sys.exit(f"MISSED: needed are a ratio of at least {NEEDED_RATIO} and a peak below {NEEDED_BYTES / 1e6:.0f} MB")


def measure(folder: Path, arguments: Any) -> list[dict[str, Any]]:
    """Make the files and the model, then time both in turn."""
    rows, data, model = arguments.rows, folder / "data.parquet", folder / "model"
    # Written elsewhere: a process inherits the peak of the one that starts it, which must stay small.
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        pool.submit(write_files, folder, data, arguments).result()
    fit = ["fit", str(folder / "labelled.parquet"), "--label", "s", "--out", str(model), "--method", "angular"]
    run([*ANGULARPU, *fit, "--set", "epochs=2", "--set", "refit=true"])
    seconds: dict[str, list[float]] = {name: [] for name in (*arguments.formats, "bare")}
    peaks = dict.fromkeys(arguments.formats, 0)
    for _ in range(arguments.turns):
        for form in arguments.formats:
            out = folder / "scores.parquet"
            taken = run([*ANGULARPU, "score", str(model), str(folder / f"data.{form}"), "--out", str(out)])
            assert pq.ParquetFile(out).metadata.num_rows == rows
            out.unlink()
            seconds[form].append(taken.seconds)
            peaks[form] = max(peaks[form], taken.peak)
        seconds["bare"].append(float(run([sys.executable, __file__, "--bare", str(model), str(data)]).output))
    return [
        {
            "format": form,
            "rows": rows,
            "ratio": compare(
                f"score, {form}",
                ("angularpu score", seconds[form]),
                ("bare torch loop, rows in memory", seconds["bare"]),
                bar=BARS[form],
                inverse=True,
            ),
            "rows_per_s": round(rows / statistics.median(seconds[form])),
            "bare_rows_per_s": round(rows / statistics.median(seconds["bare"])),
            "peak_bytes": peaks[form],
        }
        for form in arguments.formats
    ]


def run(command: list[str]) -> Run:
    """Run a process and return what it took and what it printed."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as errors:
        process = subprocess.Popen(command, stdout=out, stderr=errors)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        errors.seek(0)
        if process.returncode:
            raise SystemExit(f"{' '.join(command)} ended with exit code {process.returncode}:\n{errors.read()}")
        peak = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
        return Run(usage.ru_utime + usage.ru_stime, peak, out.read())


def time_bare_loop(model: Path, data: Path) -> float:
    """Return the seconds that the network alone takes for all rows, in the chunks that scoring uses."""
    import torch

    from angularpu import AngularPUClassifier
    from angularpu.train.chunks import VECTOR_CHUNK

    fitted = AngularPUClassifier.load(model).fitted_
    network = fitted.scorer.algorithm
    batches = pq.ParquetFile(data).iter_batches(65_536)
    x = torch.cat([torch.from_numpy(fitted.preparation.apply(pa.Table.from_batches([batch]))) for batch in batches])
    torch.set_num_threads(1)
    started = time.process_time()
    with torch.inference_mode():
        for start in range(0, len(x), VECTOR_CHUNK):
            network.score(x[start : start + VECTOR_CHUNK])
    return time.process_time() - started


def write_files(folder: Path, data: Path, arguments: Any) -> None:
    """Write the rows to score and those to fit on."""
    write_rows(data, arguments.rows)
    write_labelled(folder / "labelled.parquet", data, rows=arguments.fit_rows)
    if "csv" in arguments.formats:
        write_csv(data, folder / "data.csv")


def write_rows(path: Path, rows: int) -> None:
    """Write rows of normal numbers."""
    rng = np.random.default_rng(0)
    schema = pa.schema([(f"f{i}", pa.float64()) for i in range(COLUMNS)])
    with pq.ParquetWriter(path, schema) as writer:
        for start in range(0, rows, GROUP_ROWS):
            n = min(GROUP_ROWS, rows - start)
            writer.write_table(pa.table([rng.standard_normal(n) for _ in range(COLUMNS)], schema=schema))


def write_csv(data: Path, out: Path) -> None:
    """Write the rows of a Parquet file again, as CSV."""
    file = pq.ParquetFile(data)
    with pacsv.CSVWriter(out, file.schema_arrow) as writer:
        for batch in file.iter_batches(65_536):
            writer.write_batch(batch)


def write_labelled(path: Path, data: Path, *, rows: int) -> None:
    """Write the first rows again, with a label on some of those that lie on one side of a plane."""
    table = next(pq.ParquetFile(data).iter_batches(rows))
    table = pa.Table.from_batches([table])
    side = sum(table[f"f{i}"].to_numpy() for i in range(8))
    s = (side > 0) & (np.random.default_rng(1).random(len(side)) < 0.2)
    pq.write_table(table.append_column("s", pa.array(s.astype(np.int8))), path)


if __name__ == "__main__":
    main()
