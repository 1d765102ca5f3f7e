"""The report as one HTML page that loads nothing from elsewhere."""

import html
import math
import re
from collections.abc import Mapping, Sequence

from angularpu.figures.picture import Picture
from angularpu_bench.report.html_template import TEMPLATE
from angularpu_bench.report.section import Section
from angularpu_bench.report.table import Field, Table

_LONGEST_LINE = 45  # characters; a longer text of a field is broken into lines


def write_html(
    title: str,
    sections: Sequence[Section],
    *,
    notes: Sequence[str],
    notes_title: str,
    images: Mapping[str, str],
    lead: str,
) -> str:
    """Write the whole report, with pictures, style and script inside it.

    Parameters
    ----------
    title : str
    sections : sequence of Section
    notes : sequence of str
        Footnotes, numbered from 1.
    notes_title : str
        The heading above them.
    images : mapping of picture's name to SVG
        Each picture as the text of an SVG file.
    lead : str
        A paragraph under the title.
    """
    contents = "".join(f'<li><a href="#part-{i}">{_write_text(s.title)}</a></li>' for i, s in enumerate(sections))
    body = "".join(_write_section(section, i, images) for i, section in enumerate(sections))
    footnotes = "".join(f'<li id="note-{i}">{_write_text(note)}</li>' for i, note in enumerate(notes, start=1))
    pieces = {
        "title": _write_text(title),
        "lead": _write_text(lead),
        "contents": contents,
        "body": body,
        "notes_title": _write_text(notes_title),
        "notes": footnotes,
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda found: pieces[found.group(1)], TEMPLATE)


def write_table(table: Table) -> str:
    """Write one table; a click on a column's heading sorts by it.

    >>> "data-value=0.9" in write_table(Table("Trial", ("AUC",), ((Field("0.900", 0.9),),)))
    True
    """
    heads = "".join(
        f'<th scope="col"><button type="button">{_write_text(name)}</button></th>' for name in table.columns
    )
    rows = "".join(f"<tr>{''.join(_write_field(field) for field in row)}</tr>" for row in table.rows)
    notes = "".join(f"<li>{_write_text(note)}</li>" for note in table.notes)
    heading = f"<h3>{_write_text(table.title)}{_write_marks(table.marks)}</h3>" if table.title else ""
    shown = f'<div class="wide"><table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>' + (
        f'<ul class="remarks">{notes}</ul>' if notes else ""
    )
    if table.folded:
        shown = f"<details><summary>{_write_text(table.folded)}</summary>{shown}</details>"
    return heading + shown


def inline_svg(image: str, *, name: str, caption: str) -> str:
    """Make an SVG file part of a page: drop its XML prologue, and make its ids unique on the page.

    >>> inline_svg('<?xml?><svg width="9"><g id="a"/><use xlink:href="#a"/></svg>', name="f", caption="Trial")
    '<svg role="img" aria-label="Trial" width="9"><g id="f-a"/><use xlink:href="#f-a"/></svg>'
    """
    drawing = image[image.index("<svg") :].strip()
    drawing = re.sub(r'\bid="|(?<=href=")#|(?<=url\()#', lambda found: f"{found.group()}{name}-", drawing)
    return drawing.replace("<svg", f'<svg role="img" aria-label="{html.escape(caption)}"', 1)


def _write_section(section: Section, position: int, images: Mapping[str, str]) -> str:
    parts = []
    for part in section.parts:
        if isinstance(part, Table):
            parts.append(write_table(part))
        elif isinstance(part, Picture):
            drawing = inline_svg(images[part.name], name=part.name, caption=part.caption)
            parts.append(f"<figure>{drawing}<figcaption>{_write_text(part.caption)}</figcaption></figure>")
        else:
            parts.append(f"<p>{_write_text(part)}</p>")
    return f'<section id="part-{position}"><h2>{_write_text(section.title)}</h2>{"".join(parts)}</section>'


def _write_field(field: Field) -> str:
    value = f" data-value={field.value:.6g}" if math.isfinite(field.value) else ""
    if len(field.text) > _LONGEST_LINE:
        value += " class=prose"
    text = f"<b>{_write_text(field.text)}</b>" if field.bold else _write_text(field.text)
    return f"<td{value}>{text}{_write_marks(field.marks)}</td>"


def _write_marks(marks: Sequence[int]) -> str:
    links = ", ".join(f'<a href="#note-{mark}">{mark}</a>' for mark in marks)
    return f"<sup>{links}</sup>" if links else ""


def _write_text(text: str) -> str:
    """Escape a text, but turn the Markdown that paragraphs use, code and bold, into HTML; links become their text."""
    escaped = re.sub(r"\[([^\]]+)\]\([^)]+\)", r"\1", html.escape(text))
    escaped = re.sub(r"`([^`]+)`", r"<code>\1</code>", escaped)
    return re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", escaped)
