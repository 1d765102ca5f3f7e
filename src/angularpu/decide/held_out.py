"""Scores of positives and of unlabelled rows, with which a rule chooses a threshold, and where they come from."""

import hashlib
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from angularpu.decide.threshold import Thresholds, round_scores
from angularpu.errors import SettingError
from angularpu.metrics.mixture import Same, contains_labelled, mean_called
from angularpu.scenario.proportions import Target
from angularpu.scenario.sample import Scenario, check_scenario

Origin = Literal["held out", "cross-fitted", "training"]


@dataclass(frozen=True, eq=False)
class HeldOut:
    """Scores to choose a threshold with.

    Parameters
    ----------
    score_pos : float array
        Scores of labelled positives; kept as float32.
    score_unl : float array
        Scores of unlabelled rows; kept as float32.
    n_pos, n_unl : int
        Labelled positives and unlabelled rows in the whole sample, of which those scored are a part.
    scenario : {"one-sample", "two-sample"}
        How the labels came about.
    source : {"held out", "cross-fitted", "training"}
        Where the scores come from. "held out": the model was not trained on these rows; "cross-fitted": each row was
        scored by a model not trained on it; "training": the model was trained on these rows.
    margin : float, optional
        The score at the model's own margin; None for a method that has none.

    Examples
    --------
    >>> score_pos, score_unl = np.array([2.0]), np.array([1.0, 3.0])
    >>> held = HeldOut(score_pos, score_unl, n_pos=10, n_unl=30, scenario="one-sample", source="held out")
    >>> held.share_called(0.5, 0.1, target="population")
    0.2
    """

    score_pos: NDArray[np.float32]
    score_unl: NDArray[np.float32]
    n_pos: int
    n_unl: int
    scenario: Scenario
    source: Origin
    margin: float | None = None

    def __post_init__(self) -> None:
        check_scenario(self.scenario)
        if self.source not in get_args(Origin):
            raise SettingError(f"source must be one of {', '.join(get_args(Origin))}, got {self.source!r}")
        object.__setattr__(self, "score_pos", round_scores(self.score_pos))
        object.__setattr__(self, "score_unl", round_scores(self.score_unl))

    def fingerprint(self) -> str:
        """Return a checksum of the scores, which tells models apart: every fit leaves other scores."""
        digest = hashlib.sha256(f"{self.n_pos} {self.n_unl} {self.scenario} {self.source} ".encode())
        for score in (self.score_pos, self.score_unl):
            digest.update(np.ascontiguousarray(score, "<f4").tobytes())
        return digest.hexdigest()

    def share_called(self, recall: Same, unl_share: Same, *, target: Target) -> Same:
        """Return the share P(+) of ``target`` that is called positive.

        The formulas are those of :func:`angularpu.metrics.mixture.share_called`.
        """
        # Counts, not parts of one: those would round otherwise, and a threshold chosen among ties might move.
        weights = (self.n_pos, self.n_unl) if contains_labelled(target, self.scenario) else (0, 1)
        return mean_called(recall, unl_share, weights=weights)

    def shares_above(
        self, thresholds: Thresholds, *, target: Target, least_unl: int = 0
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the part of the positives and the share of ``target`` above each threshold.

        At least ``least_unl`` unlabelled rows are counted above. That none lies above is chance; 1 keeps a criterion
        that divides by the share called from being infinite there.
        """
        recall = thresholds.pos_above / len(self.score_pos)
        unl_share = np.maximum(thresholds.rest_above, least_unl) / len(self.score_unl)
        return recall, self.share_called(recall, unl_share, target=target)
