"""The number of threads leaves no trace in a model, but for the methods that docs/models.md names."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

MAY_DIFFER = {"dense_pu"}
FIT = """
import sys
import warnings
from pathlib import Path

import numpy as np

from angularpu.data.sources import as_rows
from angularpu.fit.workflow import fit_method
from angularpu.methods.configure import configure
from angularpu.methods.table import METHODS
from angularpu.model.directory import save
from angularpu.scenario.sample import PUSample

warnings.simplefilter("ignore")
folder, n, columns = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
rng = np.random.default_rng(0)
y = np.arange(n) % 5 < 2
s = np.zeros(n, np.int8)
s[np.flatnonzero(y)[: n // 7]] = 1
sample = PUSample(as_rows(rng.normal(size=(n, columns)) + y[:, None]), s, "one-sample")
for name, card in METHODS.items():
    if name == "complement_nb":  # for counts; nothing in it is divided among threads
        continue
    few = {"epochs": 2, "device": "cpu"} if card.kind != "classical" else {"rounds": 1}
    few = few if card.kind != "classical" or name in ("bagging", "pu_boosting") else {}
    once = {} if card.kind == "ensemble" else {"validation": "hold-out"}
    method = configure(method=name, prior=0.4, options={**once, **few})
    save(fit_method(method, sample, seed=0), folder / name)
"""


# Few rows keep the share of make test short; with many, torch and scikit-learn do divide the work.
@pytest.mark.parametrize(("n", "columns"), [(300, 10), pytest.param(6000, 100, marks=pytest.mark.slow)])
def test_methods_give_equal_bytes_with_one_thread_and_with_two(tmp_path, n, columns):
    for threads in ("1", "2"):
        environment = {**os.environ, "OMP_NUM_THREADS": threads, "OPENBLAS_NUM_THREADS": threads}
        (tmp_path / threads).mkdir()
        command = [sys.executable, "-c", FIT, str(tmp_path / threads), str(n), str(columns)]
        subprocess.run(command, env=environment, check=True)
    one, two = (
        {path.relative_to(tmp_path / threads): path.read_bytes() for path in (tmp_path / threads).rglob("*.*")}
        for threads in ("1", "2")
    )
    assert len(one) >= 48
    assert {path.parts[0] for path in one if two[path] != one[path]} <= MAY_DIFFER


def test_the_page_names_the_methods_whose_bytes_may_differ():
    page = (Path(__file__).parents[2] / "docs/models.md").read_text(encoding="utf-8")
    assert all(f"The exception is `{method}`" in page for method in MAY_DIFFER)
