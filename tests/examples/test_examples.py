"""Every example runs, is short, prints what it promises, and imports public names only."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
PROMISED = {
    "fraud_table.py": ("audited precision", "flagged now:"),
    "grid_search.py": ("chosen: {", "AUC of the chosen model: 0.9"),
    "images.py": ("unlabelled images: AUC 0.9", "embedding: (5, 128)"),
    "own_encoder.py": ("your own network: AUC", "the same scores after loading: True"),
    "text.py": ("AUC on the unlabelled messages:",),
}


def test_every_example_is_listed():
    assert {path.name for path in EXAMPLES.glob("*.py")} == {
        *PROMISED,
        "demo.py",
        "serve_onnx.py",
    }  # the last two have tests of their own


@pytest.mark.parametrize("name", PROMISED)
def test_it_is_under_sixty_lines(name):
    assert len((EXAMPLES / name).read_text(encoding="utf-8").splitlines()) < 60


@pytest.mark.parametrize("name", PROMISED)
def test_it_runs_without_a_warning_and_prints_what_it_promises(name, tmp_path):
    command = [sys.executable, "-W", "error", str(EXAMPLES / name)]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert all(text in done.stdout for text in PROMISED[name]), done.stdout
