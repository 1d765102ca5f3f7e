"""Runs a script in a process of its own that has imported the heavy libraries already: each takes seconds to import."""

import io
import os
import runpy
import sys
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

HEAVY = ["torch", "sklearn.ensemble", "pyarrow.parquet", "angularpu.estimators.any", "angularpu.train.loop"]
SERVER = get_context("forkserver")
SERVER.set_forkserver_preload(HEAVY)


class Done(NamedTuple):
    """How a script ended and what it printed."""

    returncode: int
    stdout: str
    stderr: str


def run(script: Path, *options: str, cwd: Path) -> Done:
    """Run a script from a directory, with one thread, and return how it ended."""
    printed = cwd.parent / f"{cwd.name}-stdout", cwd.parent / f"{cwd.name}-stderr"
    process = SERVER.Process(target=_run, args=(script, options, cwd, printed))
    process.start()
    process.join()
    return Done(process.exitcode, *(path.read_text() for path in printed))


def _run(script: Path, options: tuple[str, ...], cwd: Path, printed: tuple[Path, Path]) -> None:
    for number, path in enumerate(printed, start=1):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
    sys.stdout, sys.stderr = (io.TextIOWrapper(os.fdopen(n, "wb", closefd=False), write_through=True) for n in (1, 2))
    os.environ["OMP_NUM_THREADS"] = "1"
    os.chdir(cwd)
    sys.argv = [str(script), *options]
    sys.path.insert(0, str(script.parent))
    import torch

    torch.set_num_threads(1)
    runpy.run_path(str(script), run_name="__main__")
