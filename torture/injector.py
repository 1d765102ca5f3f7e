"""Steps on files that go wrong on purpose, by a small library that is loaded before the C library."""

import ctypes
import os
import shutil
import subprocess
import sys
from enum import IntEnum
from pathlib import Path

SOURCE = Path(__file__).with_name("faults.c")
LOADED = "ANGULARPU_FAULTS"
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


class Fault(IntEnum):
    """How a step goes wrong; the numbers are those of faults.c."""

    none = 0
    kill = 1
    no_space = 2
    failure = 3
    stop = 4


STRUCK = {Fault.kill: "SIGKILL", Fault.no_space: "ENOSPC", Fault.failure: "EIO"}


def find_compiler() -> str | None:
    """Return the path of a C compiler, if there is one."""
    return shutil.which("cc") or shutil.which("gcc")


def restart_with_faults(folder: Path) -> None:
    """Start this command again with the library in front, unless it is there already.

    Parameters
    ----------
    folder : Path
        Where the library is built.
    """
    if LOADED in os.environ:
        return
    compiler = find_compiler()
    if compiler is None or not sys.platform.startswith("linux"):
        raise SystemExit("the harness needs Linux and a C compiler, cc or gcc; install one")
    library = folder / "faults.so"
    subprocess.run([compiler, "-O2", "-shared", "-fPIC", "-o", str(library), str(SOURCE), "-ldl"], check=True)
    environment = {**os.environ, **ONE_THREAD, "LD_PRELOAD": str(library), LOADED: str(folder)}
    os.execve(sys.executable, [sys.executable, "-W", "ignore", "-m", "torture", *sys.argv[1:]], environment)


def arm(folder: Path, at: int, fault: Fault, *, log: int = -1) -> None:
    """Let step ``at`` of this process on files below ``folder`` go wrong; write all steps to the descriptor ``log``."""
    ctypes.CDLL(None).faults_arm(os.fsencode(folder), ctypes.c_long(at), ctypes.c_long(fault), ctypes.c_long(log))


def disarm() -> None:
    """Let nothing go wrong any more."""
    ctypes.CDLL(None).faults_disarm()


def refuse_exchange() -> None:
    """Let this process live on a file system that cannot exchange two names."""
    ctypes.CDLL(None).faults_refuse_exchange(1)
