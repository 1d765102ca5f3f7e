"""From stored scores and the truth to the metrics of a row: nothing is trained, torch is not needed."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from angularpu.decide.decision import Decision
from angularpu.decide.default import decide_again
from angularpu.decide.held_out import HeldOut
from angularpu.decide.oracle import oracle_f1
from angularpu.decide.prior_setting import Prior
from angularpu.methods.fitted import compute_probability
from angularpu.metrics.calibration import expected_calibration_error
from angularpu.metrics.evaluation import evaluate
from angularpu.metrics.pu import pu_auc
from angularpu.scenario.sample import Truth
from angularpu_bench.run.store import Store
from angularpu_bench.spec.grid import Cell

AT_A_CUT = ("f1", "precision", "recall", "accuracy")


@dataclass(frozen=True, eq=False)
class Scored:
    """What a fitted cell says of rows it has not learnt from, with the truth about them.

    Attributes
    ----------
    held : HeldOut
        Scores to choose a threshold by.
    y_unl : int8 array
        True classes of the unlabelled rows among them.
    test : float32 array
    y_test : int8 array
    """

    held: HeldOut
    y_unl: NDArray[np.int8]
    test: NDArray[np.float32]
    y_test: NDArray[np.int8]

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays to be stored."""
        return {
            "held_pos": self.held.score_pos,
            "held_unl": self.held.score_unl,
            "y_unl": self.y_unl,
            "test": self.test,
            "y_test": self.y_test,
        }

    def describe(self) -> dict[str, Any]:
        """Return what else there is to know of them, for JSON."""
        held = self.held
        return {"n_pos": held.n_pos, "n_unl": held.n_unl, "scenario": held.scenario, "source": held.source}

    @classmethod
    def restore(cls, arrays: Mapping[str, NDArray[Any]], description: Mapping[str, Any]) -> "Scored":
        """Make of stored arrays and their description what they came from."""
        held = HeldOut(arrays["held_pos"], arrays["held_unl"], **description)
        return cls(held, arrays["y_unl"], arrays["test"], arrays["y_test"])


def measure(scored: Scored, *, threshold: str, prior: Prior, alpha: float | None) -> dict[str, float | None]:
    """Measure a cell on its test rows.

    Parameters
    ----------
    scored : Scored
    threshold : str
        The rule that needs no true classes; its columns end in ``_pu``.
    prior : float or str
        What the method was told of the share of positives.
    alpha : float or None
        The share among the unlabelled rows that was known before training, if it was.

    Returns
    -------
    dict of str to float
        ``auc``, ``ap``, ``best_f1``, ``recall_at_p90``, ``recall_at_p95``; F1, precision, recall and accuracy at the
        PU-valid threshold and at the oracle's, which has the best F1 on the held-out rows with their true classes, as
        the paper chooses it; ``brier`` and ``ece`` of the probabilities; ``alpha``, the estimate that the PU-valid
        threshold rests on; and ``pu_auc``, of the held-out rows by their labels alone.
    """
    decision, calibration = decide_again(threshold, scored.held, prior=prior, alpha=alpha)
    oracle = choose_oracle(scored)
    truth = Truth(scored.y_test)
    by_pu = evaluate(truth, scored.test, threshold=decision.threshold)
    by_oracle = evaluate(truth, scored.test, threshold=oracle.threshold)
    probability = compute_probability(scored.test, threshold=decision.threshold, calibration=calibration)
    return {
        "auc": by_pu["auc"],
        "ap": by_pu["ap"],
        **{f"{name}_pu": by_pu[name] for name in AT_A_CUT},
        **{f"{name}_oracle": by_oracle[name] for name in AT_A_CUT},
        "best_f1": by_pu["best_f1"],
        "recall_at_p90": by_pu["recall_at_precision_90"],
        "recall_at_p95": by_pu["recall_at_precision_95"],
        "brier": float(np.mean((probability - scored.y_test) ** 2)),
        "ece": expected_calibration_error(scored.y_test, probability),
        "alpha": decision.alpha,
        "pu_auc": pu_auc(scored.held.score_pos, scored.held.score_unl),
    }


def measure_again(cell: Cell, store: Store) -> None:
    """Compute a finished cell's metrics again from its stored scores."""
    record = store.read(cell)
    scored = Scored.restore(store.read_scores(cell), record["scored"])
    record["metrics"] |= measure(scored, threshold=cell.threshold, **record["told"])
    store.rewrite(cell, record)


def choose_oracle(scored: Scored) -> Decision:
    """Choose the threshold with the best F1 on the held-out rows, given their true classes.

    In the one-sample scenario labelled and unlabelled rows together are the population; in the two-sample scenario the
    unlabelled rows alone are.
    """
    held, y = scored.held, scored.y_unl
    if held.scenario == "two-sample":
        return oracle_f1(Truth(y), held.score_unl)
    both = np.concatenate([np.ones(len(held.score_pos), np.int8), y])
    return oracle_f1(Truth(both), np.concatenate([held.score_pos, held.score_unl]))
