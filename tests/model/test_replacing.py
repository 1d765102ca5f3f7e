"""A model that is replaced is there at every moment, the old one or the new one, whole."""

import subprocess
import sys
from pathlib import Path

import pytest

PROCESSES = Path(__file__).parent / "replaced_models.py"


@pytest.mark.parametrize(
    ("system", "tasks"),
    [
        ("exchanging", ["kill_saving", "kill_fitting", "kill_anywhen", "read_beside"]),
        ("renaming", ["kill_saving", "kill_anywhen"]),
        pytest.param("renaming", ["kill_fitting", "read_beside"], marks=pytest.mark.slow),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(value),
)
def test_a_model_being_replaced_is_never_lost_and_never_half_read(system, tasks, tmp_path):
    # In a process of its own, because it forks others, which a process with threads should not do.
    command = [sys.executable, "-W", "ignore", str(PROCESSES), str(tmp_path), system, *tasks]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    outcomes = dict(line.split(": ") for line in done.stdout.splitlines())
    assert list(outcomes) == tasks
    for task in {"kill_saving", "kill_fitting"} & set(tasks):
        assert " 0 " not in outcomes[task], "both models must have been found"
