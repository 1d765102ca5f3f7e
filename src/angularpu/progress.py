"""A progress bar for people, on stderr, and only when they are looking."""

import contextlib
import sys
from collections.abc import Callable, Iterator

ReportProgress = Callable[[int, int, str], None]  # steps done, steps at most, what to say


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
