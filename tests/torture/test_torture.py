"""A share of the harness holds, and the committed summary is of the harness as it is."""

import importlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SUMMARY = json.loads((ROOT / "torture/summary.json").read_text(encoding="utf-8"))
ROWS = {row["what"]: row for rows in SUMMARY["parts"].values() for row in rows}
STEPS = ("SIGKILL", "ENOSPC", "EIO")


@pytest.fixture
def harness(monkeypatch):
    """A function that imports a module of the harness, which is no part of the package."""
    monkeypatch.syspath_prepend(str(ROOT))
    return lambda name: importlib.import_module(f"torture.{name}")


@pytest.mark.skipif(not (shutil.which("cc") or shutil.which("gcc")), reason="the library of faults needs a C compiler")
@pytest.mark.skipif(sys.platform != "linux", reason="the library of faults is for Linux")
def test_a_share_of_the_harness_finds_nothing():
    done = subprocess.run(
        [sys.executable, "-m", "torture", "--quick"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    said = {line.split("|")[1].strip() for line in done.stdout.splitlines() if line.startswith("| ")}
    assert said == (set(ROWS) - {"rows scored"}) | {"what"}
    assert not [path for path in Path("/tmp").glob("angularpu-torture-*-load") if path.is_dir()]


def test_the_summary_covers_what_is_promised_and_found_nothing():
    assert sum(ROWS[f"steps that go wrong: {how}"]["tried"] for how in STEPS) >= 300
    assert ROWS["inputs, all"]["tried"] >= 20_000
    assert ROWS["rows scored"]["tried"] == 50_000_000
    for name in ("a file replaced beside readers", "a model replaced beside readers, by exchange"):
        assert ROWS[name]["tried"] == 1000
    for row in ROWS.values():
        assert (row["lost"], row["executed"], row["hung"], row["tracebacks"], row["other faults"]) == (0, 0, 0, 0, 0)
    assert int(re.search(r"at most (\d+) MiB", ROWS["inputs, all"]["remark"])[1]) < 1024
    assert SUMMARY["load"]["peak"] < 1024
    assert SUMMARY["load"]["last"][0] < 1.3 * SUMMARY["load"]["first"][0]


def test_the_summary_lists_the_kinds_of_model_that_the_harness_has(harness):
    assert SUMMARY["kinds"] == list(harness("kinds").KINDS)


def test_the_page_is_made_of_the_summary(harness):
    assert (ROOT / "docs/torture.md").read_text(encoding="utf-8") == harness("page").write_page(SUMMARY)


def test_every_kind_is_like_one_that_goes_through_every_step(harness):
    kinds = harness("kinds").KINDS
    assert all(not kinds[kind.like].like for kind in kinds.values() if kind.like)


def test_a_step_below_the_directory_goes_wrong_once_and_others_do_not(tmp_path, harness):
    """What is opened and written from C, Rust and C++: by Python, safetensors and Arrow."""
    injector = harness("injector")
    if injector.find_compiler() is None or sys.platform != "linux":
        pytest.skip("the library of faults needs Linux and a C compiler")
    subprocess.run([injector.find_compiler(), "-shared", "-fPIC", "-o", tmp_path / "f.so", injector.SOURCE], check=True)
    (tmp_path / "here").mkdir()
    environment = {**os.environ, "LD_PRELOAD": str(tmp_path / "f.so"), "PYTHONPATH": f"{ROOT}:{ROOT / 'src'}"}
    done = subprocess.run(
        [sys.executable, "-c", WRITERS, tmp_path], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    steps = (tmp_path / "steps").read_text()
    for name in ("python", ".tmp", "arrow"):  # safetensors writes under a name of its own first
        assert f"open /{name}" in steps
        assert f"write /{name}" in steps
    assert done.stdout == "[Errno 28] No space left on device\n"


WRITERS = """
import os, sys
from pathlib import Path
import numpy as np, pyarrow as pa, pyarrow.parquet as pq
from safetensors.numpy import save_file
from torture.injector import Fault, arm
folder = Path(sys.argv[1]) / "here"
with (folder.parent / "steps").open("w") as log:
    arm(folder, 0, Fault.none, log=log.fileno())
    (folder / "python").write_bytes(b"x")
    save_file({"x": np.zeros(3)}, folder / "safetensors")
    pq.write_table(pa.table({"x": [1]}), folder / "arrow")
    arm(folder, 2, Fault.no_space)
    (folder.parent / "elsewhere").write_bytes(b"x")
    try:
        (folder / "python").write_bytes(b"x")
    except OSError as error:
        print(error)
"""
