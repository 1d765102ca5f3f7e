import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from angularpu_bench.paper.flaws import FLAWS
from angularpu_bench.paper.page import write_report
from angularpu_bench.report.results import Results

PUBLISHED = Path(__file__).parents[3] / "experiments" / "published.csv"
VOID = {"meta", "br", "use", "path", "rect"}


class Page(HTMLParser):
    """Collect what a page holds and whether its tags are closed."""

    def __init__(self, text):
        super().__init__()
        self.open, self.ids, self.links, self.sources = [], [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        if tag not in VOID:
            self.open.append(tag)
        self.note(attributes)

    def handle_startendtag(self, tag, attributes):
        self.note(attributes)

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open.pop() == tag

    def note(self, attributes):
        for name, value in attributes:
            if name == "id":
                self.ids.append(value)
            elif name in {"href", "xlink:href"}:
                self.links.append(value)
            elif name in {"src", "srcset", "data"}:
                self.sources.append(value)


@pytest.fixture(scope="module")
def report(tmp_path_factory, make_rows, write_rows):
    folder = tmp_path_factory.mktemp("report")
    results = folder / "results"
    results.mkdir()
    aucs = {"angular": [0.9, 0.92], "naive": [0.8, 0.81], "oracle_pn": [0.99, 0.98]}
    rows = [*make_rows(aucs), *make_rows(aucs, dataset="letter")]
    write_rows(results / "main.csv", Results(tuple(rows)))
    written = write_report(results, folder / "docs", published=PUBLISHED)
    return folder / "docs", written


def test_it_says_what_it_wrote(report):
    out, written = report
    assert written[:3] == [out / "results.md", out / "results.html", out / "claims.md"]
    assert sorted(written) == sorted(path for path in out.rglob("*") if path.is_file())
    assert {path.suffix for path in written[3:]} == {".svg", ".csv"}


def test_every_experiment_without_results_says_so(report):
    text = (report[0] / "results.md").read_text()
    assert text.count("No results yet") == 10


def test_every_flaw_is_listed_and_referred_to(report):
    text = (report[0] / "results.md").read_text()
    for number, flaw in enumerate(FLAWS, start=1):
        assert f"[^{number}]: {flaw.text}" in text
        assert text.count(f"[^{number}]") > 1


def test_tables_of_the_markdown_page_are_rectangular(report):
    text = (report[0] / "results.md").read_text()
    for block in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        widths = {len(re.findall(r"(?<!\\)\|", line)) for line in block.splitlines()}
        assert len(widths) == 1


def test_pictures_of_the_markdown_page_are_where_it_says(report):
    out, _ = report
    paths = re.findall(r"\]\((images/[^)]+)\)", (out / "results.md").read_text())
    assert paths
    assert all((out / path).is_file() for path in paths)


def test_the_html_page_is_whole_and_asks_for_nothing(report):
    text = (report[0] / "results.html").read_text()
    page = Page(text)
    assert page.open == []
    assert len(page.ids) == len(set(page.ids))
    assert page.sources == []
    assert all(link.startswith("#") and link[1:] in page.ids for link in page.links)
    assert not re.search(r"url\((?!#)|@import|fetch\(|XMLHttpRequest", text)
    assert "{{" not in text
    assert text.count("<svg") == len([path for path in report[1] if path.suffix == ".svg"])


def test_a_second_report_has_the_same_bytes(report, tmp_path):
    out, written = report
    again = write_report(out.parent / "results", tmp_path, published=PUBLISHED)
    assert [path.read_bytes() for path in again] == [path.read_bytes() for path in written]


def test_pictures_of_an_older_report_do_not_stay(report, tmp_path):
    (tmp_path / "images" / "results").mkdir(parents=True)
    (tmp_path / "images" / "results" / "old.svg").write_text("<svg/>")
    (tmp_path / "empty").mkdir()
    written = write_report(tmp_path / "empty", tmp_path, published=PUBLISHED)
    assert written == [tmp_path / "results.md", tmp_path / "results.html", tmp_path / "claims.md"]
    assert not any((tmp_path / "images" / "results").iterdir())


def test_nothing_of_it_needs_torch():
    code = "import sys, angularpu_bench.paper.page; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
