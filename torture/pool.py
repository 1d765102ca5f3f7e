"""Work on two cores, in processes that are forked from this one and know what it knows."""

import multiprocessing
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

Item, Result = TypeVar("Item"), TypeVar("Result")
WORKERS = 2
_work: dict[str, Any] = {}


def spread(function: Callable[[Item], Result], items: Sequence[Item], *, together: int = 1) -> list[Result]:
    """Call a function with every item, in workers, and return what it gave in the order of the items.

    Parameters
    ----------
    function : callable
        May be anything: it reaches the workers by the fork. What it returns is sent.
    items : sequence
    together : int
        How many items a worker takes at a time.
    """
    _work["function"], _work["items"] = function, items
    with multiprocessing.get_context("fork").Pool(WORKERS) as pool:
        return pool.map(_call, range(len(items)), chunksize=together)


def _call(number: int) -> Any:
    return _work["function"](_work["items"][number])
