"""Where to cut without negatives, what a cut does, and whether the labels fell at random."""

from typing import TYPE_CHECKING

from angularpu import export_lazily

if TYPE_CHECKING:
    from angularpu.decide.calibrate import Calibration as Calibration
    from angularpu.decide.calibrate import fit_calibration as fit_calibration
    from angularpu.decide.decision import Decision as Decision
    from angularpu.decide.held_out import HeldOut as HeldOut
    from angularpu.decide.oracle import oracle_f1 as oracle_f1
    from angularpu.decide.rule import Rule as Rule
    from angularpu.decide.rules import parse_rule as parse_rule
    from angularpu.decide.scar import check_scar as check_scar

__getattr__, __dir__, __all__ = export_lazily(
    __name__,
    {
        "calibrate": ("Calibration", "fit_calibration"),
        "decision": ("Decision",),
        "held_out": ("HeldOut",),
        "oracle": ("oracle_f1",),
        "rule": ("Rule",),
        "rules": ("parse_rule",),
        "scar": ("check_scar",),
    },
)
