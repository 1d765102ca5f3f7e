"""Tasks of a Ray cluster: calls that do not depend on each other, run again elsewhere when their machine is lost."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from angularpu.engines.ray_cluster import SECONDS, list_versions, refuse_other_versions
from angularpu.errors import AngularPUError, EngineError

RETRIES = 5  # how many machines may be lost under one task
Item = TypeVar("Item")
Result = TypeVar("Result")


def run_on_ray(
    ray: Any,
    function: Callable[[Item], Result],
    items: Sequence[Item],
    *,
    doing: str,
    lost: Callable[[Item, str], Result] | None = None,
) -> Iterator[Result]:
    """Call a function with every item, each on one core of a cluster, and yield what it returns, as the calls end.

    Parameters
    ----------
    ray : module
        As :func:`~angularpu.engines.ray_cluster.join_cluster` hands it out.
    function : callable
        Sent to every machine once, with all it holds.
    items : sequence
    doing : str
        What a task does, for a message: "score a file".
    lost : callable, optional
        Makes a result of an item whose task Ray gave up, and the reason; without it that ends the run.

    Raises
    ------
    EngineError
        When a task's machines are lost again and again, or machines have different versions.
    AngularPUError
        What the function raised.
    """
    task = ray.remote(num_cpus=1, max_retries=RETRIES)(run_there)
    # Its first copy lies on this process's own machine, without which nothing goes on anyway. In a list, so that it is
    # read only after the versions were compared.
    sent = [ray.put(function)]
    running = {task.options(name=doing).remote(list_versions(), sent, item): item for item in items}
    try:
        while running:
            (ended,), _ = ray.wait(list(running))
            yield _collect(ray, ended, running.pop(ended), doing=doing, lost=lost)
    finally:
        for each in running:
            ray.cancel(each, force=True)
        if running:  # nothing may still write where the caller clears up
            ray.wait(list(running), num_returns=len(running), timeout=SECONDS)


def run_there(versions: dict[str, str], sent: list[Any], item: Any) -> Any:
    """Call, as a task, the function that was sent with one item."""
    import ray

    refuse_other_versions(versions)
    return ray.get(sent[0])(item)


def _collect(ray: Any, ended: Any, item: Item, *, doing: str, lost: Callable[[Item, str], Result] | None) -> Result:
    """Return what a task has returned, or raise what it raised, as a call in this process would."""
    try:
        result: Result = ray.get(ended)
    except ray.exceptions.RayTaskError as error:
        if isinstance(error.cause, AngularPUError):
            raise error.cause from None
        if isinstance(error.cause, ImportError):
            raise EngineError(
                f"a machine of the Ray cluster cannot import what it needs ({error.cause}); install one version of "
                "angularpu on all machines"
            ) from None
        raise
    except ray.exceptions.RayError as error:
        reason = str(error).split("\n")[0].rstrip(".")
        if lost is not None:
            return lost(item, reason)
        raise EngineError(
            f"the Ray cluster could not {doing} ({reason}); what is done is kept: give the same command again"
        ) from error
    return result
