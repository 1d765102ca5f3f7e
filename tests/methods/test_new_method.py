"""A method is added by its file and its card (its test and its page are not code): tried on a copy of the package."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import angularpu

ALGORITHM = '''
"""Toy: a method that a contributor has just written."""

from angularpu.algorithms.naive import Naive
from angularpu.checks import check_range
from angularpu.nets.encoder import Encoder


class Toy(Naive):
    """Score a row by a logit.

    Parameters
    ----------
    encoder : Encoder
        Maps prepared rows to R^d.
    warmth : float
        How warm it is, at least 0.
    """

    def __init__(self, encoder: Encoder, *, warmth: float = 2.0) -> None:
        super().__init__(encoder)
        self.warmth = check_range("warmth", warmth, low=0)
'''
CARD = """
    Card(
        "toy",
        "Toy",
        class_name="ToyClassifier",
        colour="#123456",
        summary="Plays.",
        reference="folklore",
        target="angularpu.algorithms.toy:Toy",
    ),
"""
USE = """
import pickle
import numpy as np
import angularpu
from angularpu.cli.main import main
from angularpu.figures import colour_of

x = np.random.default_rng(0).normal(size=(60, 3)) + 3 * (np.arange(60) < 30)[:, None]
s = (np.arange(60) < 15).astype(int)
model = angularpu.ToyClassifier(warmth=1.0, epochs=1).fit(x, s)
model.save("toy.model")
again = angularpu.load("toy.model")
assert repr(again) == "ToyClassifier(epochs=1, warmth=1.0)", again
assert again.score_samples(x).tobytes() == model.score_samples(x).tobytes()
assert type(pickle.loads(pickle.dumps(again))) is angularpu.ToyClassifier
assert "How warm it is" in angularpu.ToyClassifier.__doc__
assert "ToyClassifier" in angularpu.__all__
assert colour_of("toy") == "#123456"
np.savez("data.npz", X=x, s=s)
fit = ["fit", "data.npz", "--label", "s", "--out", "cli.model", "--method", "toy"]
assert main([*fit, "--set", "warmth=3", "--set", "epochs=1"]) == 0
assert angularpu.load("cli.model").warmth == 3
assert main(["methods"]) == 0
"""


@pytest.fixture
def package(tmp_path):
    """A copy of the package with one method more."""
    source = Path(angularpu.__file__).parent
    copy = tmp_path / "src" / "angularpu"
    shutil.copytree(source, copy, ignore=shutil.ignore_patterns("__pycache__"))
    (copy / "algorithms" / "toy.py").write_text(ALGORITHM.lstrip())
    cards = copy / "methods" / "more_cards.py"
    before, end, after = cards.read_text().rpartition("\n)\n")
    cards.write_text(before + CARD.rstrip() + end + after)
    return copy.parent


def test_its_file_and_its_card_give_it_a_class_a_colour_and_a_place_on_the_command_line(package, tmp_path):
    environment = os.environ | {"PYTHONPATH": str(package)}
    run = subprocess.run(
        [sys.executable, "-c", USE], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    assert "toy                  Toy: Plays." in run.stdout
