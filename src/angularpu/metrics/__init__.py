"""Measures of scores and decisions, with and without true classes."""

from typing import TYPE_CHECKING

from angularpu import export_lazily

if TYPE_CHECKING:
    from angularpu.metrics.calibration import CalibrationCurve as CalibrationCurve
    from angularpu.metrics.calibration import calibration_curve as calibration_curve
    from angularpu.metrics.calibration import expected_calibration_error as expected_calibration_error
    from angularpu.metrics.classification import Confusion as Confusion
    from angularpu.metrics.evaluation import evaluate as evaluate
    from angularpu.metrics.precision_recall import PrecisionRecall as PrecisionRecall
    from angularpu.metrics.prior import implied_prior as implied_prior
    from angularpu.metrics.pu import area_under_lift as area_under_lift
    from angularpu.metrics.pu import correct_auc as correct_auc
    from angularpu.metrics.pu import proxy_accuracy as proxy_accuracy
    from angularpu.metrics.pu import pu_auc as pu_auc
    from angularpu.metrics.pu_average_precision import estimate_average_precision as estimate_average_precision
    from angularpu.metrics.pu_confusion import PUConfusion as PUConfusion
    from angularpu.metrics.pu_confusion import estimate_confusion as estimate_confusion
    from angularpu.metrics.pu_curves import PUCurve as PUCurve
    from angularpu.metrics.pu_curves import trace_curve as trace_curve
    from angularpu.metrics.pu_evaluation import evaluate_pu as evaluate_pu
    from angularpu.metrics.pu_intervals import Interval as Interval
    from angularpu.metrics.pu_intervals import bootstrap_intervals as bootstrap_intervals
    from angularpu.metrics.pu_risk import nnpu_risk as nnpu_risk
    from angularpu.metrics.pu_risk import upu_risk as upu_risk
    from angularpu.metrics.ranking import auc as auc
    from angularpu.metrics.ranking import average_precision as average_precision
    from angularpu.metrics.ranking import recall_at_precision as recall_at_precision
    from angularpu.metrics.scorers import make_pu_scorer as make_pu_scorer
    from angularpu.metrics.scorers import pu_auc_scorer as pu_auc_scorer

__getattr__, __dir__, __all__ = export_lazily(
    __name__,
    {
        "calibration": ("CalibrationCurve", "calibration_curve", "expected_calibration_error"),
        "classification": ("Confusion",),
        "evaluation": ("evaluate",),
        "precision_recall": ("PrecisionRecall",),
        "prior": ("implied_prior",),
        "pu": ("area_under_lift", "correct_auc", "proxy_accuracy", "pu_auc"),
        "pu_average_precision": ("estimate_average_precision",),
        "pu_confusion": ("PUConfusion", "estimate_confusion"),
        "pu_curves": ("PUCurve", "trace_curve"),
        "pu_evaluation": ("evaluate_pu",),
        "pu_intervals": ("Interval", "bootstrap_intervals"),
        "pu_risk": ("nnpu_risk", "upu_risk"),
        "ranking": ("auc", "average_precision", "recall_at_precision"),
        "scorers": ("make_pu_scorer", "pu_auc_scorer"),
    },
)
