"""One fit, front to back, and what it asks of its sample."""

from typing import TYPE_CHECKING

from angularpu import export_lazily

if TYPE_CHECKING:
    from angularpu.fit.comparing import compare_methods as compare_methods
    from angularpu.fit.comparison import ComparedMethod as ComparedMethod
    from angularpu.fit.comparison import Comparison as Comparison
    from angularpu.fit.labelling_check import check_labelling as check_labelling
    from angularpu.fit.out_of_fold import score_out_of_fold as score_out_of_fold
    from angularpu.fit.prior_estimation import estimate_alpha as estimate_alpha
    from angularpu.fit.prior_estimation import estimate_prior as estimate_prior
    from angularpu.fit.prior_estimation import estimate_priors as estimate_priors
    from angularpu.fit.workflow import fit_method as fit_method

__getattr__, __dir__, __all__ = export_lazily(
    __name__,
    {
        "comparing": ("compare_methods",),
        "comparison": ("ComparedMethod", "Comparison"),
        "labelling_check": ("check_labelling",),
        "out_of_fold": ("score_out_of_fold",),
        "prior_estimation": ("estimate_alpha", "estimate_prior", "estimate_priors"),
        "workflow": ("fit_method",),
    },
)
