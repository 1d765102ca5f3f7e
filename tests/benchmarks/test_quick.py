"""Every script in benchmarks/ runs in its quick form, as a process of its own."""

import importlib
import json
import sys
from pathlib import Path

import pytest
from warm_process import run

FOLDER = Path(__file__).parents[2] / "benchmarks"
SOURCES = {path: path.read_text() for path in sorted(FOLDER.glob("*.py"))}
SCRIPTS = [path for path, text in SOURCES.items() if 'if __name__ == "__main__":' in text]
SHARED = [path for path in SOURCES if path not in SCRIPTS]


def read_results():
    return {path.name: path.read_bytes() for path in (FOLDER / "results").iterdir()}


def has_table(text):
    """Whether a Markdown table stands in the text, with at least one row under its head."""
    lines = text.splitlines()
    rules = [i for i, line in enumerate(lines) if set(line) == {"|", "-"}]
    widths = [[line.count("|") for line in lines[i - 1 : i + 2]] for i in rules if i]
    return bool(widths) and all(len(each) == 3 and len(set(each)) == 1 for each in widths)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_a_script_runs_on_little_data_and_prints_its_table(script, tmp_path):
    before = read_results()
    done = run(script, "--quick", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert has_table(done.stdout), done.stdout
    assert read_results() == before
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("module", SHARED, ids=lambda path: path.stem)
def test_a_file_that_is_no_script_is_imported_by_one(module):
    assert any(f"from {module.stem} import" in SOURCES[script] for script in SCRIPTS)


def test_the_quick_form_also_prints_json(tmp_path):
    done = run(FOLDER / "coverage.py", "--quick", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert {row["alpha"] for row in json.loads(done.stdout)} == {0.3}


def test_a_script_without_its_data_says_what_to_pass(tmp_path):
    done = run(FOLDER / "fashion_mnist.py", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr == "no data directory is named; pass --data DIR, or --quick to try it on small files\n"


def test_a_process_that_fails_inside_the_scoring_benchmark_says_why(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    scoring = importlib.import_module("scoring")
    with pytest.raises(SystemExit, match=r"ended with exit code 1:\nthe model is gone"):
        scoring.run([sys.executable, "-c", "raise SystemExit('the model is gone')"])


@pytest.mark.parametrize(
    ("given", "expected"), [([], (5, 100)), (["--quick"], (1, 100)), (["--quick", "--seeds", "7"], (7, 100))]
)
def test_an_option_that_is_given_wins_over_the_quick_one(given, expected, monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    command_line = importlib.import_module("command_line")
    monkeypatch.setattr(sys, "argv", ["script.py", *given])
    parser = command_line.make_parser("A script.")
    parser.add_argument("--seeds", type=int)
    arguments = command_line.parse(parser, full={"seeds": 5, "rows": 100}, quick={"seeds": 1})
    assert (arguments.seeds, arguments.rows) == expected
