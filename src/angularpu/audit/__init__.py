"""A few rows checked by hand: which ones to draw, and what their answers say about a model."""

from typing import TYPE_CHECKING

from angularpu import export_lazily

if TYPE_CHECKING:
    from angularpu.audit.answers import Answers as Answers
    from angularpu.audit.answers import answer as answer
    from angularpu.audit.draw import Audit as Audit
    from angularpu.audit.draw import draw_rows as draw_rows
    from angularpu.audit.estimates import Estimate as Estimate
    from angularpu.audit.file import read_audit as read_audit
    from angularpu.audit.file import write_audit as write_audit
    from angularpu.audit.report import AuditReport as AuditReport

__getattr__, __dir__, __all__ = export_lazily(
    __name__,
    {
        "answers": ("Answers", "answer"),
        "draw": ("Audit", "draw_rows"),
        "estimates": ("Estimate",),
        "file": ("read_audit", "write_audit"),
        "report": ("AuditReport",),
    },
)
