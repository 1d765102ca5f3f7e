"""A Ray cluster that exists: joined for the length of a block, never started."""

import contextlib
import os
import threading
from collections.abc import Iterator
from importlib.metadata import version
from typing import Any

from angularpu import __version__
from angularpu.errors import EngineError, SettingError

SECONDS = 30.0  # to reach the cluster
COMPUTING = ("numpy", "scikit-learn", "torch")  # other versions of these may round otherwise


@contextlib.contextmanager
def join_cluster() -> Iterator[Any]:
    """Join the cluster that RAY_ADDRESS names, or the one that runs on this machine, and hand out the module ``ray``.

    Raises
    ------
    SettingError
        When Ray is not installed.
    EngineError
        When the cluster cannot be reached within 30 seconds.
    """
    ray = _connect()
    try:
        yield ray
    finally:
        ray.shutdown()  # which ends what is left of this process's tasks


def list_versions() -> dict[str, str]:
    """Return the versions that must be the same on all machines, or they would not compute the same."""
    return {"angularpu": __version__, **{name: version(name) for name in COMPUTING}}


def refuse_other_versions(expected: dict[str, str]) -> None:
    """Refuse to compute with other versions than the process that asks for it."""
    for name, own in list_versions().items():
        if own != expected.get(name):
            raise EngineError(
                f"a machine of the Ray cluster has {name} {own}, but this one has {expected.get(name)}; install one "
                "version on all machines"
            )


def _connect() -> Any:
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
