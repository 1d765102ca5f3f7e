"""Where randomness starts: one seed in, generators down.

Initialisation and dropout know only torch's global generator, so it is seeded here, inside a fork that gives the
caller's own state back afterwards.
"""

import contextlib
from collections.abc import Iterator

import numpy as np
import torch
from torch import Tensor


def derive(*words: int) -> int:
    """Return a 63-bit seed made of several numbers.

    >>> derive(0, 1) == derive(0, 1) != derive(1, 0)
    True
    """
    return int(np.random.SeedSequence(words).generate_state(1, np.uint64)[0] >> np.uint64(1))


@contextlib.contextmanager
def seeded(seed: int, device: torch.device) -> Iterator[None]:
    """Seed torch's global generators for the length of a block."""
    with torch.random.fork_rng(devices=[device] if device.type == "cuda" else []):
        torch.manual_seed(seed)
        yield


def generator_states(device: torch.device) -> dict[str, Tensor]:
    """Return the states of the generators that dropout draws from on this device."""
    states = {"cpu": torch.get_rng_state()}
    if device.type == "cuda":
        states["cuda"] = torch.cuda.get_rng_state(device)
    return states


def set_generator_states(states: dict[str, Tensor], device: torch.device) -> None:
    """Put generators back into a saved state."""
    torch.set_rng_state(states["cpu"])
    if device.type == "cuda":
        torch.cuda.set_rng_state(states["cuda"], device)
