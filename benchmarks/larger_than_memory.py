"""Fit and score rows that stay on disk, and watch the memory: it should hardly grow with their number.

    python benchmarks/larger_than_memory.py [--rows 1000000 2500000 10000000] [--forms directory file npy]
        [--method angular] [--folder DIR] [--seed 0] [--quick] [--json]

Rows of 64 columns (float32, Gaussian, three in ten positive, 5,000 of the positives labelled) are written as a
directory of Parquet files, as one Parquet file or as two .npy files; ``angularpu fit`` and ``angularpu score`` run on
them as processes of their own. "anonymous MiB" is the peak of RssAnon in /proc/PID/status, asked every 20 ms, children
included: what a process has for itself, without the pages of files that the system keeps while there is room. "bytes a
row" is the growth of that peak from the smallest number of rows to this one, divided by the growth of the rows. AUC is
of the unlabelled rows by their true classes, which no command sees. Seconds are of the processor. --folder needs room
for three times the rows.
"""

import json
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from command_line import make_parser, parse, print_header, print_row
from sklearn.metrics import roc_auc_score

COLUMNS, TELLING, SHIFT, SHARE = 64, 16, 0.35, 0.3
LABELLED, QUICK_LABELLED = 5_000, 100
CHUNK = 250_000  # rows of a file of the directory, and of a row group of the one file
# Small tables are read whole; here none is, so that the quick form and the smallest run go the same way as the largest.
LAUNCHER = """
import sys
from angularpu.scenario import sample_file
sample_file.WHOLE_BYTES = 0
from angularpu.cli.main import main
sys.exit(main(sys.argv[1:]))
"""


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--rows", type=int, nargs="+", help="how many rows, ascending")
    parser.add_argument("--forms", nargs="+", choices=list(FORMS), help="how they are stored")
    parser.add_argument("--method", help="as angularpu fit takes it")
    parser.add_argument("--folder", help="where rows and models are written; a temporary folder by default")
    parser.add_argument("--seed", type=int)
    full = {
        **{"rows": [1_000_000, 2_500_000, 10_000_000], "forms": list(FORMS), "method": "angular"},
        **{"folder": None, "seed": 0, "labelled": LABELLED, "options": []},
    }
    quick = {"rows": [2_000], "forms": ["directory"], "labelled": QUICK_LABELLED, "options": ["epochs=1"]}
    arguments = parse(parser, full=full, quick=quick)
    rows: list[dict[str, Any]] = []
    for form in arguments.forms:
        first = len(rows)
        for n in arguments.rows:
            with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
                rows.append({"form": form, "rows": n, **measure(form, n, arguments, folder=Path(folder))})
            grown = (rows[-1]["fit, anonymous MiB"] - rows[first]["fit, anonymous MiB"]) * 2**20
            rows[-1]["bytes a row"] = round(grown / max(1, n - rows[first]["rows"]), 1)
            if not arguments.json:
                if len(rows) == 1:
                    print_header(*rows[0])
                print_row(*rows[-1].values())
    if arguments.json:
        print(json.dumps(rows, indent=1))


def measure(form: str, n: int, arguments: Any, *, folder: Path) -> dict[str, Any]:
    given, data = FORMS[form](folder, n, labelled=arguments.labelled, seed=arguments.seed)
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    more = ["--method", arguments.method, "--seed", str(arguments.seed)]
    for option in arguments.options:
        more += ["--set", option]
    model, out = folder / "model", folder / ("scores" if data.is_dir() else "scores.parquet")
    fit_seconds, fit_peak = run("fit", *given, "--out", str(model), *more)
    print(f"{form}, {n:,} rows: fit in {fit_seconds:.0f} CPU s with {fit_peak:.0f} MiB", file=sys.stderr, flush=True)
    score_seconds, score_peak = run("score", str(model), str(data), "--out", str(out))
    score = pq.read_table(out, columns=["score"])["score"].to_numpy()
    y = np.concatenate([y for _, y, _ in make_rows(n, labelled=arguments.labelled, seed=arguments.seed)])
    return {
        "MB on disk": round(size / 1e6),
        "fit, CPU s": round(fit_seconds),
        "fit, anonymous MiB": round(fit_peak),
        "bytes a row": 0.0,
        "score, CPU s": round(score_seconds),
        "score, anonymous MiB": round(score_peak),
        "AUC": round(float(roc_auc_score(y[arguments.labelled :], score[-(n - arguments.labelled) :])), 4),
    }


