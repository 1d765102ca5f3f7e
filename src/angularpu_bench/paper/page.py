"""The whole report, from committed CSV files to Markdown and HTML pages."""

from pathlib import Path

from angularpu import files
from angularpu.figures.picture import Picture, save_picture
from angularpu_bench.paper.evidence import Evidence
from angularpu_bench.paper.flaws import FLAWS
from angularpu_bench.paper.published import read_published
from angularpu_bench.paper.sections import (
    ablation,
    choices,
    claims,
    ensembles,
    fair,
    finetuned,
    geometry,
    main_tables,
    medmnist,
    published_tables,
    scores_and_embeddings,
    sensitivity,
    sizes,
)
from angularpu_bench.report.html import write_html
from angularpu_bench.report.markdown import write_markdown
from angularpu_bench.report.point_files import read_points
from angularpu_bench.report.results import read_results
from angularpu_bench.report.section import Section

TITLE = "Results"
LEAD = (
    "How every method does on every data set. Start with the pictures; the tables are folded behind them. `make "
    "results` makes this page from experiments/results and experiments/published.csv alone. No table mixes tracks "
    "(frozen image features, tables, text). Methods were trained with what two cores can do; the budget is beneath "
    "each table and in full in experiments/*.toml. Small raised numbers beside published figures point to what is "
    "wrong with them, listed at the end. [paper.md](paper.md) leads from every table and figure of the paper to ours."
)
NOTES_TITLE = "Flaws of the published numbers"
IMAGES = "images/results"
CLAIMS_LEAD = "Made by `make results`, as are [all tables and figures](results.md) that it rests on."
SECTIONS = (
    ensembles.make_section,
    claims.make_section,
    fair.make_section,
    main_tables.make_section,
    finetuned.make_section,
    ablation.make_section,
    geometry.make_section,
    sensitivity.make_section,
    choices.make_section,
    medmnist.make_section,
    sizes.make_scarcity,
    sizes.make_scale,
    scores_and_embeddings.make_section,
    published_tables.make_section,
)


def write_report(results: Path, out: Path, *, published: Path) -> list[Path]:
    """Write every table and figure of the experiments.

    Parameters
    ----------
    results : Path
        Directory with one CSV file for each spec, and scores.csv and embeddings.csv if there are any. The section of a
        spec without a file says so.
    out : Path
        Directory for ``results.md``, ``results.html``, ``claims.md`` and ``images/results``, which is replaced; made
        if it does not exist.
    published : Path
        CSV file of the published numbers.

    Returns
    -------
    list of Path
        What was written, pages first.
    """
    evidence = Evidence(
        results=read_results(results),
        published=read_published(published),
        scores=read_points(results, "scores"),
        embeddings=read_points(results, "embeddings"),
    )
    sections = [make(evidence) for make in SECTIONS]
    judged = [sections[SECTIONS.index(claims.make_section)]]
    images = _save_pictures(sections, out / IMAGES)
    notes = [flaw.text for flaw in FLAWS]
    paths = {name: f"{IMAGES}/{image.name}" for name, (image, _) in images.items()}
    drawings = {name: image.read_text(encoding="utf-8") for name, (image, _) in images.items()}
    pages = {
        "results.md": write_markdown(TITLE, sections, notes=notes, images=paths, lead=LEAD),
        "results.html": write_html(TITLE, sections, notes=notes, notes_title=NOTES_TITLE, images=drawings, lead=LEAD),
        "claims.md": write_markdown("The paper's claims", judged, notes=(), images=paths, lead=CLAIMS_LEAD),
    }
    for name, text in pages.items():
        with files.atomic_file(out / name) as temporary:
            temporary.write_text(text, encoding="utf-8")
    return [out / name for name in pages] + [path for both in images.values() for path in both]


def _save_pictures(sections: list[Section], directory: Path) -> dict[str, tuple[Path, Path]]:
    """Save all pictures in a directory that holds nothing else, so that none of an older report is left."""
    directory.parent.mkdir(parents=True, exist_ok=True)
    pictures = [part for section in sections for part in section.parts if isinstance(part, Picture)]
    with files.atomic_directory(directory) as temporary:
        saved = {picture.name: save_picture(picture, temporary) for picture in pictures}
    return {name: (directory / image.name, directory / numbers.name) for name, (image, numbers) in saved.items()}
