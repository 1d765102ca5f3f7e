"""Estimators of the share of positives among the unlabelled rows, one per file; none of them fits a model."""

from typing import TYPE_CHECKING

from angularpu import export_lazily

if TYPE_CHECKING:
    from angularpu.priors.alpha import Alpha as Alpha
    from angularpu.priors.bbe import estimate_bbe as estimate_bbe
    from angularpu.priors.bootstrap import bootstrap_alpha as bootstrap_alpha
    from angularpu.priors.dedpul import estimate_dedpul as estimate_dedpul
    from angularpu.priors.elkan_noto import estimate_elkan_noto as estimate_elkan_noto
    from angularpu.priors.estimate import PriorEstimate as PriorEstimate
    from angularpu.priors.estimate import describe as describe
    from angularpu.priors.km2 import estimate_km2 as estimate_km2
    from angularpu.priors.pulscar import estimate_pulscar as estimate_pulscar
    from angularpu.priors.table import ESTIMATORS as ESTIMATORS
    from angularpu.priors.table import find_estimator as find_estimator
    from angularpu.priors.table import warn_disagreement as warn_disagreement
    from angularpu.priors.tice import estimate_tice as estimate_tice
    from angularpu.priors.vmf_uniform import estimate_vmf as estimate_vmf

__getattr__, __dir__, __all__ = export_lazily(
    __name__,
    {
        "alpha": ("Alpha",),
        "bbe": ("estimate_bbe",),
        "bootstrap": ("bootstrap_alpha",),
        "dedpul": ("estimate_dedpul",),
        "elkan_noto": ("estimate_elkan_noto",),
        "estimate": ("PriorEstimate", "describe"),
        "km2": ("estimate_km2",),
        "pulscar": ("estimate_pulscar",),
        "table": ("ESTIMATORS", "find_estimator", "warn_disagreement"),
        "tice": ("estimate_tice",),
        "vmf_uniform": ("estimate_vmf",),
    },
)
