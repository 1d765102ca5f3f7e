"""Run by test_replacing.py: real processes that replace models, are killed over it, or read beside it.

Processes are forked from one that has imported everything, so that hundreds of them take seconds.
"""

import os
import random
import signal
import sys
import time
import traceback
from collections import Counter
from pathlib import Path

import numpy as np
import torch

from angularpu.files import directories, remove
from angularpu.methods.configure import configure
from angularpu.model import directory as model_directory
from angularpu.model.redecide import redecide
from angularpu.model.resumable import fit_into
from angularpu.scenario.sample import make_sample

METHOD = configure("default", prior=0.6, options={"epochs": 1, "encoder": "linear", "validation": "hold-out"})
MODELS = {}
EVENTS = {"open", "os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.truncate", "ctypes.dlsym"}


def draw():
    rng = np.random.default_rng(0)
    y = np.repeat([1, 0], 150)
    return rng.normal(size=(300, 3)).astype(np.float32) + 2 * y[:, None], (y * (rng.random(300) < 0.5)).astype(int)


SAMPLE = make_sample(*draw(), scenario="one-sample")


def read_bytes(model):
    return {path.name: path.read_bytes() for path in model.iterdir()}


def start(task):
    """Run a task in a process of its own."""
    process = os.fork()
    if process:
        return process
    try:
        task()
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


def finish(process):
    """Wait for a process and return how it ended."""
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def die_at(number, task):
    """Run a task in a process that the system kills just before its ``number``-th step on files."""

    def run():
        steps = 0

        def count(event, _):
            nonlocal steps
            if event in EVENTS:
                steps += 1
                if steps == number:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(count)
        task()

    return finish(start(run))


def name_model(model, known):
    """Return which of the known models lies there, having read it as a user would."""
    assert model_directory.read_model(model).score(SAMPLE.rows).dtype == np.float32
    place = model if model.exists() else directories.aside(model)
    (name,) = (name for name, content in known.items() if content == read_bytes(place))
    return name


def kill_everywhere(task, *, model, known):
    """Kill a task before each of its steps: the old or the new model is there, and the task, run again, tidies up."""
    folder, seen, states = model.parent, Counter(), set()
    model_directory.save(MODELS["old"], model, overwrite=True)
    while (code := die_at(seen.total() + 1, task)) != 0:
        assert code == -signal.SIGKILL, code
        name = name_model(model, known)
        seen[name] += 1
        state = (name, *sorted(str(path.relative_to(folder)) for path in folder.rglob("*")))
        if state not in states:
            states.add(state)
            assert finish(start(task)) == 0
            assert name_model(model, known) == "new"
            assert [path.name for path in folder.iterdir()] == [model.name], state
        for path in list(folder.iterdir()):
            remove(path)
        model_directory.save(MODELS["old"], model, overwrite=True)
    return f"{seen.total()} points, {len(states)} states, {seen['old']} old, {seen['new']} new"


def kill_saving(model, known):
    def task():
        model_directory.save(MODELS["new"], model, overwrite=True)

    return kill_everywhere(task, model=model, known=known)


def kill_fitting(model, known):
    def task():
        fit_into(METHOD, SAMPLE, directory=model, seed=1, overwrite=True)

    return kill_everywhere(task, model=model, known=known)


def kill_anywhen(model, known):
    """Kill, at thirty random moments, a process that does nothing but replace a model."""

    def task():
        while True:
            for fitted in MODELS.values():
                model_directory.save(fitted, model, overwrite=True)

    rng, seen = random.Random(0), Counter()
    begun = time.monotonic()
    for _ in range(4):
        model_directory.save(MODELS["old"], model, overwrite=True)
    four_saves = time.monotonic() - begun
    for _ in range(30):
        process = start(task)
        time.sleep(rng.uniform(0, four_saves))
        os.kill(process, signal.SIGKILL)
        finish(process)
        seen[name_model(model, known)] += 1
    model_directory.save(MODELS["new"], model, overwrite=True)
    assert [path.name for path in model.parent.iterdir()] == [model.name]
    return f"{seen.total()} kills, {seen['old']} old, {seen['new']} new"


def read_beside(model, known):
    """Replace a model 300 times while two processes load it and one changes its threshold."""
    scores = {fitted.score(SAMPLE.rows).tobytes() for fitted in MODELS.values()}
    ended = model.parent / "ended"

    def read():
        loads = 0
        while not ended.exists():
            assert model_directory.read_model(model).score(SAMPLE.rows).tobytes() in scores
            loads += 1
        assert loads > 0
        print(f"{loads} loads", file=sys.stderr)

    def decide():
        while not ended.exists():
            redecide(model, "recall=0.9")

    others = [start(read), start(read), start(decide)]
    for number in range(300):
        model_directory.save(MODELS[("old", "new")[number % 2]], model, overwrite=True)
    ended.touch()
    assert [finish(process) for process in others] == [0, 0, 0]
    ended.unlink()
    model_directory.save(MODELS["new"], model, overwrite=True)
    assert name_model(model, known) == "new"
    assert [path.name for path in model.parent.iterdir()] == [model.name]
    return "300 replacements"


def main(folder, system, *tasks):
    torch.set_num_threads(1)
    if system == "renaming":  # as on a file system that cannot exchange two names
        directories.exchange = lambda first, second: False
    model, known = folder / "m", {}
    for name, seed in (("old", 0), ("new", 1)):
        fit_into(METHOD, SAMPLE, directory=model, seed=seed, overwrite=True)
        known[name] = read_bytes(model)
        MODELS[name] = model_directory.read_model(model)
    for task in tasks:
        print(f"{task}: {globals()[task](model, known)}", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
