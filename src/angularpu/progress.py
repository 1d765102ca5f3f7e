"""What a command prints: text and progress for people, on stderr, and data for programs, on stdout.

Names and labels come from files, so nothing is printed that a terminal would obey.
"""

import contextlib
import json
import os
import re
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

from angularpu.errors import escape

ReportProgress = Callable[[int, int, str], None]  # steps done, steps at most, what to say

SECONDS = 30.0  # between two lines of progress where there is no terminal

_quiet = False


def be_quiet(quiet: bool) -> None:
    """Print nothing more for people but warnings and errors, or everything again."""
    global _quiet
    _quiet = quiet


def is_quiet() -> bool:
    """Tell whether quiet was asked for."""
    return _quiet


def tell(text: str) -> None:
    """Print lines for people on stderr, control characters escaped; none where quiet was asked for."""
    if not _quiet:
        print(printable(text), file=sys.stderr, flush=True)


def warn(text: str) -> None:
    """Print a warning, marked as such, even where quiet was asked for."""
    _print_marked("Warning:", text, colour="yellow")


def fail(text: str, *, word: str = "Error") -> None:
    """Print why a command ends, even where quiet was asked for."""
    _print_marked(f"{word}:", text, colour="red")


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


@contextlib.contextmanager
def show_progress(*, shown: bool) -> Iterator[ReportProgress | None]:
    """Hand out a report function that moves a bar, or prints a line every half minute where stderr is no terminal.

    It is None when progress is not wanted.
    """
    if not shown or _quiet:
        yield None
    elif sys.stderr.isatty():
        with _draw_bar() as report:
            yield report
    else:
        with _tell_now_and_then() as report:
            yield report


@contextlib.contextmanager
def _draw_bar() -> Iterator[ReportProgress]:
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


@contextlib.contextmanager
def _tell_now_and_then() -> Iterator[ReportProgress]:
    latest, ended, begun = ["no step finished yet"], threading.Event(), time.monotonic()

    def report(done: int, total: int, text: str) -> None:
        latest[0] = f"{text}, {done} of {total}"

    def talk() -> None:  # by the clock: a step may take longer than a reader of a log waits
        while not ended.wait(SECONDS):
            tell(f"progress   after {time.monotonic() - begun:.0f} s: {latest[0]}")

    thread = threading.Thread(target=talk, daemon=True)
    thread.start()
    try:
        yield report
    finally:
        ended.set()
        thread.join()


def _print_marked(word: str, text: str, *, colour: str) -> None:
    if sys.stderr.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb":
        from typer import style

        word = style(word, fg=colour, bold=True)
    print(f"{word} {printable(text)}", file=sys.stderr, flush=True)


def _escape_json(line: str) -> str:
    return re.sub(r"[^ -~]", lambda found: found[0] if found[0].isprintable() else json.dumps(found[0])[1:-1], line)
