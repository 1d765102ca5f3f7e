"""The table of all estimators of the share of positives."""

import importlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from angularpu.checks import suggest
from angularpu.errors import SettingError
from angularpu.priors.alpha import Alpha
from angularpu.priors.estimate import PriorEstimate

Needs = Literal["scores", "cosines", "rows", "training"]

# The others have a known bias, so that they disagree is no news.
_COMPARED = ("bbe", "dedpul", "tedn")
_TOLERANCE = 0.15


@dataclass(frozen=True)
class Estimator:
    """One row of the table: what an estimator needs, how it works, and where it was published.

    Attributes
    ----------
    needs : {"scores", "cosines", "rows", "training"}
        What it is computed from: out-of-fold scores, cosines with a prototype, the rows, or out-of-fold scores of
        networks that are trained for it.
    function : str
        "module:function".
    summary : str
        The idea in one sentence.
    reference : str
        Where it was published.
    """

    needs: Needs
    function: str
    summary: str
    reference: str

    def load(self) -> Callable[..., Alpha]:
        """Import and return the function."""
        module, name = self.function.split(":")
        function: Callable[..., Alpha] = getattr(importlib.import_module(module), name)
        return function


ESTIMATORS: Mapping[str, Estimator] = MappingProxyType(
    {
        "bbe": Estimator(
            "scores",
            "angularpu.priors.bbe:estimate_bbe",
            "Divides the share of U by the share of P above the score where both are known best.",
            "Garg, Wu, Smola, Balakrishnan and Lipton, Mixture Proportion Estimation and PU Learning, NeurIPS 2021",
        ),
        "tedn": Estimator(
            "training",
            "angularpu.priors.bbe:estimate_bbe",
            "Applies BBE to a network that is trained on P against the rows of U that do not look positive.",
            "Garg, Wu, Smola, Balakrishnan and Lipton, Mixture Proportion Estimation and PU Learning, NeurIPS 2021",
        ),
        "dedpul": Estimator(
            "scores",
            "angularpu.priors.dedpul:estimate_dedpul",
            "Finds the share that equals the mean of its own posterior, by a smooth ratio of densities.",
            "Ivanov, DEDPUL: Difference-of-Estimated-Densities-based Positive-Unlabeled Learning, ICMLA 2020",
        ),
        "tice": Estimator(
            "rows",
            "angularpu.priors.tice:estimate_tice",
            "Bounds the label frequency in the subsets of rows that a tree finds richest in labels.",
            "Bekker and Davis, Estimating the Class Prior in Positive and Unlabeled Data through Decision Tree "
            "Induction, AAAI 2018",
        ),
        "km2": Estimator(
            "rows",
            "angularpu.priors.km2:estimate_km2",
            "Moves U away from P in a kernel's space until it stops being a distribution.",
            "Ramaswamy, Scott and Tewari, "
            "Mixture Proportion Estimation via Kernel Embeddings of Distributions, ICML 2016",
        ),
        "elkan_noto": Estimator(
            "scores",
            "angularpu.priors.elkan_noto:estimate_elkan_noto",
            "Takes the classifier's mean probability on held-out positives as the label frequency.",
            "Elkan and Noto, Learning Classifiers from Only Positive and Unlabeled Data, KDD 2008",
        ),
        "pulscar": Estimator(
            "scores",
            "angularpu.priors.pulscar:estimate_pulscar",
            "Raises alpha until alpha times P's density exceeds U's density.",
            "Kumar and Lambert, Positive Unlabeled Learning Selected Not At Random, 2024",
        ),
        "vmf": Estimator(
            "cosines",
            "angularpu.priors.vmf_uniform:estimate_vmf",
            "Fits a mixture of the positives' vMF law and uniform directions to U.",
            "Sevetlidis, Pavlidis and Gasteratos, "
            "Angular Regularization for Positive-Unlabeled Learning on the Hypersphere, TMLR 2025",
        ),
    }
)


def find_estimator(name: str) -> Estimator:
    """Return an estimator by its name.

    >>> find_estimator("bbe").needs
    'scores'
    """
    if name not in ESTIMATORS:
        raise SettingError(f"prior estimator {name!r} is unknown; {suggest(name, ESTIMATORS)}")
    return ESTIMATORS[name]


def warn_disagreement(estimates: Iterable[PriorEstimate]) -> str | None:
    """Return a warning if BBE, DEDPUL and TED^n, as many of them as there are, lie more than .15 apart.

    >>> shares = {"prior": 0.0, "label_freq": 1.0, "low": 0.0, "high": 1.0, "diagnostics": {}, "notes": ()}
    >>> warn_disagreement([PriorEstimate("bbe", 0.4, **shares), PriorEstimate("dedpul", 0.2, **shares)])
    'the estimates of alpha disagree (bbe 0.40, dedpul 0.20): ...'
    """
    counted = {each.name: each.alpha for each in estimates if each.name in _COMPARED}
    if not counted or max(counted.values()) - min(counted.values()) <= _TOLERANCE:
        return None
    each = ", ".join(f"{name} {alpha:.2f}" for name, alpha in counted.items())
    return (
        f"the estimates of alpha disagree ({each}): there may be no purely positive region, or too few rows; "
        "state the prior if you know it"
    )
