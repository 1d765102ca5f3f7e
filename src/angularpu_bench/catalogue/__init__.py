"""The benchmark data sets: where their files come from, and how they are checked and read; features of their images."""

from typing import TYPE_CHECKING

from angularpu import export_lazily

if TYPE_CHECKING:
    from angularpu_bench.catalogue.adni import load_adni as load_adni
    from angularpu_bench.catalogue.backbone import load_backbone as load_backbone
    from angularpu_bench.catalogue.datasets import load_dataset as load_dataset
    from angularpu_bench.catalogue.features import embed_dataset as embed_dataset
    from angularpu_bench.catalogue.medmnist import load_medmnist as load_medmnist

__getattr__, __dir__, __all__ = export_lazily(
    __name__,
    {
        "adni": ("load_adni",),
        "backbone": ("load_backbone",),
        "datasets": ("load_dataset",),
        "features": ("embed_dataset",),
        "medmnist": ("load_medmnist",),
    },
)
