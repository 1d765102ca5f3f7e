"""The best possible decision when positives follow vMF(mu, kappa) and negatives are uniform."""

import math
from dataclasses import dataclass

from angularpu.checks import check_share
from angularpu.errors import SettingError
from angularpu.geometry.vmf import log_mgf


@dataclass(frozen=True)
class BayesRule:
    """Call a row positive when its cosine with mu is at least ``cosine`` (the paper's tau)."""

    cosine: float

    @property
    def reachable(self) -> bool:
        """Whether some cosine lies on either side: above 1 the rule accepts no row, below -1 it accepts every row."""
        return -1 <= self.cosine <= 1

    def margin_score(self, sharpness: float, margin: float) -> float:
        """Give the same threshold on the margin score a (c - m): tau_s = a (tau - m).

        >>> BayesRule(0.75).margin_score(10.0, 0.5)
        2.5
        """
        return sharpness * (self.cosine - margin)


def bayes_threshold(kappa: float, d: int, *, prior: float) -> BayesRule:
    """Find the cosine above which a row is more likely positive than negative (MAP rule for vMF-uniform).

    tau = -(1/kappa) (log C_d(kappa) - log U_d + log(pi / (1 - pi)))

    Parameters
    ----------
    kappa : float
        Concentration of the positives around mu, above 0: fitted on held-out positives (``vmf_fit.fit_kappa``), not
        the scale of the score.
    d : int
        Dimension of the space around the sphere, at least 2.
    prior : float
        Share of positives among the rows to be decided, in (0, 1).

    Returns
    -------
    BayesRule
        The threshold, which also says whether any cosine can reach it.

    Examples
    --------
    >>> rule = bayes_threshold(40.0, 128, prior=0.3)
    >>> round(rule.cosine, 3), rule.reachable
    (0.171, True)
    >>> bayes_threshold(0.1, 128, prior=0.3).reachable
    False
    """
    check_share("prior", prior, advice="estimate it on the unlabelled rows first")
    if not kappa > 0:
        raise SettingError(
            f"kappa must be above 0, got {kappa}; positives as spread out as negatives allow no threshold"
        )
    return BayesRule((log_mgf(kappa, d) - math.log(prior / (1 - prior))) / kappa)
