"""Processes that are forked from one that has imported everything, so that thousands of them take minutes."""

import contextlib
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from angularpu.errors import AngularPUError
from angularpu.progress import tell

Task = Callable[[], int | None]
LIMIT = 60.0  # seconds after which a process counts as hung
MISTAKE = 2
FLOCK = "73 "  # the system call on which a process waits for a lock, on x86-64


@dataclass(frozen=True)
class Ended:
    """How a process ended: its exit code, or minus the signal, and what it printed to stderr."""

    code: int
    said: str

    @property
    def hung(self) -> bool:
        """Whether it used up its time."""
        return self.code == -signal.SIGALRM

    def find_fault(self) -> str | None:
        """Say what is wrong with the way it ended, if it ended by itself: all is well, or one sentence is said."""
        if self.hung:
            return "it hung"
        if self.code == 0:
            return None
        last = self.said.splitlines()[-1] if self.said.strip() else ""
        if "Traceback" in self.said or self.code != MISTAKE:
            return f"exit code {self.code}: {last[:300]}"
        return None if last.startswith("Error: ") and last.isprintable() else f"no sentence: {last[:300]!r}"


@dataclass(frozen=True)
class Child:
    """A process that has been started."""

    pid: int
    said: int

    def wait(self) -> Ended:
        """Wait until it ends."""
        status = os.waitpid(self.pid, 0)[1]
        os.lseek(self.said, 0, os.SEEK_SET)
        with os.fdopen(self.said, "rb") as file:
            return Ended(os.waitstatus_to_exitcode(status), file.read().decode("utf-8", "replace"))

    def wait_for_stop(self) -> bool:
        """Wait until it is stopped, or tell that it has ended before; then it still has to be waited for."""
        status = os.waitid(os.P_PID, self.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
        return status is not None and status.si_code == os.CLD_STOPPED

    def wait_for_lock(self) -> None:
        """Wait until it has ended, or waits for a lock itself; for five seconds where the system does not tell."""
        deadline = time.monotonic() + 5
        while (
            time.monotonic() < deadline and os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is None
        ):
            with contextlib.suppress(OSError):
                if Path(f"/proc/{self.pid}/syscall").read_text().startswith(FLOCK):
                    return
            time.sleep(0.002)


def start(task: Task, *, limit: float = LIMIT) -> Child:
    """Run a task in a process of its own, which the system ends when its time is up."""
    said = os.memfd_create("said")
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid:
        return Child(pid, said)
    code = 1
    try:
        os.dup2(said, 2)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)  # which also ends what hangs outside of Python
        signal.setitimer(signal.ITIMER_REAL, limit)
        code = task() or 0
    except BaseException:
        traceback.print_exc()
    with contextlib.suppress(BaseException):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)


def run(task: Task, *, limit: float = LIMIT) -> Ended:
    """Run a task in a process of its own to its end."""
    return start(task, limit=limit).wait()


def told(task: Callable[[], object]) -> int:
    """Run something of the Python interface; say an error that it documents as the command line would."""
    try:
        task()
    except (AngularPUError, OSError) as error:
        tell(f"Error: {error}")
        return MISTAKE
    return 0
