"""What a command prints: text and a progress bar for people, on stderr, and data for programs, on stdout.

Names and labels come from files, so nothing is printed that a terminal would obey.
"""

import contextlib
import json
import re
import sys
from collections.abc import Callable, Iterator
from typing import Any

from angularpu.errors import escape

ReportProgress = Callable[[int, int, str], None]  # steps done, steps at most, what to say


def tell(text: str) -> None:
    """Print lines for people on stderr, control characters escaped."""
    print(printable(text), file=sys.stderr, flush=True)


def printable(text: str) -> str:
    r"""Return lines with all control characters escaped except line breaks.

    >>> printable("one\r\ntwo\x07")
    'one\\r\ntwo\\x07'
    """
    return "\n".join(map(escape, text.split("\n")))


def print_json(content: Any) -> None:
    """Print JSON for programs on stdout, in which every character that a terminal could obey is escaped."""
    text = json.dumps(content, indent=1, ensure_ascii=False)
    print("\n".join(line if line.isprintable() else _escape_json(line) for line in text.split("\n")))


def _escape_json(line: str) -> str:
    return re.sub(r"[^ -~]", lambda found: found[0] if found[0].isprintable() else json.dumps(found[0])[1:-1], line)


@contextlib.contextmanager
def show_progress(*, shown: bool) -> Iterator[ReportProgress | None]:
    """Hand out a report function that moves a progress bar; None when it is not wanted or stderr is no terminal."""
    if not shown or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed}/{task.total}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        bar = progress.add_task("fitting")

        def report(done: int, total: int, text: str) -> None:
            progress.update(bar, completed=done, total=total, description=text)

        yield report
