"""Python blocks of every page run, pages and examples use public names only, figures are those of the results."""

import csv
import importlib
import re
from pathlib import Path

import pytest

import angularpu

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
ELSEWHERE = {
    "datasets.md": "tests/bench/catalogue, because it needs the files of the data sets",
    "methods/angular.md": "tests/algorithms/test_angular_page.py",
    "paper.md": "tests/bench/paper/test_paper_page.py",  # needs a file that nobody may pass on
    "scale.md": "tests/engines, because it needs Ray, Spark and Dask",
    "tutorial.md": "tests/examples/test_examples.py",
}


def blocks(page: Path) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.S | re.M)


PAGES = {str(page.relative_to(DOCS)): page for page in sorted(DOCS.rglob("*.md")) if blocks(page)}
SOURCES = {**PAGES, "README.md": ROOT / "README.md"} | {path.name: path for path in (ROOT / "examples").glob("*.py")}


@pytest.mark.parametrize("name", [name for name in PAGES if name not in ELSEWHERE])
def test_the_python_blocks_of_a_page_run_one_after_the_other(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    space: dict[str, object] = {}
    for block in blocks(PAGES[name]):
        exec(compile(block, f"docs/{name}", "exec"), space)


def test_the_tutorial_is_the_example_piece_by_piece():
    example = (ROOT / "examples" / "fraud_table.py").read_text(encoding="utf-8").partition('"""\n\n')[2]
    shown = "".join(blocks(DOCS / "tutorial.md"))
    assert [line for line in shown.splitlines() if line] == [line for line in example.splitlines() if line]


@pytest.mark.parametrize("name", SOURCES)
def test_only_public_names_are_imported(name):
    text = SOURCES[name].read_text(encoding="utf-8")
    for module, names in re.findall(r"^\s*from (angularpu[\w.]*) import ([\w, ]+)", text, re.M):
        assert module.count(".") <= 1, module
        assert set(re.split(r",\s*", names.strip())) <= set(importlib.import_module(module).__all__), (module, names)


def test_every_public_name_is_on_a_page_of_the_api():
    pages = "".join(page.read_text(encoding="utf-8") for page in (DOCS / "api").glob("*.md"))
    listed = set(re.findall(r"^::: angularpu\.(\w+)$", pages, re.M))
    of_methods = {card.class_name for card in angularpu.METHODS.values()} - {"AngularPUClassifier"}
    assert set(angularpu.__all__) - of_methods - {"__version__"} == listed


def test_the_figures_of_the_chooser_are_those_of_the_results():
    results = (DOCS / "results.md").read_text(encoding="utf-8")
    figures = re.findall(r"\b\d+\.\d{2,4}\b", (DOCS / "methods" / "choosing.md").read_text(encoding="utf-8"))
    assert len(figures) > 20
    assert not [figure for figure in figures if not re.search(rf"\b{re.escape(figure)}\b", results)]


def test_the_figures_of_how_the_ensemble_does_are_those_of_the_results():
    results = (DOCS / "results.md").read_text(encoding="utf-8")
    page = (DOCS / "methods" / "ensemble.md").read_text(encoding="utf-8")
    told = page.partition("## How it does")[2].partition("## What else was tried")[0]
    lines = [line.rpartition("|")[0].rpartition("|")[0] if line.startswith("|") else line for line in told.splitlines()]
    figures = re.findall(r"\b\d+\.\d{2,4}\b", " ".join(lines))  # but for the last column, what was wanted
    assert len(figures) > 20
    assert not [figure for figure in figures if not re.search(rf"\b{re.escape(figure)}\b", results)]


def test_what_the_readme_says_of_the_leaderboard_is_what_it_shows():
    assert "images/results/leaderboard.svg" in (ROOT / "README.md").read_text(encoding="utf-8")
    with (DOCS / "images" / "results" / "leaderboard.csv").open(encoding="utf-8", newline="") as file:
        ranks = {row["method"]: float(row["average_rank"]) for row in csv.DictReader(file)}
    assert min(ranks, key=ranks.__getitem__) == "Ensemble"
    assert all(ranks[name] < ranks["AngularPU"] for name in ("PU bagging", "Rank Pruning", "Spy"))


def test_the_figures_of_trained_encoders_are_means_of_the_cells():
    means = {}
    with (ROOT / "experiments" / "results" / "blocks.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            for metric in ("auc", "ap", "f1_oracle", "f1_pu"):
                means.setdefault((row["dataset"], row["method"], row["variant"], metric), []).append(float(row[metric]))
    shown = {(key[0], f"{sum(values) / len(values):.4f}") for key, values in means.items()}
    section = (DOCS / "paper.md").read_text(encoding="utf-8").partition("## Where the encoder is trained")[2]
    lines = [line.split("|")[2:4] for line in section.partition("\n## ")[0].splitlines() if line.startswith("| ")]
    told = [
        (dataset, figure)
        for cells in lines
        for dataset, cell in zip(("cifar10", "stl10"), cells, strict=True)
        for figure in re.findall(r"\d\.\d+", cell)
    ]
    assert len(told) >= 40
    assert not set(told) - shown
