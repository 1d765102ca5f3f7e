"""``angularpu data``."""

import dataclasses
import hashlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

from angularpu.cli.main import main
from angularpu_bench.catalogue.datasets import CATALOGUE

DOCS = Path(__file__).parents[3] / "docs" / "datasets.md"


def test_the_page_shows_the_table_that_the_command_prints(capsys):
    assert main(["data", "list"]) == 0
    printed = capsys.readouterr().out
    assert len(printed.splitlines()) == 2 + len(CATALOGUE)
    assert printed in DOCS.read_text(encoding="utf-8")


def test_the_catalogue_comes_as_json(capsys):
    assert main(["data", "list", "--json"]) == 0
    listed = {each["name"]: each for each in json.loads(capsys.readouterr().out)["datasets"]}
    assert list(listed) == list(CATALOGUE)
    assert (listed["cifar10"]["positives"], listed["cifar10"]["prior"]) == ([0, 1, 8, 9], 0.4)
    assert (
        listed["cifar10"]["files"][0]["checksum"]
        == "sha256:6d958be074577803d12ecdefd02955f39262c83c16fe9348329d7fe0b5c001ce"
    )


@pytest.fixture
def directory(tmp_path, monkeypatch):
    """A directory with a spam.csv that is not the known one."""
    (tmp_path / "spam.csv").write_text("a,type\n1,spam\n")
    monkeypatch.setenv("ANGULARPU_DATA", str(tmp_path))
    return tmp_path


def test_a_file_that_differs_is_named_and_ends_with_exit_code_one(directory, capsys):
    assert main(["data", "check"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert "spam             spam.csv: not the official file" in lines
    assert "letter           letter.csv: not there" in lines


def test_missing_files_matter_only_when_they_are_asked_for(directory, capsys):
    (directory / "spam.csv").unlink()
    assert main(["data", "check"]) == 0
    assert main(["data", "check", "letter", "--json"]) == 1
    out = capsys.readouterr().out
    assert json.loads(out[out.index("{") :]) == {
        "files": [{"dataset": "letter", "file": "letter.csv", "status": "missing"}]
    }


def test_right_files_end_with_exit_code_zero(directory, monkeypatch, capsys):
    content = hashlib.sha256((directory / "spam.csv").read_bytes()).hexdigest()
    file = dataclasses.replace(CATALOGUE["spam"].files[0], content=content)
    entry = dataclasses.replace(CATALOGUE["spam"], files=(file,))
    monkeypatch.setattr("angularpu_bench.catalogue.datasets.CATALOGUE", {"spam": entry})
    assert main(["data", "check", "spam", "--data", str(directory)]) == 0
    assert "the copy the catalogue knows" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["check", "cifar"], "did you mean 'cifar10'?"),
        (["check", "adni"], "adni is read from your own files: apply for access"),
        (["fetch", "adni"], "adni cannot be downloaded: apply for access"),
        (["fetch", "spam"], "spam.csv cannot be downloaded; docs/datasets.md says how to get it"),
        (["check", "spam", "--data", "/nowhere"], "/nowhere is not a directory"),
        (["fetch"], "Missing argument 'NAME'"),
    ],
)
def test_mistakes_are_told_in_one_sentence(directory, capsys, arguments, message):
    assert main(["data", *arguments]) == 2
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith("Error: ")
    assert message in last


def test_the_list_loads_neither_torch_nor_scikit_learn():
    code = (
        "import sys; from angularpu.cli.main import main; main(['data', 'list']); "
        "sys.exit(any(name in sys.modules for name in ('torch', 'sklearn', 'scipy')))"
    )
    assert subprocess.run([sys.executable, "-c", code], stdout=subprocess.DEVNULL, check=False).returncode == 0
