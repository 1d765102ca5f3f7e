"""The library without the laboratory, or without matplotlib: what the extra brings is missing in a real process."""

import json
import subprocess
import sys

import pytest

WITHOUT = "import sys; sys.modules.update(dict.fromkeys({missing!r})); "  # None: as if it were not installed
RUN = "from angularpu.cli.main import main; sys.exit(max(main(each) for each in {commands!r}))"
IMPORT_ALL = (
    "import importlib, pkgutil, angularpu; "
    "names = [each.name for each in pkgutil.walk_packages(angularpu.__path__, 'angularpu.')]; "
    "[importlib.import_module(name) for name in names if name != 'angularpu.__main__']; print(len(names))"
)


def run(code, *, missing):
    program = WITHOUT.format(missing=missing) + code
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)


def run_commands(*commands, missing):
    return run(RUN.format(commands=commands), missing=missing)


@pytest.mark.parametrize(
    ("command", "missing"),
    [
        (["bench", "report"], ["angularpu_bench", "matplotlib"]),
        (["bench", "run", "main.toml", "--jobs", "2"], ["matplotlib"]),
        (["data", "list", "--json"], ["angularpu_bench"]),
        (["embed", "--help"], ["angularpu_bench", "matplotlib"]),
    ],
)
def test_a_command_whose_extra_is_missing_says_how_to_install_it(command, missing):
    result = run_commands(command, missing=missing)
    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr == (
        f"Error: angularpu {command[0]} belongs to the experiments and needs {' and '.join(missing)}; "
        "install what is missing with pip install 'angularpu[bench]'\n"
    )


def test_the_help_lists_the_commands_that_need_the_extra():
    result = run_commands(["--help"], missing=["angularpu_bench"])
    assert result.returncode == 0
    listed = [line.split()[0] for line in result.stdout.splitlines() if "(extra bench)" in line]
    assert listed == ["bench", "data", "embed"]


def test_the_core_works_without_the_extra(files, tmp_path):
    model, out = tmp_path / "model", tmp_path / "scored.csv"
    data = str(files / "data.csv")
    quick = ["--method", "angular", "--set", "epochs=2", "--set", "encoder=linear"]
    result = run_commands(
        ["fit", data, "--label", "s", "--id", "key", "--out", str(model), *quick],
        ["info", str(model)],
        ["threshold", str(model), "--rule", "recall=0.9"],
        ["score", str(model), data, "--out", str(out)],
        missing=["angularpu_bench", "matplotlib"],
    )
    assert result.returncode == 0, result.stderr
    assert len(out.read_text().splitlines()) == 401
    assert json.loads((model / "model.json").read_text())


def test_every_module_of_the_library_can_be_imported_without_the_laboratory():
    result = run(IMPORT_ALL, missing=["angularpu_bench"])
    assert result.returncode == 0, result.stderr
    assert int(result.stdout) > 100
