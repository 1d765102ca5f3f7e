"""The documentation site builds, with every warning an error: dead links, dead anchors, pages that no menu lists."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(out)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}  # an advertisement for its successor
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return out


def test_every_page_is_built(site):
    pages = {path.relative_to(ROOT / "docs").with_suffix(".html") for path in (ROOT / "docs").rglob("*.md")}
    named = {path.parent / "index.html" if path.stem == "README" else path for path in pages}
    assert len(named) > 50
    assert not [str(path) for path in named if not (site / path).exists()]


def test_nothing_is_fetched_from_elsewhere(site):
    page = (site / "tutorial.html").read_text(encoding="utf-8")
    assert not re.findall(r"<(?:script|link rel=\"stylesheet\")[^>]*(?:src|href)=\"https?:", page)


def test_the_api_pages_are_made_from_docstrings(site):
    page = (site / "api" / "classifiers.html").read_text(encoding="utf-8")
    assert "Learn from known positives and unlabelled rows." in page
    assert 'id="angularpu.PUClassifier"' in page
