"""Write the page: rows ranked and gathered, figures along all thresholds, reasons, notices; then one file."""

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from angularpu import __version__, files
from angularpu.errors import DataError, SettingError
from angularpu.explore.audited import Sheet, check_sheet, open_sheet
from angularpu.explore.columns import ColumnWriter
from angularpu.explore.container import Sections, dump_for_page
from angularpu.explore.curves import count_bins, list_rules, trace_page
from angularpu.explore.gathering import Gathered, gather_rows
from angularpu.explore.html import assemble_page
from angularpu.explore.notices import list_notices
from angularpu.explore.ranking import Ranking, rank_rows
from angularpu.explore.reasons import add_effects, add_neighbours
from angularpu.explore.sphere import Sphere, draw_map, find_sphere, measure_angles
from angularpu.methods.fitted import Fitted
from angularpu.methods.table import find_method
from angularpu.progress import ReportProgress

REVIEWS_SCHEMA = 1


@dataclass(frozen=True)
class Explored:
    """How many rows a page is about.

    Attributes
    ----------
    n : int
        Rows in the file.
    shown : int
        Rows on the page.
    known : int
        Known positives in the file.
    size : int
        Of the page, in bytes.
    """

    n: int
    shown: int
    known: int
    size: int


def write_page(
    fitted: Fitted,
    data: Path,
    *,
    out: Path,
    title: str | None = None,
    label: str | None = None,
    out_of_fold: bool = False,
    audit: Path | None = None,
    report: ReportProgress | None = None,
) -> Explored:
    """Write one HTML page in which people look at rows, move the threshold and mark what they know.

    The page holds all it needs: it opens from disk, without a server and without a network.

    Parameters
    ----------
    fitted : Fitted
        The model.
    data : Path
        A table (.csv, .parquet) or array (.npy, .npz) with the columns the model was fitted on.
    out : Path
        Ends in .html.
    title : str, optional
        By default the name of ``data``.
    label : str, optional
        Column of ``data`` that marks known positives; without it those that the model remembers.
    out_of_fold : bool
        ``data`` is the training data: every row gets the score of a model that was not trained on it.
    audit : Path, optional
        An audit that was drawn with this model from ``data``; the page opens on its rows.
    report : callable, optional
        Called with (rows done, rows in all, text).
    """
    if out.suffix.lower() not in (".html", ".htm"):
        raise SettingError(f"the page is HTML, so its name must end in .html, got {out}; rename it")
    if audit is not None and out_of_fold:
        raise SettingError("an audit's scores are the model's own; leave --out-of-fold out, or --audit")
    sheet = None if audit is None else open_sheet(audit, fitted)
    wanted = () if sheet is None else (sheet.audit.number - 1).tolist()
    ranking = rank_rows(fitted, data, label=label, out_of_fold=out_of_fold, wanted=wanted, report=report)
    if ranking.known.all():
        raise DataError(f"{data} has no rows besides known positives, so there is nothing to look for")
    if sheet is not None:
        check_sheet(sheet, ranking, data=data)
    sphere = find_sphere(fitted.scorer)
    gathered = gather_rows(fitted, data, ranking, sphere=sphere)
    sections = Sections()
    header = {
        **describe_model(fitted, ranking, data=data, title=title),
        "told": label is not None or out_of_fold,
        "notices": list_notices(fitted, ranking, out_of_fold=out_of_fold),
        "audit": sheet and sheet.to_json(ranking),
        **_add_figures(fitted, ranking, sheet),
        **_add_rows(sections, fitted, ranking, gathered=gathered, sphere=sphere),
    }
    header["sections"] = sections.index
    page = assemble_page(str(header["title"]), header=dump_for_page(header), sections=sections.pack()).encode()
    with files.atomic_file(out) as temporary:
        temporary.write_bytes(page)
    return Explored(len(ranking.score), len(ranking.rows), int(ranking.known.sum()), len(page))


def describe_model(fitted: Fitted, ranking: Ranking, *, data: Path, title: str | None) -> dict[str, Any]:
    """Return what the head of the page says, and what tells this page's marks from those of others."""
    digest = hashlib.sha256(fitted.held.fingerprint().encode())
    digest.update(np.ascontiguousarray(ranking.score).tobytes())
    return {
        "version": __version__,
        "schema": REVIEWS_SCHEMA,
        "key": digest.hexdigest()[:16],
        "title": title or data.name,
        "method": find_method(fitted.method).title,
        "rule": fitted.decision.rule.split(",")[0],
        "positive": str(fitted.classes[1]),
        "n": len(ranking.score),
        "known": int(ranking.known.sum()),
        "held": {"pos": len(fitted.held.score_pos), "unl": len(fitted.held.score_unl), "source": fitted.held.source},
        "scenario": fitted.held.scenario,
    }


def _add_figures(fitted: Fitted, ranking: Ranking, sheet: Sheet | None) -> dict[str, Any]:
    """Return the figures along the thresholds, and how many unlabelled rows of the file each flags."""
    answers = None if sheet is None else sheet.answers
    rules = list_rules(fitted, answers)
    curve = trace_page(fitted, answers, rules=rules)
    unlabelled = np.sort(ranking.score[~ranking.known]).astype(np.float64)
    curve["flagged"] = (len(unlabelled) - np.searchsorted(unlabelled, curve["threshold"], side="right")).tolist()
    bins = count_bins(ranking.score[~ranking.known], fitted.held.score_pos)
    return {"rules": rules, "curve": curve, "bins": bins, "unlabelled": len(unlabelled)}


def _add_rows(
    sections: Sections, fitted: Fitted, ranking: Ranking, *, gathered: Gathered, sphere: Sphere | None
) -> dict[str, Any]:
    """Add all that is kept of the rows to the sections, and return what the page must know to read it."""
    score = ranking.score[ranking.rows]
    sections.add("row", (ranking.rows + 1).astype(np.uint32))
    sections.add("score", score)
    sections.add("probability", fitted.probability(score).astype(np.float32))
    sections.add("known", ranking.known[ranking.rows].astype(np.uint8))
    sections.add("fingerprint", gathered.fingerprint.view(np.uint32))
    sections.add("deep", ranking.deep.astype(np.uint32))
    writer = ColumnWriter(sections, ranking.deep)
    for table, deep in ((gathered.table, False), (gathered.deep_table, True)):
        for name in table.column_names:
            writer.write(name, table[name], deep=deep)
    content: dict[str, Any] = {
        "columns": writer.specs,
        "neighbours": add_neighbours(sections, gathered, ranking, sphere=sphere),
        "effects": add_effects(sections, gathered, ranking, fitted=fitted),
        "map": _add_map(sections, gathered, sphere=sphere, method=find_method(fitted.method).title),
        "images": None,
    }
    if gathered.images is not None:
        pixels = gathered.images.pixels
        sections.add("images", pixels)
        content["images"] = {"height": pixels.shape[1], "width": pixels.shape[2], "channels": pixels.shape[3]}
    return content


def _add_map(sections: Sections, gathered: Gathered, *, sphere: Sphere | None, method: str) -> dict[str, Any]:
    if sphere is None or gathered.z is None:
        return {"why_not": f"{method} has no network, so there is no sphere to draw; the method angular has one."}
    if sphere.prototype is None:
        return {"why_not": f"{method} has no prototype on its sphere to draw a map around; the method angular has one."}
    sections.add("map", draw_map(gathered.z, sphere.prototype))
    sections.add("angle", measure_angles(gathered.z, sphere.prototype))
    return {"whose": sphere.whose}
