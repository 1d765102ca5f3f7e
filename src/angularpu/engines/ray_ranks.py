"""One network trained by ranks that Ray Train starts, one for every machine or GPU, in place of torchrun."""

import threading
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from angularpu import files
from angularpu.engines.ray_cluster import SECONDS, list_versions, refuse_other_versions
from angularpu.engines.ray_tasks import RETRIES
from angularpu.errors import EngineError, RankError, SettingError
from angularpu.methods.protocol import Method
from angularpu.model.following import follow, meet
from angularpu.model.resumable import fit_into
from angularpu.scenario.sample import PUSample
from angularpu.train.ranks.group import LONGEST_STEP, WITH_GPUS, WITHOUT_GPUS, join_ranks


@dataclass(frozen=True, eq=False)
class RankedFit:
    """A fit, as every rank is given it; the attributes are those of :func:`~angularpu.model.resumable.fit_into`."""

    method: Method
    sample: PUSample
    directory: Path
    seed: int
    classes: tuple[Any, Any]
    overwrite: bool
    restart: bool

    def run(self) -> None:
        """Fit and save, alone."""
        fit_into(
            self.method,
            self.sample,
            directory=self.directory,
            seed=self.seed,
            classes=self.classes,
            overwrite=self.overwrite,
            restart=self.restart,
        )

    def run_as_rank(self) -> None:
        """Train along with the other ranks; rank 0 saves."""
        with join_ranks() as ranks:
            meet(self.method, self.sample, seed=self.seed, given={"out": self.directory})
            if ranks.leads:
                self.run()
            else:
                follow(self.method, self.sample, seed=self.seed)


def train_by_ranks(ray: Any, fit: RankedFit) -> None:
    """Train by one rank for every GPU of the cluster, or for every machine where there are none.

    When a machine is lost, the training is resumed from its last epoch by those that are left.

    Raises
    ------
    EngineError
        When machines are lost again and again.
    AngularPUError
        What a rank raised.
    """
    for _ in range(RETRIES + 1):
        count, on_gpus = _count_ranks(ray)
        if not count:
            raise EngineError("no machine of the Ray cluster has a core; start one with ray start --num-cpus")
        failed = _train(ray, fit, count=count, on_gpus=on_gpus)
        if failed is None:
            return
        fit = replace(fit, restart=False)  # or what was trained so far would go
        _wait_for_news(ray, before=(count, on_gpus))
    reason = str(failed).strip().rpartition("\n")[2].rstrip(".")
    raise EngineError(
        f"the Ray cluster has lost a rank {RETRIES + 1} times ({reason}); what is trained is kept: give the same "
        "command again"
    )


def train_there(config: dict[str, Any]) -> None:
    """Train, as one of the processes that Ray Train started."""
    import ray
    import ray.train

    refuse_other_versions(config["versions"])
    fit: RankedFit = ray.get(config["sent"][0])
    if ray.train.get_context().get_world_size() == 1:
        fit.run()
        return
    if config["on_gpus"]:
        import ray.train.torch
        import torch

        torch.cuda.set_device(ray.train.torch.get_device())
    fit.run_as_rank()


def _train(ray: Any, fit: RankedFit, *, count: int, on_gpus: bool) -> Exception | None:
    """Train to the end, or return why ranks were lost."""
    try:
        from ray.train import FailureConfig, RunConfig, ScalingConfig
        from ray.train.torch import TorchConfig, TorchTrainer
    except ImportError as error:
        raise SettingError(f"Ray Train is not installed ({error}); run: pip install 'angularpu[ray]'") from None
    own = files.unfinished(fit.directory.with_name(f"{fit.directory.name}.ray"))  # Ray Train wants a folder
    trainer = TorchTrainer(
        train_there,
        train_loop_config={"versions": list_versions(), "sent": [ray.put(fit)], "on_gpus": on_gpus},
        torch_config=TorchConfig(
            backend=WITH_GPUS if on_gpus else WITHOUT_GPUS, timeout_s=int(LONGEST_STEP.total_seconds())
        ),
        scaling_config=ScalingConfig(num_workers=count, use_gpu=on_gpus, placement_strategy="SPREAD"),
        run_config=RunConfig(name="fit", storage_path=str(own), failure_config=FailureConfig(max_failures=0)),
    )
    try:
        return _explain(_finish(trainer))
    finally:
        files.remove(own)


def _finish(trainer: Any) -> Exception | None:
    """Run a training and return what it raised; in another thread, for Ray Train would catch Ctrl-C."""
    raised: list[Exception] = []

    def fit() -> None:
        try:
            trainer.fit()
        except Exception as error:  # it is explained below
            raised.append(error)

    thread = threading.Thread(target=fit, daemon=True)
    thread.start()
    thread.join()
    return raised[0] if raised else None


def _explain(error: Exception | None) -> Exception | None:
    """Raise what a rank itself raised; return what was the end of a machine or a process, which others feel."""
    for failure in getattr(error, "worker_failures", {}).values():
        of_ray = type(failure).__module__.partition(".")[0] == "ray"
        if not of_ray and not isinstance(failure, RankError):
            raise failure from None
    return error


def _count_ranks(ray: Any) -> tuple[int, bool]:
    """Return how many ranks the cluster has room for, and whether each has a GPU."""
    machines = [node["Resources"] for node in ray.nodes() if node["Alive"]]
    gpus = int(sum(machine.get("GPU", 0) for machine in machines))
    return (gpus, True) if gpus else (sum(machine.get("CPU", 0) >= 1 for machine in machines), False)


def _wait_for_news(ray: Any, *, before: tuple[int, bool]) -> None:
    """Wait until the cluster has noticed the loss of a machine; or it was a process that ended, and all are there."""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end and _count_ranks(ray) == before:
        time.sleep(0.5)
