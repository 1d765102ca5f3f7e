"""The benchmark data sets: where their files come from, and how they are checked and read; features of their images."""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from angularpu_bench.catalogue.adni import load_adni as load_adni
    from angularpu_bench.catalogue.backbone import load_backbone as load_backbone
    from angularpu_bench.catalogue.datasets import load_dataset as load_dataset
    from angularpu_bench.catalogue.features import embed_dataset as embed_dataset
    from angularpu_bench.catalogue.medmnist import load_medmnist as load_medmnist

_PUBLIC = {
    "embed_dataset": "angularpu_bench.catalogue.features",
    "load_adni": "angularpu_bench.catalogue.adni",
    "load_backbone": "angularpu_bench.catalogue.backbone",
    "load_dataset": "angularpu_bench.catalogue.datasets",
    "load_medmnist": "angularpu_bench.catalogue.medmnist",
}
__all__ = [*_PUBLIC]


def __getattr__(name: str) -> Any:
    if name in _PUBLIC:
        return getattr(importlib.import_module(_PUBLIC[name]), name)
    raise AttributeError(f"module 'angularpu_bench.catalogue' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
