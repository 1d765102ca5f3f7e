"""matplotlib is an extra: everything but a picture works without it."""

import json
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

# Every finder is asked as before, but none finds matplotlib.
WITHOUT = """
import sys

class Without:
    def __init__(self, finder):
        self.finder = finder

    def find_spec(self, name, path=None, target=None):
        return None if name.partition(".")[0] == "matplotlib" else self.finder.find_spec(name, path, target)

    def __getattr__(self, name):
        return getattr(self.finder, name)

sys.meta_path[:] = map(Without, sys.meta_path)
"""
# One process runs all commands, with few draws and epochs, because this is about imports.
COMMANDS = """
import contextlib, io, json
from dataclasses import replace
from angularpu.cli.main import main
from angularpu.fit import prior_estimation
from angularpu.train.settings import Settings

prior_estimation.SCORE_DRAWS, prior_estimation.ROW_DRAWS = 2, 1
for name in ("ANGULAR", "TEDN"):
    setattr(prior_estimation, name, replace(getattr(prior_estimation, name), settings=Settings(epochs=1)))
done = {}
for name, arguments in json.loads(sys.argv[1]).items():
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as said:
        done[name] = [main(arguments), said.getvalue()]
print(json.dumps(done))
"""


def run(script, *arguments):
    done = subprocess.run([sys.executable, "-c", WITHOUT + script, *arguments], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def directory(tmp_path_factory):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(120, 2)) + 3 * (np.arange(120) < 60)[:, None]
    directory = tmp_path_factory.mktemp("without")
    pd.DataFrame(x, columns=["a", "b"]).assign(known=np.arange(120) < 30).to_csv(directory / "data.csv", index=False)
    return directory


@pytest.fixture(scope="module")
def done(directory):
    data, model = str(directory / "data.csv"), str(directory / "model")
    commands = {
        "fit": ["fit", data, "--label", "known", "--method", "angular", "--set", "epochs=1", "--out", model],
        "score": ["score", model, data, "--out", str(directory / "scores.csv")],
        "threshold": ["threshold", model, "--rule", "recall=0.9"],
        "prior": ["prior", data, "--label", "known"],
        "sensitivity": ["threshold", model, "--rule", "lee-liu", "--sensitivity", str(directory / "curve.svg")],
        "picture": ["prior", data, "--label", "known", "--plot", str(directory / "priors.svg")],
    }
    return json.loads(run(COMMANDS, json.dumps(commands)))


def test_every_public_name_is_imported_without_it():
    run("import angularpu\nfor name in angularpu.__all__: getattr(angularpu, name)")


@pytest.mark.parametrize("command", ["fit", "score", "threshold", "prior"])
def test_a_command_runs_without_it(command, done):
    code, said = done[command]
    assert code == 0, said


@pytest.mark.parametrize("command", ["sensitivity", "picture"])
def test_a_picture_says_in_one_sentence_how_to_install_it(command, done):
    code, said = done[command]
    assert code == 2
    assert said.count("\n") == 1
    assert "pip install 'angularpu[figures]'" in said


def test_a_picture_is_refused_before_any_work_is_done(done, directory):
    assert json.loads((directory / "model" / "model.json").read_text())["threshold"] == "recall=0.9"
    assert not list(directory.glob("*.svg"))
