"""One network for every fold."""

from collections.abc import Sequence

import numpy as np

from angularpu.train.cross_fitted import CrossFitted, Folds
from angularpu.train.loop import Task
from angularpu.train.scoring import NeuralScorer, score_rows
from angularpu.train.settings import Schedule
from angularpu.train.stages import Stage, Trainer, list_history


def list_stages(everything: Task, folds: Folds, *, schedule: Schedule) -> list[Stage]:
    """Return one stage for every fold."""
    return [
        Stage(f"fold {k + 1} of {len(folds.splits)}", k, everything.split(*split), schedule)
        for k, split in enumerate(folds.splits)
    ]


def cross_fit(trainer: Trainer, everything: Task, folds: Folds, *, schedule: Schedule) -> CrossFitted:
    """Train one model per fold, each up to the epoch that is best on its own held-out rows."""
    stages = list_stages(everything, folds, schedule=schedule)
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


def choose_elsewhere(epochs: Sequence[int], fold: int) -> int:
    """Return the epoch that the other folds would choose for a fold: the median of theirs.

    >>> choose_elsewhere((3, 9, 4, 5, 40), 4), choose_elsewhere((3, 9), 0)
    (4, 9)
    """
    return int(np.median([epoch for number, epoch in enumerate(epochs) if number != fold]))
