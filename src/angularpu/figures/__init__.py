"""Figures that a user draws, and the style they share."""

from typing import TYPE_CHECKING

from angularpu import export_lazily

if TYPE_CHECKING:
    from angularpu.figures.comparison import save_comparison_figure as save_comparison_figure
    from angularpu.figures.importance import save_importance_figure as save_importance_figure
    from angularpu.figures.priors import save_prior_figure as save_prior_figure
    from angularpu.figures.scores import save_score_figure as save_score_figure
    from angularpu.figures.sensitivity import save_sensitivity_figure as save_sensitivity_figure
    from angularpu.figures.style import colour_of as colour_of
    from angularpu.figures.style import styled as styled

__getattr__, __dir__, __all__ = export_lazily(
    __name__,
    {
        "comparison": ("save_comparison_figure",),
        "importance": ("save_importance_figure",),
        "priors": ("save_prior_figure",),
        "scores": ("save_score_figure",),
        "sensitivity": ("save_sensitivity_figure",),
        "style": ("colour_of", "styled"),
    },
)
