"""What a rule is given to decide with: scores of positives and of unlabelled rows, and where they come from."""

from dataclasses import dataclass
from typing import Literal, TypeVar, get_args

import numpy as np
from numpy.typing import NDArray

from angularpu.decide.threshold import Thresholds, round_scores
from angularpu.errors import SettingError
from angularpu.scenario.proportions import Target
from angularpu.scenario.sample import Scenario, check_scenario

Source = Literal["held out", "cross-fitted", "training"]
Share = TypeVar("Share", float, NDArray[np.float64])


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
        Rows no model was trained on; rows each scored by a model not trained on it; or rows the model was trained on.

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
    source: Source

    def __post_init__(self) -> None:
        check_scenario(self.scenario)
        if self.source not in get_args(Source):
            raise SettingError(f"source must be one of {', '.join(get_args(Source))}, got {self.source!r}")
        object.__setattr__(self, "score_pos", round_scores(self.score_pos))
        object.__setattr__(self, "score_unl", round_scores(self.score_unl))

    def share_called(self, recall: Share, unl_share: Share, *, target: Target) -> Share:
        """Return the share of ``target`` that is called positive.

        In the one-sample scenario the population is labelled and unlabelled rows together,
        P_pop(+) = (n_P R + n_U P_U(+))/(n_P + n_U); in the two-sample scenario it is what the unlabelled rows are.
        """
        if target == "unlabelled" or self.scenario == "two-sample":
            return unl_share
        return (self.n_pos * recall + self.n_unl * unl_share) / (self.n_pos + self.n_unl)

    def shares_above(
        self, thresholds: Thresholds, *, target: Target
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return, for every threshold, the part of the positives and the share of ``target`` above it."""
        recall = thresholds.pos_above / len(self.score_pos)
        return recall, self.share_called(recall, thresholds.rest_above / len(self.score_unl), target=target)
