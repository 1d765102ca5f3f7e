"""The table that the harness prints, the summary that is committed, and the page that is made of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from angularpu import files
from torture import PARTS
from torture.findings import PROMISES, Findings

TEMPLATE = Path(__file__).with_name("page.md")
SUMMARY = Path(__file__).with_name("summary.json")
PAGE = Path(__file__).parents[1] / "docs" / "torture.md"
COLUMNS = ("what", "tried", *PROMISES, "other faults", "remark")


Row = dict[str, Any]  # what was tried, how often, what was found


@dataclass
class Report:
    """What one part tried, and what came of it, printed as it comes."""

    rows: list[Row] = field(default_factory=list)
    load: Row | None = None

    def add(self, name: str, n: int, findings: Findings, remark: str = "") -> None:
        """Add a row: what was tried, how often, what was found, and whatever else there is to say."""
        counts = {promise: findings.count(promise) for promise in PROMISES}
        known = sum(any(w in s for words in PROMISES.values() for w in words) for s in findings.sentences)
        self.rows.append({"what": name, "tried": n, **counts, "other faults": len(findings) - known, "remark": remark})
        print(_write_row(self.rows[-1]), flush=True)
        for sentence in findings.sentences[:20]:
            print(f"  {sentence}", flush=True)

    @property
    def failures(self) -> int:
        """How much was not as promised."""
        return sum(int(row[column]) for row in self.rows for column in (*PROMISES, "other faults"))


def keep(parts: Mapping[str, Report], *, kinds: Sequence[str]) -> None:
    """Put what some parts found into the committed summary, beside the others, and write the page anew."""
    with files.lock(SUMMARY.with_suffix(".lock")):
        summary = files.read_json(SUMMARY) if SUMMARY.exists() else {"parts": {}, "load": None}
        summary["kinds"] = list(kinds)
        for name, report in parts.items():
            summary["parts"][name] = report.rows
            summary["load"] = report.load or summary["load"]
        files.write_json(SUMMARY, summary)
        if summary["load"]:
            with files.atomic_file(PAGE) as temporary:
                temporary.write_text(write_page(summary), encoding="utf-8")


def write_page(summary: Row) -> str:
    """Return the page that a summary makes."""
    rows = [_write_row(row) for part in PARTS for row in summary["parts"].get(part, [])]
    table, kinds = "\n".join([write_head(), *rows]), "\n".join(f"- {kind}" for kind in summary["kinds"])
    return TEMPLATE.read_text(encoding="utf-8").format(table=table, kinds=kinds, load=summary["load"])


def write_head() -> str:
    """Return the head of the table."""
    return f"| {' | '.join(COLUMNS)} |\n|{'---|' * len(COLUMNS)}"


def _write_row(row: Row) -> str:
    return "| " + " | ".join(f"{row[column]:,}" if column == "tried" else str(row[column]) for column in COLUMNS) + " |"
