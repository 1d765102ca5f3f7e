"""Positive-unlabelled learning on the hypersphere: scores, a threshold and a saved model, without a single negative."""

import importlib
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from angularpu.audit.file import read_audit as read_audit
    from angularpu.data.sources import as_rows as as_rows
    from angularpu.decide.sensitivity import sensitivity as sensitivity
    from angularpu.engines.batch_scorer import BatchScorer as BatchScorer
    from angularpu.estimators.angular import AngularPUClassifier as AngularPUClassifier
    from angularpu.estimators.any import PUClassifier as PUClassifier
    from angularpu.estimators.auditing import draw_audit as draw_audit
    from angularpu.estimators.loading import load as load
    from angularpu.fit.labelling_check import check_labelling as check_labelling
    from angularpu.fit.prior_estimation import estimate_prior as estimate_prior
    from angularpu.fit.prior_estimation import estimate_priors as estimate_priors
    from angularpu.methods.presets import PRESETS as PRESETS
    from angularpu.methods.table import METHODS as METHODS
    from angularpu.metrics.evaluation import evaluate as evaluate
    from angularpu.metrics.pu_evaluation import evaluate_pu as evaluate_pu
    from angularpu.metrics.scorers import make_pu_scorer as make_pu_scorer
    from angularpu.metrics.scorers import pu_auc_scorer as pu_auc_scorer
    from angularpu.scenario.one_sample import one_sample as one_sample
    from angularpu.scenario.oracle import supervised_sample as supervised_sample
    from angularpu.scenario.proportions import Proportions as Proportions
    from angularpu.scenario.sample import PUSample as PUSample
    from angularpu.scenario.sample import Truth as Truth
    from angularpu.scenario.sample import make_sample as make_sample
    from angularpu.scenario.sample_file import read_sample as read_sample
    from angularpu.scenario.split import PUStratifiedKFold as PUStratifiedKFold
    from angularpu.scenario.two_sample import two_sample as two_sample

__version__ = "0.1.0"


def export_lazily(
    package: str, homes: Mapping[str, tuple[str, ...]]
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Let names be imported from a package that stand in its modules, none of which is imported before it is needed.

    Parameters
    ----------
    package : str
        Its ``__name__``.
    homes : mapping of str to tuple of str
        The names by the module, below the package, that they stand in. No name may be that of a module: importing the
        module would hide it.

    Returns
    -------
    getattr, dir, all
        The package's ``__getattr__`` and ``__dir__`` (PEP 562) and its ``__all__``.
    """
    modules = {name: module for module, names in homes.items() for name in names}

    def fetch(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(importlib.import_module(f"{package}.{modules[name]}"), name)

    return fetch, lambda: sorted(modules), list(modules)


_fetch, _, _NAMES = export_lazily(
    __name__,
    {
        "audit.file": ("read_audit",),
        "data.sources": ("as_rows",),
        "decide.sensitivity": ("sensitivity",),
        "engines.batch_scorer": ("BatchScorer",),
        "estimators.angular": ("AngularPUClassifier",),
        "estimators.any": ("PUClassifier",),
        "estimators.auditing": ("draw_audit",),
        "estimators.loading": ("load",),
        "fit.labelling_check": ("check_labelling",),
        "fit.prior_estimation": ("estimate_prior", "estimate_priors"),
        "methods.presets": ("PRESETS",),
        "methods.table": ("METHODS",),
        "metrics.evaluation": ("evaluate",),
        "metrics.pu_evaluation": ("evaluate_pu",),
        "metrics.scorers": ("make_pu_scorer", "pu_auc_scorer"),
        "scenario.one_sample": ("one_sample",),
        "scenario.oracle": ("supervised_sample",),
        "scenario.proportions": ("Proportions",),
        "scenario.sample": ("PUSample", "Truth", "make_sample"),
        "scenario.sample_file": ("read_sample",),
        "scenario.split": ("PUStratifiedKFold",),
        "scenario.two_sample": ("two_sample",),
    },
)


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return [*_list_names(), "__version__"]
    if name.endswith("Classifier") and name not in _NAMES and name in _list_names():  # a method's own
        return getattr(importlib.import_module("angularpu.estimators.named"), name)
    return _fetch(name)


def __dir__() -> list[str]:
    return sorted([*_list_names(), "__version__"])


def _list_names() -> list[str]:
    """Return every public name; the classes of the methods are those that the table has."""
    classes = (card.class_name for card in _fetch("METHODS").values())
    return list(dict.fromkeys([*_NAMES, *classes]))
