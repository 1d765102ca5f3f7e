"""The table that the harness prints, and the page that keeps it."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from torture.findings import PROMISES, Findings
from torture.load import Loaded

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


@dataclass
class Report:
    """Everything that was tried, and what came of it."""

    kinds: Sequence[str]
    rows: list[tuple[str, int, Findings, str]] = field(default_factory=list)
    load: Loaded | None = None

    def add(self, name: str, n: int, findings: Findings, remark: str = "") -> None:
        """Add a row: what was tried, how often, what was found, and whatever else there is to say."""
        self.rows.append((name, n, findings, remark))
        print(_write_row(*self.rows[-1]), flush=True)
        for sentence in findings.sentences[:20]:
            print(f"  {sentence}", flush=True)

    @property
    def failures(self) -> int:
        """How much was not as promised."""
        return sum(len(findings) for _, _, findings, _ in self.rows)

    def write(self) -> str:
        """Return the page."""
        rows = "\n".join(_write_row(*row) for row in self.rows)
        kinds = "\n".join(f"- {kind}" for kind in self.kinds)
        return f"{HEAD}{write_head()}\n{rows}\n{_write_load(self.load)}\n## Kinds of model\n\n{kinds}\n{LIMITS}"


def write_head() -> str:
    """Return the head of the table."""
    columns = ("what", "tried", *PROMISES, "other faults", "remark")
    return f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}"


def _write_row(name: str, n: int, findings: Findings, remark: str) -> str:
    promises = [findings.count(promise) for promise in PROMISES]
    other = len(findings) - sum(any(w in s for words in PROMISES.values() for w in words) for s in findings.sentences)
    return f"| {name} | {n:,} | {' | '.join(map(str, promises))} | {other} | {remark} |"


def _write_load(load: Loaded | None) -> str:
    if load is None:
        return ""
    first, last = (f"{processor:.2f} ({clock:.2f})" for processor, clock in (load.first, load.last))
    return f"""
## Load

`angularpu score` on an `.npy` file of {load.rows:,} rows x 32 float32, to Parquet, on one core: at most {load.peak:.0f} MiB of memory, what
was imported included. Seconds of the processor (of the clock) for the first million rows: {first}; for the last: {last}. Eight scorers
side by side on one model gave the same bytes. A scorer that was killed left a hidden file, which the next run swept.
"""
