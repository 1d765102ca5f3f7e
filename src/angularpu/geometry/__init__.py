"""Points, directions and densities on the unit sphere."""

from typing import TYPE_CHECKING

from angularpu import export_lazily

if TYPE_CHECKING:
    from angularpu.geometry.bayes import BayesRule as BayesRule
    from angularpu.geometry.bayes import bayes_threshold as bayes_threshold
    from angularpu.geometry.bounds import dispersion_mean_bound as dispersion_mean_bound
    from angularpu.geometry.bounds import dispersion_range as dispersion_range
    from angularpu.geometry.bounds import dispersion_tail_bound as dispersion_tail_bound
    from angularpu.geometry.bounds import even_moment as even_moment
    from angularpu.geometry.bounds import largest_cosine_bound as largest_cosine_bound
    from angularpu.geometry.bounds import log_mgf_bound as log_mgf_bound
    from angularpu.geometry.bounds import neutral_bound as neutral_bound
    from angularpu.geometry.bounds import neutral_mean_bound as neutral_mean_bound
    from angularpu.geometry.bounds import tail_bound as tail_bound
    from angularpu.geometry.bounds import temperature_scale as temperature_scale
    from angularpu.geometry.sphere import normalise as normalise
    from angularpu.geometry.sphere import sample_uniform as sample_uniform
    from angularpu.geometry.vmf import kl_to_uniform as kl_to_uniform
    from angularpu.geometry.vmf import log_density as log_density
    from angularpu.geometry.vmf import log_normaliser as log_normaliser
    from angularpu.geometry.vmf import log_uniform as log_uniform
    from angularpu.geometry.vmf import mean_cosine as mean_cosine
    from angularpu.geometry.vmf_fit import VMF as VMF
    from angularpu.geometry.vmf_fit import fit_kappa as fit_kappa
    from angularpu.geometry.vmf_fit import fit_vmf as fit_vmf
    from angularpu.geometry.vmf_sample import sample_vmf as sample_vmf

__getattr__, __dir__, __all__ = export_lazily(
    __name__,
    {
        "bayes": ("BayesRule", "bayes_threshold"),
        "bounds": (
            "dispersion_mean_bound",
            "dispersion_range",
            "dispersion_tail_bound",
            "even_moment",
            "largest_cosine_bound",
            "log_mgf_bound",
            "neutral_bound",
            "neutral_mean_bound",
            "tail_bound",
            "temperature_scale",
        ),
        "sphere": ("normalise", "sample_uniform"),
        "vmf": ("kl_to_uniform", "log_density", "log_normaliser", "log_uniform", "mean_cosine"),
        "vmf_fit": ("VMF", "fit_kappa", "fit_vmf"),
        "vmf_sample": ("sample_vmf",),
    },
)
