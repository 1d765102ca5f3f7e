"""Thousands of inputs, many to a process that is measured: time, memory, what is run, and how it is said."""

import contextlib
import hashlib
import io
import mmap
import os
import random
import shutil
import signal
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from angularpu_bench.run.memory import peak_megabytes, reset_peak
from torture.children import MISTAKE, run
from torture.findings import Findings
from torture.fuzz.targets import Files, Target
from torture.pool import spread

CORPUS = Path(__file__).parents[1] / "corpus"
TOGETHER = 50  # inputs of one process
SECONDS = 20.0  # for one input
MEBIBYTES = 1024
RUNS = (
    "os.system",
    "os.exec",
    "os.posix_spawn",
    "os.spawn",
    "os.fork",
    "subprocess.Popen",
    "pickle.find_class",
    "socket.connect",
)


@dataclass
class Outcome:
    """How inputs were taken."""

    counts: Counter[str] = field(default_factory=Counter)
    findings: Findings = field(default_factory=Findings)
    peak: float = 0.0

    def take(self, target: str, other: "Outcome") -> None:
        """Add what another process saw."""
        self.counts[target] += other.counts.total()
        for name, count in other.counts.items():
            self.counts[name] += count
        self.findings += other.findings
        self.peak = max(self.peak, other.peak)


def fuzz(targets: list[Target], inputs: int, *, seed: int, canary: Path, keep: Path | None = None) -> Outcome:
    """Give every reader its share of ``inputs`` inputs, after those of the corpus; keep in ``keep`` what fails."""
    jobs: list[tuple[Target, list[Files]]] = []
    total = sum(target.share for target in targets)
    for target in targets:
        kept = list_corpus(target)
        jobs += [(target, kept)] if kept else []
        n = -(-target.share * inputs // total)
        jobs += [
            (
                target,
                [
                    target.make(random.Random(f"{seed} {target.name} {at}"))
                    for at in range(start, min(start + TOGETHER, n))
                ],
            )
            for start in range(0, n, TOGETHER)
        ]
    outcome = Outcome()
    for (target, _), found in zip(
        jobs, spread(lambda job: _try_all(*job, canary=canary, keep=keep), jobs), strict=True
    ):
        outcome.take(target.name, found)
    return outcome


def list_corpus(target: Target) -> list[Files]:
    """Return the inputs that once failed."""
    folders = sorted((CORPUS / _slug(target.name)).glob("*/"))
    return [
        {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
        for folder in folders
    ]


def _slug(name: str) -> str:
    return "".join(letter if letter.isalnum() else "-" for letter in name).strip("-")


def _try_all(target: Target, inputs: list[Files], *, canary: Path, keep: Path | None) -> Outcome:
    """Try inputs in one process, and those behind one that ends it in another."""
    outcome, at = Outcome(), mmap.mmap(-1, 8)
    first = 0
    with tempfile.TemporaryDirectory() as outer:
        log = Path(outer) / "log"
        while first < len(inputs):
            log.write_text("")
            ended = run(partial(_serve, target, inputs, first, at, Path(outer)), limit=SECONDS)
            reached = int.from_bytes(at[:8], "little")
            for line in log.read_text().splitlines():
                number, what, peak, sentence = line.split("\t", 3)
                outcome.counts[what] += 1
                outcome.peak = max(outcome.peak, float(peak))
                if sentence:
                    _report(outcome, target, inputs[int(number)], sentence, keep)
            first = reached + 1
            if ended.code:
                outcome.counts["hung" if ended.hung else "crashed"] += 1
                how = "it hung" if ended.hung else f"the process ended with {ended.code}: {ended.said[-200:]}"
                _report(outcome, target, inputs[reached], how, keep)
    if canary.exists():
        outcome.counts["executed"] += 1
        outcome.findings.add(f"{target.name}: something was run")
        shutil.rmtree(canary, ignore_errors=True)
    return outcome


def _report(outcome: Outcome, target: Target, files: Files, sentence: str, keep: Path | None) -> None:
    name = hashlib.sha256(repr(sorted(files.items())).encode()).hexdigest()[:12]
    outcome.findings.add(f"{target.name} {name}: {sentence}")
    if keep is not None:
        _write(files, keep / _slug(target.name) / name)


def _write(files: Files, folder: Path) -> None:
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)


def _serve(target: Target, inputs: list[Files], first: int, at: mmap.mmap, outer: Path) -> None:
    forbidden = _watch(outer)
    for number in range(first, len(inputs)):
        at[:8] = number.to_bytes(8, "little")
        signal.setitimer(signal.ITIMER_REAL, SECONDS)
        folder = outer / "input"
        _write(inputs[number], folder)
        reset_peak()
        what, sentence = _try_one(target, folder)
        if forbidden:
            what, sentence = "executed", f"it did {forbidden[0]}"
            forbidden.clear()
        peak = peak_megabytes()
        if peak > MEBIBYTES:
            what, sentence = "swollen", f"it took {peak:.0f} MiB"
        with (outer / "log").open("a") as file:
            file.write(f"{number}\t{what}\t{peak:.0f}\t{' '.join(sentence.split())[:500]}\n")
        shutil.rmtree(folder)


def _try_one(target: Target, folder: Path) -> tuple[str, str]:
    """Read one input; return how it was taken, and what is wrong with that."""
    said = io.StringIO()
    try:
        with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.StringIO()):
            code = target.read(folder)
    except BaseException:
        return "traceback", traceback.format_exc()[-500:]
    if code == 0:
        return "accepted", ""
    errors = [line for line in said.getvalue().splitlines() if line.startswith("Error: ")]
    if code != MISTAKE or not errors or not all(line.isprintable() for line in said.getvalue().splitlines()):
        return "unclear", f"exit code {code}: {said.getvalue()[-300:]!r}"
    return "refused", ""


def _watch(outer: Path) -> list[str]:
    """Take note of whatever runs something, or writes outside of a folder, from now on."""
    seen: list[str] = []

    def look(event: str, arguments: tuple[Any, ...]) -> None:
        if event.startswith(RUNS):
            seen.append(f"{event} {str(arguments)[:100]}")
        elif event == "open" and isinstance(arguments[0], str | bytes) and arguments[2] & (os.O_WRONLY | os.O_RDWR):
            path = Path(os.fsdecode(arguments[0])).absolute()
            if not str(path).startswith((str(outer), "/proc/self", "/dev/null")):
                seen.append(f"write {path}")

    sys.addaudithook(look)
    return seen


def list_counts(outcome: Outcome) -> Iterator[tuple[str, int]]:
    """Walk through the ways in which inputs were taken."""
    for name in ("accepted", "refused", "traceback", "unclear", "crashed", "hung", "executed", "swollen"):
        yield name, outcome.counts[name]
