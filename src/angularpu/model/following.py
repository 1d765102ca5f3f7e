"""A fit on several ranks: they compare what they were started with, then train; rank 0 alone has a directory."""

import hashlib
import json
from typing import Any

import torch

from angularpu import __version__
from angularpu.errors import SettingError
from angularpu.fit.workflow import fit_method
from angularpu.methods.protocol import Method
from angularpu.methods.table import find_method
from angularpu.scenario.sample import PUSample
from angularpu.train.ranks.agreement import agree
from angularpu.train.ranks.group import find_ranks


def meet(method: Method, sample: PUSample, *, seed: int, given: dict[str, Any]) -> None:
    """Refuse, before anything is trained, a method without a network and ranks that were not started alike.

    Nothing happens in a process alone.

    Parameters
    ----------
    method : Method
    sample : PUSample
    seed : int
    given : dict
        What else the user said, as JSON can have it.
    """
    ranks = find_ranks()
    if ranks is None:
        return
    names = getattr(method, "candidates", None) or {method.name: method}
    if all(find_method(member.name).kind == "classical" for member in names.values()):
        raise SettingError(f"{method.name} has no network that several ranks could train; start it without torchrun")
    settings = {"key": method.key(sample, seed), "threshold": method.threshold, "prior": method.prior, **given}
    run = {
        "versions": f"angularpu {__version__}, torch {torch.__version__}",
        "data": sample.fingerprint()[:12],
        "settings": hashlib.sha256(json.dumps(settings, sort_keys=True, default=str).encode()).hexdigest()[:12],
    }
    agree(ranks, run)


def follow(method: Method, sample: PUSample, *, seed: int) -> None:
    """Train along with rank 0, if it finds anything to train."""
    ranks = find_ranks()
    if ranks is not None and ranks.wait_for_start():
        fit_method(method, sample, seed=seed)
