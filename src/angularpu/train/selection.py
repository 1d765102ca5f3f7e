"""Which epoch to keep: one number per epoch from rows held out, the greatest wins."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from angularpu.errors import SettingError
from angularpu.metrics.cuts import list_cuts
from angularpu.metrics.mixture import share_called
from angularpu.metrics.pu import proxy_accuracy, pu_auc
from angularpu.metrics.pu_risk import nnpu_risk
from angularpu.metrics.ranking import auc
from angularpu.scenario.proportions import Proportions
from angularpu.scenario.sample import Truth
from angularpu.train.selection_names import NEEDS_PRIOR, Selection

ScoreArray = NDArray[np.float32]


@dataclass(frozen=True)
class Judge:
    """Measures every epoch by each rule it can follow, and names the value that selects.

    Parameters
    ----------
    selection : {"pu-auc", "proxy-accuracy", "pu-risk", "last", "oracle"}
        The rule that selects; "last" selects nothing and measures by the others all the same.
    shares : Proportions, optional
        The shares of positives, which proxy accuracy and PU risk need.
    truth : Truth, optional
        True classes of the whole sample, for "oracle" alone.

    Examples
    --------
    >>> shares = Proportions(n_pos=2, n_unl=4, scenario="two-sample", alpha=0.5)
    >>> pos, unl = np.array([3, 4], np.float32), np.array([-1, -2, 3.5, 5], np.float32)
    >>> measures = Judge("proxy-accuracy", shares).measure(pos, unl, index=np.arange(4))
    >>> measures["proxy_accuracy"], round(measures["pu_risk"], 3)
    (1.5, 0.121)
    """

    selection: Selection = "pu-auc"
    shares: Proportions | None = None
    truth: Truth | None = None

    @property
    def selects(self) -> bool:
        """Whether the rule chooses among the epochs, rather than keeping the last."""
        return self.selection != "last"

    def measure(self, pos: ScoreArray, unl: ScoreArray, *, index: NDArray[np.int64]) -> dict[str, float]:
        """Return every measure of the held-out scores; ``index`` has the numbers of the unlabelled rows."""
        measures = {"pu_auc": pu_auc(pos, unl)}
        if self.shares is not None:
            measures["proxy_accuracy"] = _best_proxy_accuracy(pos, unl, self.shares)
            measures["pu_risk"] = nnpu_risk(pos, unl, shares=self.shares)
        if self.truth is not None:
            y = self.truth.y[index]
            measures["oracle_auc"] = auc(np.concatenate([pos, unl[y == 1]]), unl[y == 0])
        return measures

    def value(self, measures: dict[str, float]) -> float:
        """Return what the selection rule compares, the greater the better."""
        if self.selection == "pu-risk":
            return -measures["pu_risk"]
        return measures[{"proxy-accuracy": "proxy_accuracy", "oracle": "oracle_auc"}.get(self.selection, "pu_auc")]


def make_judge(selection: Selection, *, shares: Proportions | None, truth: Truth | None) -> Judge:
    """Return the judge of a selection rule, refusing a rule that lacks what it needs.

    Parameters
    ----------
    selection : {"pu-auc", "proxy-accuracy", "pu-risk", "last", "oracle"}
    shares : Proportions or None
        The shares of positives, where they are known.
    truth : Truth or None
        True classes of the whole sample; only the judge of "oracle" gets them.
    """
    if selection in NEEDS_PRIOR and shares is None:
        raise SettingError(
            f"selection {selection!r} needs the share of positives; pass prior, a number or an estimator"
        )
    if selection == "oracle" and truth is None:
        raise SettingError("selection 'oracle' needs the true classes; without them use 'pu-auc', which needs none")
    return Judge(selection, shares, truth if selection == "oracle" else None)


def _best_proxy_accuracy(pos: ScoreArray, unl: ScoreArray, shares: Proportions) -> float:
    """Return the proxy accuracy at the threshold where it is greatest."""
    cuts = list_cuts(pos, unl)
    recall = cuts.pos_above / len(pos)
    called = share_called(recall, cuts.rest_above / len(unl), shares=shares, target="population")
    return float(proxy_accuracy(recall, called, share=shares.prior).max())
