"""The paper's supervised rule, which needs true classes and is therefore called oracle."""

from dataclasses import dataclass
from typing import ClassVar, NoReturn

import numpy as np

from angularpu.decide.decision import Decision
from angularpu.decide.held_out import HeldOut
from angularpu.decide.recall_interval import bound_binomial
from angularpu.decide.rule import Rule
from angularpu.decide.threshold import Thresholds, list_thresholds, round_scores
from angularpu.errors import DataError, SettingError
from angularpu.metrics.cuts import Score
from angularpu.scenario.sample import Scenario, Truth


@dataclass(frozen=True)
class OracleF1(Rule):
    """Take the threshold with the greatest F1 on rows whose true classes are known; see :func:`oracle_f1`.

    >>> str(OracleF1())
    'oracle-f1'
    """

    name: ClassVar[str] = "oracle-f1"
    example: ClassVar[str] = "oracle-f1"

    def check(self, *, n_pos: int, n_unl: int, scenario: Scenario, has_margin: bool) -> NoReturn:
        """Refuse: the rule needs true classes."""
        raise SettingError(
            "the rule oracle-f1 needs true labels; call oracle_f1 with a Truth, or take lee-liu, which needs none"
        )

    def find(self, held: HeldOut, thresholds: Thresholds) -> NoReturn:
        """Refuse: the rule needs true classes."""
        self.check(n_pos=held.n_pos, n_unl=held.n_unl, scenario=held.scenario, has_margin=False)


def oracle_f1(truth: Truth, score: Score) -> Decision:
    """Choose the threshold with the greatest F1 = 2 tp/(n_pos + called positive), given the true classes.

    Of equally good thresholds the lowest is taken. There are no unlabelled rows, so the decision's ``positive_share``
    is that of all rows.

    Parameters
    ----------
    truth : Truth
        True classes, both present.
    score : float array of shape (n,)
        Higher means more positive.

    Examples
    --------
    >>> decision = oracle_f1(Truth(np.array([1, 0, 1, 0], np.int8)), np.array([4.0, 3.0, 2.0, 1.0]))
    >>> decision.threshold, decision.recall, decision.positive_share
    (1.5, 1.0, 0.75)
    """
    if len(truth) != len(score):
        raise DataError(f"there are {len(truth)} true classes but {len(score)} scores; pass one score per row")
    n_pos = int(np.count_nonzero(truth.y))
    if n_pos in {0, len(truth)}:
        raise DataError("the true classes are all the same; oracle-f1 needs positives and negatives")
    score = round_scores(score)
    thresholds = list_thresholds(score[truth.y == 1], score[truth.y == 0])
    called = thresholds.pos_above + thresholds.rest_above
    at = int(np.argmax(2 * thresholds.pos_above / (n_pos + called)))
    k = int(thresholds.pos_above[at])
    low, high = bound_binomial(k, n_pos)
    return Decision(
        rule=str(OracleF1()),
        threshold=float(thresholds.value[at]),
        recall=k / n_pos,
        recall_low=low,
        recall_high=high,
        positive_share=float(called[at] / len(truth)),
        n_pos_used=n_pos,
        notes=("oracle: the threshold was chosen with true labels",),
    )
