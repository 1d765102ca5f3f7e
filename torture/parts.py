"""The parts of the harness, one after another, each a row or a few of the table."""

import contextlib
import dataclasses
import io
import shutil
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from torture.findings import Findings
from torture.flows import Flow, list_flows, make_models
from torture.full_disk import fill_disks
from torture.fuzz.run import CORPUS, fuzz, list_counts
from torture.fuzz.targets import list_targets
from torture.injector import STRUCK
from torture.kill_points import strike_everywhere
from torture.kinds import KINDS, Kind, write_data
from torture.load import score_much
from torture.page import Report
from torture.readers import replace_files, replace_models
from torture.writers import meet_everywhere

SEED = 0


@dataclass(frozen=True)
class Extent:
    """How much is tried.

    Attributes
    ----------
    every : int
        Every how many steps one goes wrong.
    meet : int
        Every how many steps a second writer comes.
    replacements, inputs, rows, side : int
        Replacements beside readers; damaged inputs; rows that are scored by one process, and by eight.
    disk : float
        By how much each full disk is larger than the one before.
    flows : tuple of str
        The kinds whose flows meet a full disk; all of them if empty.
    alike : bool
        Whether kinds take part whose steps on files are those of another.
    """

    every: int
    meet: int
    replacements: int
    inputs: int
    disk: float
    flows: tuple[str, ...] = ()
    alike: bool = True
    rows: int = 50_000_000
    side: int = 1_000_000


FULL = Extent(every=1, meet=1, replacements=1000, inputs=20_000, disk=1.6)
QUICK = Extent(every=60, meet=60, replacements=60, inputs=600, disk=6.0, flows=("network", ""), alike=False)


def prepare(shared: Path, kinds: Sequence[Kind]) -> None:
    """Make data and models; fit every kind in this process first, which loads what is only loaded when it is used."""
    shared.mkdir()
    write_data(shared)
    for kind in kinds:
        with contextlib.redirect_stderr(io.StringIO()):
            kind.fit(shared, shared / "warm" / kind.name)
    make_models(shared, kinds)


def strike(report: Report, flows: list[Flow], *, every: int) -> None:
    """Let steps go wrong, one row for each way."""
    rows, findings = strike_everywhere(flows, every=every)
    states = {state: sum(int(row.get(state, 0)) for row in rows) for state in ("old", "new")}
    for fault in STRUCK.values():
        mine = Findings([each for each in findings.sentences if f", {fault} at " in each])
        steps = sum(int(row.get(fault, 0)) for row in rows)
        said = "" if every == 1 else f"every {every}th step; "
        remark = f"{said}{len(rows)} flows; left in all ways: {states['old']:,} old, {states['new']:,} new"
        report.add(f"steps that go wrong: {fault}", steps, mine, remark)


def meet(report: Report, shared: Path, *, kinds: Sequence[Kind], every: int) -> None:
    """Let a second writer come at the steps of a fit."""
    counts, findings = meet_everywhere(shared, kinds, every=every)
    said = "" if every == 1 else f"every {every}th step; "
    remark = said + ", ".join(f"{n:,} {how}" for how, n in sorted(counts.items()))
    report.add("a second writer", counts.total(), findings, remark)


def replace(report: Report, shared: Path, *, times: int) -> None:
    """Replace files and models beside readers."""
    turns, findings = replace_files(times)
    report.add("a file replaced beside readers", times, findings, f"read {turns:,} times")
    for exchanging, how in ((True, "by exchange"), (False, "by renaming")):
        turns, findings = replace_models(shared, times, exchanging=exchanging)
        report.add(f"a model replaced beside readers, {how}", times, findings, f"read or decided again {turns:,} times")


def fill(report: Report, flows: list[Flow], extent: Extent) -> None:
    """Run flows on full disks."""
    chosen = [flow for flow in flows if not extent.flows or flow.kind in extent.flows]
    full, what, findings = fill_disks(chosen, factor=extent.disk)
    report.add("a full disk", full, findings, f"{len(chosen)} flows on {what}")


def harm(report: Report, shared: Path, *, kinds: Sequence[Kind], inputs: int, keep: Path | None) -> None:
    """Give damaged and forged input to every reader: a row for each group of readers, then all together."""
    canary = shared.parent / "canary"
    targets = list_targets(shared, canary, kinds=kinds)
    outcome = fuzz(targets, inputs, seed=SEED, canary=canary, keep=keep)
    for group, n in Counter({target.name.split(":")[0]: 0 for target in targets}).items():
        names = [target.name for target in targets if target.name.split(":")[0] == group]
        mine = Findings([s for s in outcome.findings.sentences if s.startswith(tuple(f"{name} " for name in names))])
        report.add(f"inputs: {group}", n + sum(outcome.counts[name] for name in names), mine)
    total = sum(n for _, n in list_counts(outcome))
    taken = ", ".join(f"{n:,} {how}" for how, n in list_counts(outcome) if how in {"accepted", "refused"})
    kept = len(list(CORPUS.glob("*/*")))
    remark = f"{taken}; {kept} of the corpus; at most {outcome.peak:.0f} MiB"
    report.add("inputs, all", total, Findings([]), remark)


def load(report: Report, folder: Path, extent: Extent) -> None:
    """Score much data."""
    folder.mkdir()
    try:
        loaded, findings = score_much(folder, rows=extent.rows, side=extent.side)
    finally:
        shutil.rmtree(folder)
    report.load = dataclasses.asdict(loaded)
    report.add("rows scored", loaded.rows, findings, f"at most {loaded.peak:.0f} MiB")


def run_parts(names: Sequence[str], scratch: Path, extent: Extent, *, keep: Path | None) -> dict[str, Report]:
    """Run the parts with these names and return what each reports; failing inputs are put into ``keep``."""
    shared = scratch / "shared"
    kinds = [kind for kind in KINDS.values() if extent.alike or not kind.like]
    prepare(shared, kinds)
    flows = list_flows(shared, kinds)
    parts: dict[str, Callable[[Report], None]] = {
        "steps": lambda report: strike(report, flows, every=extent.every),
        "writers": lambda report: meet(report, shared, kinds=kinds, every=extent.meet),
        "readers": lambda report: replace(report, shared, times=extent.replacements),
        "disk": lambda report: fill(report, flows, extent),
        "inputs": lambda report: harm(report, shared, kinds=kinds, inputs=extent.inputs, keep=keep),
        "load": lambda report: load(report, Path(f"/tmp/{scratch.name}-load"), extent),
    }
    reports = {name: Report() for name in names}
    for name, report in reports.items():
        parts[name](report)
    return reports
