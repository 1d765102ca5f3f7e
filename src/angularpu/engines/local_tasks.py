"""Tasks on this machine, one after another or several at a time."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from joblib import Parallel, delayed
from joblib.externals.loky.process_executor import TerminatedWorkerError

from angularpu.errors import EngineError

Item = TypeVar("Item")
Result = TypeVar("Result")


def run_here(function: Callable[[Item], Result], items: Sequence[Item], *, jobs: int) -> Iterator[Result]:
    """Call a function with every item, in ``jobs`` processes, and yield what it returns, as the calls end."""
    if jobs == 1 or len(items) < 2:
        yield from map(function, items)
        return
    spread = Parallel(n_jobs=min(jobs, len(items)), return_as="generator_unordered")
    try:
        yield from spread(delayed(function)(item) for item in items)
    except TerminatedWorkerError:
        raise EngineError(
            "one of several processes was killed, perhaps for lack of memory; what is done is kept: give the same "
            "command again, with fewer --jobs"
        ) from None
