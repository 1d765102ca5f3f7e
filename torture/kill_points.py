"""Every step on a file goes wrong once in each way: killed there, no space left, the disk fails."""

import contextlib
import signal
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from torture.children import run
from torture.findings import Findings
from torture.flows import Flow
from torture.injector import STRUCK, Fault, arm
from torture.kinds import KINDS
from torture.pool import spread
from torture.steps import list_steps
from torture.trees import Tree, name_state, part, read_tree

DONE_ALREADY = "exists already"


@dataclass(frozen=True)
class Measured:
    """A flow without faults: how many steps it takes, and what lies there before and after."""

    flow: Flow
    steps: list[str]
    old: Tree
    new: Tree


_measured: list[Measured] = []  # known to the forked workers
_tidied: dict[tuple[int, str], str | None] = {}  # what running a flow again made of a state, by flow and state


def strike_everywhere(flows: list[Flow], *, every: int = 1) -> tuple[list[dict[str, object]], Findings]:
    """Let every ``every``-th step of every flow go wrong; return a row of the table per flow, and what was found."""
    _measured[:] = [Measured(flow, *found) for flow, found in zip(flows, spread(_measure, flows), strict=True)]
    jobs = [
        (number, step, fault)
        for number, each in enumerate(_measured)
        for step in _choose(each, number, every)
        for fault in STRUCK
    ]
    rows, findings = [], Findings()
    counts = [Counter[str]() for _ in _measured]
    for (number, step, fault), (state, faults) in zip(jobs, spread(_strike, jobs), strict=True):
        counts[number][STRUCK[fault]] += 1
        counts[number][state] += 1
        flow = _measured[number].flow
        for each in faults:
            findings.add(
                f"{flow.kind or '-'}, {flow.name}, {STRUCK[fault]} at {_measured[number].steps[step - 1]}: {each}"
            )
    for each, count in zip(_measured, counts, strict=True):
        rows.append({"flow": each.flow.name, "kind": each.flow.kind, "steps": len(each.steps), **count})
    return rows, findings


def _choose(measured: Measured, number: int, every: int) -> range:
    """Choose the steps that go wrong; flows of one kind begin at different ones."""
    kind = KINDS.get(measured.flow.kind)
    stride = every * (kind.stride if kind else 1)
    return range(1 + number % stride, len(measured.steps) + 1, stride)


@contextlib.contextmanager
def _stage(flow: Flow) -> Iterator[Path]:
    """Hand out a folder in which a flow is about to run."""
    with tempfile.TemporaryDirectory(dir=tempfile.gettempdir()) as outer:
        folder = Path(outer) / "here"
        folder.mkdir()
        flow.prepare(folder)
        yield folder


def _measure(flow: Flow) -> tuple[list[str], Tree, Tree]:
    with _stage(flow) as folder:
        old = read_tree(folder)
        steps = list_steps(partial(flow.run, folder), folder)
        return steps, old, read_tree(folder)


def _strike(job: tuple[int, int, Fault]) -> tuple[str, list[str]]:
    """Let one step go wrong; return which state was found, and everything that is not as promised."""
    number, step, fault = job
    measured = _measured[number]
    flow = measured.flow
    with _stage(flow) as folder:

        def fail() -> int:
            arm(folder, step, fault)
            return flow.run(folder)

        ended = run(fail)
        if fault is Fault.kill:
            faults = [] if ended.code == -signal.SIGKILL else [f"it was not killed but ended with {ended.code}"]
        else:
            wrong = ended.find_fault()
            faults = [wrong] if wrong else []
        tree = read_tree(folder)
        states = {_compare(measured, tree, name) for name in flow.finals}
        if "lost" in states:
            faults.append(f"the old is gone and the new is not whole: {sorted(tree)}")
        if ended.code == 0 and states != {"new"}:
            faults.append(f"all is said to be well, but there is {states}")
        key = number, name_state(tree)
        if key not in _tidied:
            _tidied[key] = _run_again(measured, folder)
        if _tidied[key]:
            faults.append(str(_tidied[key]))
    return next(iter(states)) if len(states) == 1 else "old", faults


def _compare(measured: Measured, tree: Tree, name: str) -> str:
    found, old = part(tree, name), part(measured.old, name)
    if found == part(measured.new, name):
        return "new"
    # Where names cannot be exchanged the old one is found beside its place for a moment.
    aside = {path.replace(f".{name}.old~", name, 1): content for path, content in part(tree, f".{name}.old~").items()}
    return "old" if old in (found, {name: "directory", **aside, **found}) else "lost"


def _run_again(measured: Measured, folder: Path) -> str | None:
    """Run the flow once more, undisturbed; say what is not as it would have been without the fault."""
    ended = run(lambda: measured.flow.run(folder))
    tree = read_tree(folder)
    said = measured.flow.refuses_again and DONE_ALREADY in ended.said
    if ended.code and not said:
        return f"run again, it ends with {ended.code}: {ended.said[-300:]}"
    if tree != measured.new:
        differ = sorted({name for name in {*tree, *measured.new} if tree.get(name) != measured.new.get(name)})
        return f"run again, it leaves other bytes: {differ}"
    return None
