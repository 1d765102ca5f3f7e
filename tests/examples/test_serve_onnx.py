"""The example that serves an exported model gives what ``angularpu score`` gives, without this package."""

import csv
import subprocess
import sys
from pathlib import Path

import numpy as np

from angularpu.cli.main import main

SCRIPT = Path(__file__).parents[2] / "examples" / "serve_onnx.py"


def test_it_scores_a_file_as_the_library_does(tmp_path):
    rng = np.random.default_rng(0)
    rows = [["a", "b", "town", "s"]]
    for number in range(200):
        a, b = rng.normal(size=2) + (2 if number < 100 else 0)
        rows.append([a, "" if number % 9 == 0 else b, ("Oslo", "Rome", "")[number % 3], int(number < 60)])
    with (tmp_path / "rows.csv").open("w", newline="") as file:
        csv.writer(file).writerows(rows)
    data, model, out = (str(tmp_path / name) for name in ("rows.csv", "model", "scores.csv"))
    assert main(["fit", data, "--label", "s", "--method", "extra_trees", "--set", "trees=9", "--out", model]) == 0
    assert main(["score", model, data, "--out", out]) == 0
    assert main(["export", model, "--onnx", f"{model}.onnx"]) == 0
    done = subprocess.run(
        [sys.executable, str(SCRIPT), f"{model}.onnx", data], capture_output=True, text=True, check=True
    )
    served = np.array([line.split(",") for line in done.stdout.splitlines()], float)
    with Path(out).open(newline="") as file:
        own = np.array(list(csv.reader(file))[1:], float)
    assert np.abs(served - own).max() <= 1e-5
    assert "import angularpu" not in SCRIPT.read_text()
