"""One network for every fold."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from angularpu.train.cross_fitted import CrossFitted, Folds
from angularpu.train.scoring import NeuralScorer, score_rows
from angularpu.train.settings import Schedule, Settings
from angularpu.train.stages import Stage, Trainer, list_history
from angularpu.train.task import Task

# A fold of a large heap takes no longer than one of a small heap; what one model does not see another does.
MOST_UNLABELLED = 10_000
PER_POSITIVE = 5


def list_stages(everything: Task, folds: Folds, *, schedule: Schedule) -> Iterator[Stage]:
    """Yield one stage for every fold."""
    for k, split in enumerate(folds.splits):
        yield Stage(f"fold {k + 1} of {len(folds.splits)}", k, everything.split(*split), schedule)


def count_unlabelled(n_pos: int, n_unl: int) -> int:
    """Return how many unlabelled rows one model of several learns from.

    >>> count_unlabelled(200, 3_000), count_unlabelled(1000, 59_000), count_unlabelled(5000, 59_000)
    (3000, 10000, 25000)
    """
    return min(n_unl, max(MOST_UNLABELLED, PER_POSITIVE * n_pos))


def cross_fit(trainer: Trainer, everything: Task, folds: Folds, *, settings: Settings) -> CrossFitted:
    """Train one model per fold, each up to the epoch that is best on its own held-out rows.

    Where unlabelled rows are many, every model learns from a draw of its own of them: that takes less time and memory,
    and what one model does not see another does.
    """
    stages = list_thinned(everything, folds, settings=settings, seed=trainer.seed)
    trained = trainer.run_all(stages)
    epochs = tuple(one.state.kept_epoch for one in trained)
    return CrossFitted(
        models=tuple(NeuralScorer(one.algorithm) for one in trained),
        held=tuple(one.state.held[epoch - 1] for one, epoch in zip(trained, epochs, strict=True)),
        unchosen=tuple(
            one.state.held[min(choose_elsewhere(epochs, fold), len(one.state.held)) - 1]
            for fold, one in enumerate(trained)
        ),
        seen=tuple(score_rows(one.algorithm, everything.prepared, folds.seen) for one in trained),
        epochs=epochs,
        history=list_history(stages, trained),
    )


def list_thinned(everything: Task, folds: Folds, *, settings: Settings, seed: int) -> list[Stage]:
    """Return one stage for every fold, each with a draw of its own of the unlabelled rows where these are many."""
    stages = []
    for stage in list_stages(everything, folds, schedule=settings.schedule(1)):
        task = _thin(stage.task, rng=np.random.default_rng([seed, 8, stage.number]))
        schedule = settings.schedule(len(task.pos) + len(task.unl))
        stages.append(replace(stage, task=task, schedule=schedule))
    return stages


def choose_elsewhere(epochs: Sequence[int], fold: int) -> int:
    """Return the epoch that the other folds would choose for a fold: the median of theirs.

    >>> choose_elsewhere((3, 9, 4, 5, 40), 4), choose_elsewhere((3, 9), 0)
    (4, 9)
    """
    return int(np.median([epoch for number, epoch in enumerate(epochs) if number != fold]))


def _thin(task: Task, *, rng: np.random.Generator) -> Task:
    count = count_unlabelled(len(task.pos), len(task.unl))
    return replace(task, unl=np.sort(rng.choice(task.unl, count, replace=False))) if count < len(task.unl) else task
