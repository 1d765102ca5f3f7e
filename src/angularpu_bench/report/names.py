"""What tables call methods, data sets, metrics, settings and tracks, and the order in which they list them."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from angularpu.methods.table import METHODS
from angularpu_bench.catalogue.datasets import CATALOGUE

AS_PUBLISHED = "paper"  # the preset, and the variant of this name in specs: AngularPU by the paper's own schedule
FOLD_MEAN = "angular-folds"  # the variant of this name: the mean of AngularPU's five folds
DECISION_NAMES: Mapping[str, str] = MappingProxyType(
    {"accuracy": "accuracy", "precision": "precision", "recall": "recall", "f1": "F1"}
)
THRESHOLD_NAMES: Mapping[str, str] = MappingProxyType({"oracle": "oracle threshold", "pu": "PU-valid threshold"})
METRIC_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "auc": "AUC",
        "auc_last": "AUC, last epoch",
        "ap": "AP",
        **{
            f"{metric}_{chosen}": f"{name}, {where}"
            for metric, name in DECISION_NAMES.items()
            for chosen, where in THRESHOLD_NAMES.items()
        },
        "best_f1": "best F1 of all thresholds",
        "recall_at_p90": "recall at precision .90",
        "recall_at_p95": "recall at precision .95",
        "seconds": "seconds",
        "memory_mb": "memory (MB)",
    }
)
TRACK_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "features": "features: a frozen ImageNet backbone, then a small network",
        "scratch": "scratch: CNN-13 from random weights",
        "finetune": "finetune: VGG from ImageNet weights, all of it or its last blocks trained",
        "table": "table: columns as they are, a small network",
        "text": "text: word counts, a small network",
    }
)
# By what the names of specs have after the first dash.
SCHEDULE_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "": "chosen epoch",
        "published": "published schedule",
        "published_learnt": "published schedule, margin trained",
    }
)
PARAMETER_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "lambda_": "λ",
        "kappa": "κ",
        "margin": "m",
        "d": "d",
        "t": "t",
        "alpha": "share of positives in U",
    }
)


def name_method(method: str) -> str:
    """Return a method's title; a preset or variant is called by its name, but for two of AngularPU's.

    >>> name_method("dist_pu"), name_method("paper"), name_method("COS-WGH-M0.5")
    ('Dist-PU', 'AngularPU, as published', 'COS-WGH-M0.5')
    """
    if method == AS_PUBLISHED:
        return f"{METHODS['angular'].title}, as published"
    if method == FOLD_MEAN:
        return f"{METHODS['angular'].title}, mean of five folds"
    return METHODS[method].title if method in METHODS else method


def name_dataset(dataset: str) -> str:
    """Return a data set's title, with the positive classes where there is a choice.

    >>> name_dataset("cifar10-animals")
    'CIFAR-10, animals'
    """
    return CATALOGUE[dataset].title if dataset in CATALOGUE else dataset


def name_told(method: str) -> str:
    """Return a method's title, marked if the method is given the true share of positives.

    >>> name_told("nnpu"), name_told("angular")
    ('nnPU (given the prior)', 'AngularPU')
    """
    return f"{name_method(method)} (given the prior)" if is_told(method) else name_method(method)


def is_told(method: str) -> bool:
    """Tell whether a method needs the share of positives; specs with prior = "true" tell it the true one."""
    return method in METHODS and "prior" in METHODS[method].traits


def find_source(dataset: str) -> str:
    """Return the first data set of the catalogue with the same files; another grouping is not new data.

    >>> find_source("cifar10-animals"), find_source("spam")
    ('cifar10', 'spam')
    """
    files = CATALOGUE[dataset].files if dataset in CATALOGUE else ()
    return next((name for name, entry in CATALOGUE.items() if files and entry.files == files), dataset)


def order_methods(methods: Iterable[str]) -> list[str]:
    """Sort methods in the order of the table of methods; unknown ones follow in the given order.

    >>> order_methods(["nnpu", "mine", "paper", "angular"])
    ['angular', 'paper', 'nnpu', 'mine']
    """
    first, *others = METHODS
    return _order(methods, [first, AS_PUBLISHED, FOLD_MEAN, *others])


def order_datasets(datasets: Iterable[str]) -> list[str]:
    """Sort data sets in the order of the catalogue; unknown ones follow in the given order."""
    return _order(datasets, CATALOGUE)


def order_tracks(tracks: Iterable[str]) -> list[str]:
    """Sort tracks in the order of TRACK_NAMES; unknown ones follow in the given order."""
    return _order(tracks, TRACK_NAMES)


def _order(names: Iterable[str], known: Iterable[str]) -> list[str]:
    positions = {name: position for position, name in enumerate(known)}
    return sorted(names, key=lambda name: positions.get(name, len(positions)))
