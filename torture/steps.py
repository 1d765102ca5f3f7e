"""The steps that a task takes on files, without a fault."""

import tempfile
from collections.abc import Callable
from pathlib import Path

from torture.children import run
from torture.injector import Fault, arm


def list_steps(task: Callable[[], int], folder: Path) -> list[str]:
    """Run a task in a process of its own and return what it does to files below a folder, one text for each step."""
    with tempfile.TemporaryFile("w+") as log:

        def count() -> int:
            arm(folder, 0, Fault.none, log=log.fileno())
            return task()

        ended = run(count)
        if ended.code:
            raise SystemExit(f"it fails without a fault: {ended.said}")
        log.seek(0)
        return log.read().splitlines()
