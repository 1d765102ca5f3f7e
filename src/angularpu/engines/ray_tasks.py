"""Files scored by a Ray cluster, each as one task, which Ray runs again elsewhere when its machine is lost."""

import os
import threading
import time
from collections.abc import Iterator, Sequence
from typing import Any

from angularpu.engines.partitions import Partition
from angularpu.engines.tasks import FileScorer
from angularpu.errors import AngularPUError, BusyError, EngineError, SettingError

RETRIES = 5  # how many machines may be lost under one file
SECONDS = 30.0  # to reach the cluster, and for a process that outlives its machine's part in the cluster


def run_on_ray(score: FileScorer, todo: Sequence[Partition]) -> Iterator[str]:
    """Score files as tasks of a Ray cluster and yield the name of each when it is done.

    Raises
    ------
    SettingError
        When Ray is not installed.
    EngineError
        When the cluster cannot be reached within 30 seconds, or loses a file's task again and again.
    """
    ray = connect()
    try:
        task = ray.remote(num_cpus=1, max_retries=RETRIES)(score_when_free)
        running = [
            task.remote(score, partition) for partition in todo
        ]  # by value: an object could be lost with a machine
        while running:
            (ended,), running = ray.wait(running)
            yield _collect(ray, ended)
    finally:
        ray.shutdown()  # which ends the tasks that are left


def score_when_free(score: FileScorer, partition: Partition) -> str:
    """Score a file, after a while if a process of a lost machine still holds it."""
    end = time.monotonic() + SECONDS
    while True:
        try:
            return score(partition)
        except BusyError:
            if time.monotonic() > end:
                raise
            time.sleep(0.5)


def connect() -> Any:
    """Join the cluster that RAY_ADDRESS names, or the one that runs on this machine, and return the module ``ray``."""
    try:
        import ray
    except ImportError:
        raise SettingError("Ray is not installed; install it with: pip install 'angularpu[ray]'") from None
    address = os.environ.get("RAY_ADDRESS", "auto")
    failed: list[Exception] = []

    def join() -> None:
        try:
            ray.init(address=address, log_to_driver=False, logging_level="error")
        except Exception as error:  # Ray raises errors of many kinds
            failed.append(error)

    # Ray itself waits for minutes for a machine that does not answer.
    attempt = threading.Thread(target=join, daemon=True)
    attempt.start()
    attempt.join(SECONDS)
    if attempt.is_alive() or failed:
        where = "running on this machine" if address == "auto" else f"at RAY_ADDRESS={address}"
        why = f"no answer within {SECONDS:.0f} seconds" if not failed else str(failed[0]).split("\n")[0].rstrip(".")
        raise EngineError(
            f"no Ray cluster can be reached {where} ({why}); start one with ray start --head, or set RAY_ADDRESS"
        )
    return ray


def _collect(ray: Any, ended: Any) -> str:
    """Return the name of the file that a task has scored, or raise what it raised, as a process here would."""
    try:
        name: str = ray.get(ended)
    except ray.exceptions.RayTaskError as error:
        if isinstance(error.cause, AngularPUError):
            raise error.cause from None
        raise
    except ray.exceptions.RayError as error:
        reason = str(error).split("\n")[0].rstrip(".")
        raise EngineError(
            f"the Ray cluster could not score a file ({reason}); what is done is kept: give the same command again"
        ) from error
    return name