def make_rows(n: int, *, labelled: int, seed: int) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Yield rows, true classes and labels: the labelled positives first, then the others in pieces."""
    for number, start in enumerate([0, *range(labelled, n, CHUNK)]):
        rng = np.random.default_rng([seed, number])
        known = start == 0
        count = labelled if known else min(CHUNK, n - start)
        y = np.ones(count, np.int8) if known else (rng.random(count) < SHARE).astype(np.int8)
        x = rng.standard_normal((count, COLUMNS), np.float32)
        x[:, :TELLING] += np.float32(SHIFT) * y[:, None]
        yield x, y, np.full(count, int(known), np.int8)


def write_file(folder: Path, n: int, **how: int) -> tuple[list[str], Path]:
    path = folder / "rows.parquet"
    with pq.ParquetWriter(path, make_schema()) as writer:
        for x, _, s in make_rows(n, **how):
            writer.write_table(make_table(x, s))
    return [str(path), "--label", "s"], path


def write_directory(folder: Path, n: int, **how: int) -> tuple[list[str], Path]:
    path = folder / "rows"
    path.mkdir()
    for number, (x, _, s) in enumerate(make_rows(n, **how)):
        pq.write_table(make_table(x, s), path / f"{number:05}.parquet")
    return [str(path), "--label", "s"], path


def write_arrays(folder: Path, n: int, *, labelled: int, seed: int) -> tuple[list[str], Path]:
    known, rest = folder / "known.npy", folder / "rest.npy"
    header: dict[str, Any] = {"descr": "<f4", "fortran_order": False, "shape": (n - labelled, COLUMNS)}
    with rest.open("wb") as file:
        np.lib.format.write_array_header_1_0(file, header)
        for x, _, s in make_rows(n, labelled=labelled, seed=seed):
            if s[0]:
                np.save(known, x)
            else:
                file.write(x.data)
    return ["--positives", str(known), "--unlabelled", str(rest)], rest


FORMS = {"directory": write_directory, "file": write_file, "npy": write_arrays}


def make_schema() -> pa.Schema:
    return pa.schema([*((f"x{column}", pa.float32()) for column in range(COLUMNS)), ("s", pa.int8())])


def make_table(x: np.ndarray, s: np.ndarray) -> pa.Table:
    return pa.table([*(pa.array(np.ascontiguousarray(column)) for column in x.T), pa.array(s)], schema=make_schema())


def run(*command: str) -> tuple[float, float]:
    """Run a command of angularpu; return its seconds of the processor, and its peak of memory in MiB."""
    start = count_seconds()
    with subprocess.Popen(
        [sys.executable, "-c", LAUNCHER, *command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as process:
        peaks: list[int] = []
        watcher = threading.Thread(target=watch, args=(process, peaks))
        watcher.start()
        _, said = process.communicate()
        watcher.join()
    if process.returncode:
        raise SystemExit(f"angularpu {' '.join(command)} failed: {said[-2000:]}")
    return count_seconds() - start, max(peaks, default=0) / 2**20


def count_seconds() -> float:
    """Return the seconds of the processor that all children took which have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def watch(process: "subprocess.Popen[str]", peaks: list[int]) -> None:
    """Ask, until the process ends, how much anonymous memory it and its children have, and keep the most."""
    while process.poll() is None:
        peaks[:] = [max(sum(map(read_anonymous, [process.pid, *list_children(process.pid)])), *peaks, 0)]
        time.sleep(0.02)


def read_anonymous(pid: int) -> int:
    """Return a process's anonymous memory in bytes; 0 when it has ended."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("RssAnon:"))


def list_children(pid: int) -> list[int]:
    found = []
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            own = [int(child) for child in path.read_text().split()]
        except OSError:
            continue
        found += own + [each for child in own for each in list_children(child)]
    return found


if __name__ == "__main__":
    main()
