"""The demo runs, in a small form, and shows what the README says it shows."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from angularpu import AngularPUClassifier

ROOT = Path(__file__).parents[2]
METHODS = ("naive: unlabelled = negative", "AngularPU", "supervised, all labels (oracle)")
METRICS = ("auc", "ap", "f1", "precision", "recall")


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """The first line, whether the demo was still running when it came, all other lines, and where the files are."""
    out = tmp_path_factory.mktemp("demo")
    command = [sys.executable, str(ROOT / "examples" / "demo.py"), "--seeds", "1", "--out", str(out)]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    with (
        (out / "errors").open("w+") as errors,
        subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=errors, text=True) as process,
    ):
        first, running = process.stdout.readline(), process.poll() is None
        others = process.stdout.read()
    assert process.returncode == 0, (out / "errors").read_text()
    return first, running, others, out


def test_the_first_line_says_what_happens_before_anything_is_fitted(demo):
    first, running, *_ = demo
    assert first.startswith("Fitting 3 methods to random halves of 569 biopsies (seeds: 1)")
    assert running


def test_the_table_has_three_methods_and_five_metrics(demo):
    lines = demo[2].splitlines()
    assert [word for line in lines if "method" in line for word in line.split() if word in METRICS] == list(METRICS)
    for method in METHODS:
        (row,) = (line for line in lines if method in line)
        assert row.count("0.") + row.count("1.0") == len(METRICS)


def test_the_decision_the_model_and_the_picture_are_there(demo):
    _, _, printed, out = demo
    assert "Estimated without a negative: recall" in printed
    assert AngularPUClassifier.load(out / "model").decision_.rule == "pu-f1"
    assert (out / "scores.svg").read_text().startswith("<?xml")
    assert (out / "scores.csv").read_text().startswith("score,labelled,positive")


def test_the_readme_shows_the_same_table(demo):
    shown = (ROOT / "README.md").read_text().partition("`make demo` prints")[2].split("```")[1]
    assert all(text in shown for text in (*METHODS, *METRICS))
    assert shown.strip().startswith("Fitting 3 methods to random halves of 569 biopsies (seeds: 4)")
    (rules,) = {line for line in demo[2].splitlines() if line.startswith("Seed 0: threshold")}
    assert rules.partition("(rule")[2].partition(")")[0] in shown
