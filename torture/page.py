"""The table that the harness prints, the summary that is committed, and the page that is made of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from angularpu import files
from torture import PARTS
from torture.findings import PROMISES, Findings

SUMMARY = Path(__file__).with_name("summary.json")
PAGE = Path(__file__).parents[1] / "docs" / "torture.md"
COLUMNS = ("what", "tried", *PROMISES, "other faults", "remark")

HEAD = """# Torture

Written by `make torture`: what tries to break the program, how often, and what came of it. `make test` runs a share of it. The harness is
in `torture/`; a new kind of model goes through all of it once it is listed in `torture/kinds.py`.

- **Steps that go wrong**: a real process fits, resumes, saves, cuts, scores or draws, and one of its steps on files (open, write, fsync,
  rename, unlink, mkdir, truncate) goes wrong: the process is killed there, half-way through a write, or the system says that there is no
  space left or that the disk fails. Afterwards each final name holds the old thing or the new thing, whole; a failure is told in one
  sentence; the same command, run again, ends with the bytes it would have had, and leaves nothing else. Of a kind whose steps are the
  same as another's every fifth goes wrong.
- **Two writers**: a fit is stopped before a step, a second process works on the same model, and the first goes on.
- **Readers beside a writer**: whoever reads finds the old or the new, whole, with and without a system that exchanges two names.
- **Full disk**: ever larger file systems, until there is room.
- **Inputs**: valid files, models and unfinished runs, changed by a seeded mutator: bits, bytes, lengths, pieces of other files, fields
  of the JSON, tensors and their table of contents, mostly with checksums that fit again. Each is refused in one sentence or read; an audit
  hook and a trap tell whether anything was run or written elsewhere. What once failed is kept in `torture/corpus/` and tried first.

"""
LIMITS = """
## What it does not catch

Steps are caught where a program calls the C library: Python, safetensors, Arrow and torch do. Not caught are writes of stdio's own buffers
(`fwrite`), which NumPy's `tofile` would use and nothing here does, writes through mapped memory, and system calls made without the C
library. Reads do not fail. A kill ends the process, not the machine: what a disk forgets when the power fails is up to `fsync`, which is
called but not tested. Processes on other machines, over a network's file system, are not tested.
"""


Row = dict[str, Any]  # what was tried, how often, what was found


@dataclass
class Report:
    """What one part tried, and what came of it, printed as it comes."""

    rows: list[Row] = field(default_factory=list)
    load: Row | None = None

    def add(self, name: str, n: int, findings: Findings, remark: str = "") -> None:
        """Add a row: what was tried, how often, what was found, and whatever else there is to say."""
        counts = {promise: findings.count(promise) for promise in PROMISES}
        known = sum(any(w in s for words in PROMISES.values() for w in words) for s in findings.sentences)
        self.rows.append({"what": name, "tried": n, **counts, "other faults": len(findings) - known, "remark": remark})
        print(_write_row(self.rows[-1]), flush=True)
        for sentence in findings.sentences[:20]:
            print(f"  {sentence}", flush=True)

    @property
    def failures(self) -> int:
        """How much was not as promised."""
        return sum(int(row[column]) for row in self.rows for column in (*PROMISES, "other faults"))


def keep(parts: Mapping[str, Report], *, kinds: Sequence[str]) -> None:
    """Put what some parts found into the committed summary, beside the others, and write the page anew."""
    with files.lock(SUMMARY.with_suffix(".lock")):
        summary = files.read_json(SUMMARY) if SUMMARY.exists() else {"parts": {}, "load": None}
        summary["kinds"] = list(kinds)
        for name, report in parts.items():
            summary["parts"][name] = report.rows
            summary["load"] = report.load or summary["load"]
        files.write_json(SUMMARY, summary)
        with files.atomic_file(PAGE) as temporary:
            temporary.write_text(write_page(summary), encoding="utf-8")


def write_page(summary: Row) -> str:
    """Return the page that a summary makes."""
    rows = [_write_row(row) for part in PARTS for row in summary["parts"].get(part, [])]
    kinds = [f"- {kind}" for kind in summary["kinds"]]
    table = "\n".join([write_head(), *rows])
    return f"{HEAD}{table}\n{_write_load(summary['load'])}\n## Kinds of model\n\n{chr(10).join(kinds)}\n{LIMITS}"


def write_head() -> str:
    """Return the head of the table."""
    return f"| {' | '.join(COLUMNS)} |\n|{'---|' * len(COLUMNS)}"


def _write_row(row: Row) -> str:
    return "| " + " | ".join(f"{row[column]:,}" if column == "tried" else str(row[column]) for column in COLUMNS) + " |"


def _write_load(load: Row | None) -> str:
    if load is None:
        return ""
    first, last = ("{:.2f} ({:.2f})".format(*load[which]) for which in ("first", "last"))
    return f"""
## Load

`angularpu score` on an `.npy` file of {load["rows"]:,} rows x 32 float32, to Parquet, on one core: at most {load["peak"]:.0f} MiB of memory,
what was imported included. Seconds of the processor (of the clock) for the first million rows: {first}; for the last: {last}. Eight
scorers side by side on one model gave the same bytes. A scorer that was killed left a hidden file, which the next run swept.
"""
