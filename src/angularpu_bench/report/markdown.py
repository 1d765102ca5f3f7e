"""The report as Markdown."""

from collections.abc import Mapping, Sequence

from angularpu.figures.picture import Picture
from angularpu_bench.report.section import Section
from angularpu_bench.report.table import Field, Table


def write_markdown(
    title: str, sections: Sequence[Section], *, notes: Sequence[str], images: Mapping[str, str], lead: str
) -> str:
    """Write the whole report.

    Parameters
    ----------
    title : str
    sections : sequence of Section
    notes : sequence of str
        Footnotes, numbered from 1.
    images : mapping of picture's name to path
        The file of each picture, relative to the page.
    lead : str
        A paragraph under the title.
    """
    blocks = [f"# {title}", lead]
    for section in sections:
        blocks.append(f"## {section.title}")
        for part in section.parts:
            if isinstance(part, Table):
                blocks.append(write_table(part))
            elif isinstance(part, Picture):
                path = images[part.name]
                blocks.append(f"![{part.caption}]({path})\n\n{part.caption} ([numbers]({path.removesuffix('svg')}csv))")
            else:
                blocks.append(part)
    if notes:
        blocks.append("\n".join(f"[^{number}]: {note}" for number, note in enumerate(notes, start=1)))
    return "\n\n".join(blocks) + "\n"


def write_table(table: Table) -> str:
    """Write one table with its title above and its notes below.

    >>> row = (Field("naive"), Field("0.9", 0.9, bold=True, marks=(2,)))
    >>> print(write_table(Table("Trial", ("method", "AUC"), (row,))))
    ### Trial
    <BLANKLINE>
    | method | AUC |
    |---|---|
    | naive | **0.9**[^2] |
    """
    lines = [
        _write_row([_protect(name) for name in table.columns]),
        "|" + "---|" * len(table.columns),
        *(_write_row([_write_field(field) for field in row]) for row in table.rows),
    ]
    blocks = ["\n".join(lines)]
    if table.marks:  # not in the heading, whose anchor they would change
        blocks.insert(0, f"On the published numbers: {_write_marks(table.marks)}")
    if table.notes:
        blocks.append("\n".join(f"- {_protect(note)}" for note in table.notes))
    if table.folded:  # with markdown="1" the site reads Markdown inside; GitHub does so anyway
        blocks = [f'<details markdown="1"><summary>{table.folded}</summary>', *blocks, "</details>"]
    if table.title:  # outside, so that links to it find it
        blocks.insert(0, f"### {table.title}")
    return "\n\n".join(blocks)


def _write_row(texts: Sequence[str]) -> str:
    return f"| {' | '.join(texts)} |"


def _write_field(field: Field) -> str:
    text = _protect(field.text)
    return (f"**{text}**" if field.bold else text) + _write_marks(field.marks)


def _write_marks(marks: Sequence[int]) -> str:
    return " ".join(f"[^{mark}]" for mark in marks)


def _protect(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())
