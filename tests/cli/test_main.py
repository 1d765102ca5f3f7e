import shlex
import subprocess
import sys

import pytest

from angularpu import __version__
from angularpu.cli.main import main

HEAVY = ("torch", "numpy", "pyarrow", "sklearn", "scipy", "rich")
LISTING = "import sys; from angularpu.cli.main import main; main({}); print(*sys.modules, file=sys.stderr)"


def run(*arguments):
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("arguments", [["--help"], ["fit", "--help"]])
def test_help_needs_no_heavy_import(arguments):
    result = run("-c", LISTING.format(arguments))
    assert "Usage: angularpu" in result.stdout
    assert not set(HEAVY) & set(result.stderr.split())


def test_info_needs_neither_torch_nor_numpy(model):
    result = run("-c", LISTING.format(["info", str(model)]))
    assert "pu-f1" in result.stdout
    assert not {"torch", "numpy"} & set(result.stderr.split())


def test_python_m_angularpu_is_the_same_command_and_exits_with_2_after_a_mistake(tmp_path):
    result = run("-m", "angularpu", "info", str(tmp_path / "nothing"))
    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith("Error: ")


def test_the_version_can_be_asked_for(capsys):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"{__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], "Missing command"),
        (["fti"], "'fti'"),
        (["fit"], "--out"),
        (["fit", "--otu", "x"], "--otu"),
        (["fit", "--out", "x", "--seed", "many"], "--seed"),
        (["fit", "--out", "x", "--seed", "-1"], "--seed"),
        (["fit", "--out", "x", "--scenario", "three-sample"], "three-sample"),
        (["score", "x"], "DATA"),
        (["info"], "MODEL"),
    ],
)
def test_wrong_usage_is_told_in_one_line(arguments, expected, capsys):
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("Error: ")
    assert err.count("\n") == 1
    assert expected in err


def test_ctrl_c_says_what_became_of_the_work_and_the_command_that_starts_again(monkeypatch, capsys, model):
    def interrupt(path):
        raise KeyboardInterrupt

    monkeypatch.setattr("angularpu.model.description.read_description", interrupt)
    assert main(["info", str(model)]) == 130
    said = capsys.readouterr().err
    assert said == f"Interrupted: nothing is half written, and this starts again: angularpu info {model}\n"


def test_a_fault_of_our_own_keeps_its_traceback(monkeypatch, model):
    def fail(path):
        raise ZeroDivisionError("ours")

    monkeypatch.setattr("angularpu.model.description.read_description", fail)
    with pytest.raises(ZeroDivisionError, match="ours"):
        main(["info", str(model)])


def test_a_directory_that_cannot_be_made_is_told_in_one_line(files, model, capsys):
    data = files / "data.csv"
    assert main(["score", str(model), str(data), "--out", str(data / "below" / "o.csv")]) == 2
    err = capsys.readouterr().err
    assert err.startswith(f"Error: {data}")
    assert err.count("\n") == 1


def test_the_command_that_resumes_is_never_one_that_deletes_the_work(monkeypatch, capsys, files, tmp_path):
    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("angularpu.scenario.sample_file.read_sample", interrupt)
    fit = ["fit", str(files / "data.csv"), "--label", "s", "--out", str(tmp_path / "my model")]
    assert main([*fit, "--restart"]) == 130
    said = capsys.readouterr().err.splitlines()[-1]
    assert said.endswith(f"resumes from there: {shlex.join(['angularpu', *fit])}")
