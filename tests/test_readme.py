"""What the README shows runs."""

import re
from pathlib import Path

import pytest

README = Path(__file__).parents[1] / "README.md"


def test_the_readme_is_short():
    assert len(README.read_text().splitlines()) <= 120


@pytest.mark.parametrize("block", re.findall(r"```python\n(.*?)```", README.read_text(), re.S))
def test_the_python_blocks_run(block, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    exec(compile(block, str(README), "exec"), {})
    assert "recall=0.9" in capsys.readouterr().out
    assert (tmp_path / "tumours.model" / "model.json").exists()


@pytest.mark.parametrize("link", re.findall(r"\]\((?!https?:)([^)]+)\)", README.read_text()))
def test_the_links_lead_somewhere(link):
    page, _, heading = link.partition("#")
    assert (README.parent / page).exists()
    if heading:
        headings = re.findall(r"^#+ (.+)$", (README.parent / page).read_text(), re.M)
        assert heading in {re.sub(r"[^\w -]", "", each).lower().replace(" ", "-") for each in headings}
