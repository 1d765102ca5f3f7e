"""Much data: a file of many gigabytes scored in pieces, eight scorers at once, and one that is killed."""

import contextlib
import hashlib
import json
import os
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from angularpu import progress
from angularpu.cli.main import main
from angularpu.methods.configure import configure
from angularpu.model.resumable import fit_into
from angularpu.progress import ReportProgress
from angularpu.scenario.sample import make_sample
from angularpu_bench.run.memory import peak_megabytes, reset_peak
from torture.children import run, start
from torture.findings import Findings

COLUMNS, MILLION, SCORERS = 32, 1_000_000, 8
LIMIT = 3600.0
SLOWER = 1.3  # the last million rows may take this many times the processor time of the first


@dataclass(frozen=True)
class Loaded:
    """What scoring much data took: memory in MiB, and seconds of the processor and of the clock."""

    rows: int
    peak: float
    first: tuple[float, float]
    last: tuple[float, float]


def score_much(folder: Path, *, rows: int, side: int) -> tuple[Loaded, Findings]:
    """Score ``rows`` rows as one file, then ``side`` rows by eight processes at once, then by one that is killed."""
    findings = Findings()
    _fit(folder / "m")
    _write(folder / "rows.npy", rows)
    moments, out = folder / "moments.json", folder / "out"
    out.mkdir()
    ended = run(lambda: _score_timed(folder, "rows.npy", out / "scores.parquet", moments), limit=LIMIT)
    if ended.code:
        raise SystemExit(f"scoring failed: {ended.said[-500:]}")
    found = json.loads(moments.read_text())
    first, last = (_take_time(found["moments"], n) for n in (MILLION, rows))
    (folder / "rows.npy").unlink()
    if last[0] > SLOWER * first[0]:
        findings.add(f"the last million rows took {last[0]:.2f} s, the first {first[0]:.2f} s")
    if found["peak"] > 1024:
        findings.add(f"it took {found['peak']:.0f} MiB")
    _write(folder / "side.npy", side)
    _score_beside(folder, findings)
    _kill(folder, findings)
    return Loaded(rows, found["peak"], first, last), findings


def _fit(model: Path) -> None:
    rng = np.random.default_rng(0)
    y = np.arange(2000) % 2
    method = configure(prior=0.6, options={"encoder": "linear", "epochs": 1, "validation": "hold-out"})
    sample = make_sample(
        rng.normal(size=(2000, COLUMNS)) + y[:, None], y * (rng.random(2000) < 0.4), scenario="one-sample"
    )
    fit_into(method, sample, directory=model, seed=0)


def _write(path: Path, rows: int) -> None:
    """Write random rows, a million at a time."""
    rng = np.random.default_rng(1)
    with path.open("wb") as file:
        np.lib.format.write_array_header_1_0(file, {"descr": "<f4", "fortran_order": False, "shape": (rows, COLUMNS)})
        for start_ in range(0, rows, MILLION):
            file.write(rng.standard_normal((min(MILLION, rows - start_), COLUMNS), np.float32).tobytes())


def _score(folder: Path, data: str, out: Path) -> int:
    return main(["score", str(folder / "m"), str(folder / data), "--force", "--out", str(out)])


def _score_timed(folder: Path, data: str, out: Path, moments: Path) -> int:
    """Score with a progress report that notes rows, processor time and clock instead of drawing a bar."""
    noted = [(0, time.process_time(), time.monotonic())]

    @contextlib.contextmanager
    def note(*, shown: bool) -> Iterator[ReportProgress]:
        noted[0] = (0, time.process_time(), time.monotonic())
        yield lambda done, total, text: noted.append((done, time.process_time(), time.monotonic()))

    progress.show_progress = note
    reset_peak()
    code = _score(folder, data, out)
    moments.write_text(json.dumps({"moments": noted, "peak": peak_megabytes()}))
    return code


def _take_time(moments: list[list[float]], end: int) -> tuple[float, float]:
    """Return the seconds of processor and clock for the million rows before ``end``."""
    begin = max((each for each in moments if each[0] <= end - MILLION), key=lambda each: each[0])
    stop = min((each for each in moments if each[0] >= end), key=lambda each: each[0])
    share = MILLION / (stop[0] - begin[0])
    return (stop[1] - begin[1]) * share, (stop[2] - begin[2]) * share


def _score_beside(folder: Path, findings: Findings) -> None:
    outs = [folder / f"side{number}.parquet" for number in range(SCORERS)]
    children = [start(lambda out=out: _score(folder, "side.npy", out), limit=LIMIT) for out in outs]
    for child in children:
        fault = child.wait().find_fault()
        if fault:
            findings.add(f"a scorer beside others: {fault}")
    if len({hashlib.sha256(out.read_bytes()).hexdigest() for out in outs}) != 1:
        findings.add("scorers side by side gave other bytes")


def _kill(folder: Path, findings: Findings) -> None:
    """Kill a scorer that has begun to write; all it leaves is a hidden file, which the next run sweeps."""
    place = folder / "killed"
    place.mkdir()
    out, hidden = place / "scores.parquet", place / ".scores.parquet~"
    child = start(lambda: _score(folder, "side.npy", out), limit=LIMIT)
    while not (hidden.exists() and hidden.stat().st_size > 1000):
        time.sleep(0.001)
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    left = [path.name for path in place.iterdir()]
    if left != [hidden.name]:
        findings.add(f"a killed scorer left {left}, so something is gone or half there")
    run(lambda: _score(folder, "side.npy", out), limit=LIMIT)
    if [path.name for path in place.iterdir()] != [out.name]:
        findings.add(f"after a killed scorer {sorted(path.name for path in place.iterdir())} is left")
