"""Two processes at once: a fit is stopped before each of its steps, and another process works on the same directory."""

import os
import shutil
import signal
import tempfile
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from angularpu.cli.main import main
from angularpu.model.directory import read_model, save
from torture.children import run, start, told
from torture.findings import Findings
from torture.flows import MODEL, NEW, OLD, copy_model
from torture.injector import Fault, arm
from torture.kinds import Kind
from torture.pool import spread
from torture.steps import list_steps
from torture.trees import part, read_tree

FITS = ("the same fit", "another fit")
OTHERS = ("save", "threshold")


def meet_everywhere(shared: Path, kinds: Sequence[Kind], *, every: int = 1) -> tuple[Counter[str], Findings]:
    """Let a second process meet a fit at every ``every``-th step of it; return how it went."""
    jobs = []
    for kind in kinds:
        steps = _count_steps(kind, shared)
        stride = every * kind.stride
        jobs += [(kind, step, second) for step in range(1, steps + 1, stride) for second in FITS]
        jobs += [(kind, step, OTHERS[step % 2]) for step in range(1, steps + 1, 2 * stride)]
    counts, findings = Counter[str](), Findings()
    for (kind, step, second), (outcome, faults) in zip(jobs, spread(partial(_meet, shared), jobs), strict=True):
        counts[outcome] += 1
        for fault in faults:
            findings.add(f"{kind.name}, {second} at step {step}: {fault}")
    return counts, findings


def _count_steps(kind: Kind, shared: Path) -> int:
    with tempfile.TemporaryDirectory() as outer:
        folder = Path(outer) / "here"
        folder.mkdir()
        copy_model(shared / OLD / kind.name, folder)
        return len(list_steps(partial(kind.fit, shared, folder / MODEL, seed=1, force=True), folder))


def _meet(shared: Path, job: tuple[Kind, int, str]) -> tuple[str, list[str]]:
    """Stop a fit before a step, start the second, let the first go on, and look at what both leave."""
    kind, step, second = job
    with tempfile.TemporaryDirectory() as outer:
        folder = Path(outer) / "here"
        folder.mkdir()
        model = folder / MODEL
        copy_model(shared / OLD / kind.name, folder)

        def first() -> int:
            arm(folder, step, Fault.stop)
            return kind.fit(shared, model, seed=1, force=True)

        def follow() -> int:
            match second:
                case "the same fit":
                    return kind.fit(shared, model, seed=1, force=True)
                case "another fit":
                    return kind.fit(shared, model, seed=0, force=True)
                case "save":
                    return told(lambda: save(read_model(shared / OLD / kind.name), model, overwrite=True))
            return main(["threshold", str(model), "--rule", "recall=0.9"])

        one = start(first)
        one.wait_for_stop()
        two = start(follow)
        two.wait_for_lock()
        os.kill(one.pid, signal.SIGCONT)
        ended = [one.wait(), two.wait()]
        faults = [fault for each in ended if (fault := each.find_fault())]
        faults += _look(kind, shared, folder, known=second != "threshold")
        codes = [each.code for each in ended]
        if 0 not in codes:
            faults.append(f"neither ended well: {[each.said[-200:] for each in ended]}")
        shutil.rmtree(folder)
    return "both one after the other" if codes == [0, 0] else "one refused", faults


def _look(kind: Kind, shared: Path, folder: Path, *, known: bool) -> list[str]:
    """Say what is wrong with the model that is left, and what is left besides."""
    tree, faults = read_tree(folder), []
    whole = [_rename(shared / place, kind.name) for place in (OLD, NEW)]
    if known and part(tree, MODEL) not in whole:
        faults.append("the model is neither of the two")
    readable = run(lambda: told(lambda: read_model(folder / MODEL)))
    if readable.code:
        faults.append(f"the model cannot be read: {readable.said[-300:]}")
    left = [name for name in tree if name.split("/")[0] != MODEL or name.endswith("~")]
    return [*faults, f"left behind: {left}"] if left else faults


def _rename(place: Path, name: str) -> dict[str, str]:
    """Return the tree of a model as if it were called MODEL."""
    return {MODEL: "directory", **{f"{MODEL}/{path}": content for path, content in read_tree(place / name).items()}}
