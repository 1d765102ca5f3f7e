"""Readers beside a writer: a file and a model are replaced over and over, and whoever reads finds one of them whole."""

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from angularpu import files
from angularpu.data.sources import as_rows
from angularpu.model.directory import read_model, save
from angularpu.model.redecide import redecide
from torture.children import Child, start
from torture.findings import Findings
from torture.flows import MODEL, NEW, OLD
from torture.injector import refuse_exchange
from torture.kinds import draw

KIND = "network"
CONTENTS = (b"old" * 50_000, b"new" * 70_000)
LIMIT = 900.0


def replace_files(times: int) -> tuple[int, Findings]:
    """Replace a file ``times`` times beside two readers; return how often it was read, and what was found."""
    with tempfile.TemporaryDirectory() as outer:
        path = Path(outer) / "file"
        path.write_bytes(CONTENTS[0])

        def write() -> None:
            for number in range(times):
                with files.atomic_file(path) as temporary:
                    temporary.write_bytes(CONTENTS[(number + 1) % 2])

        def read() -> None:
            if path.read_bytes() not in CONTENTS:
                raise AssertionError("the file is not whole")

        return _run(Path(outer), write, [read, read])


def replace_models(shared: Path, times: int, *, exchanging: bool) -> tuple[int, Findings]:
    """Replace a model ``times`` times beside two readers and one who changes its threshold."""
    known = [read_model(shared / place / KIND) for place in (OLD, NEW)]
    rows = as_rows(draw()[0])
    scores = {each.score(rows).tobytes() for each in known}
    with tempfile.TemporaryDirectory() as outer:
        model = Path(outer) / MODEL
        save(known[0], model)

        def write() -> None:
            if not exchanging:
                refuse_exchange()
            for number in range(times):
                save(known[(number + 1) % 2], model, overwrite=True)

        def read() -> None:
            if read_model(model).score(rows).tobytes() not in scores:
                raise AssertionError("the model is neither of the two")

        def cut() -> None:
            redecide(model, "recall=0.9")
            time.sleep(0.05)

        return _run(Path(outer), write, [read, read, cut])


def _run(folder: Path, write: Callable[[], None], others: list[Callable[[], None]]) -> tuple[int, Findings]:
    """Let the others repeat what they do until the writer has ended; count their turns."""
    ended, findings = folder / "ended", Findings()

    def repeat(task: Callable[[], None], number: int) -> None:
        turns = 0
        while not ended.exists() or turns == 0:
            task()
            turns += 1
        (folder / f"turns{number}").write_text(str(turns))

    children: list[Child] = [start(lambda t=task, n=n: repeat(t, n), limit=LIMIT) for n, task in enumerate(others)]
    writer = start(write, limit=LIMIT).wait()
    ended.touch()
    for outcome in (writer, *(child.wait() for child in children)):
        if outcome.code:
            findings.add(f"exit code {outcome.code}: {outcome.said[-400:]}")
    turns = [int(path.read_text()) for path in folder.glob("turns*")]
    left = [path.name for path in folder.iterdir() if path.name.startswith(".")]
    if left:
        findings.add(f"left behind: {left}")
    return sum(turns), findings
