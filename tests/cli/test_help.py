"""What every command offers: an example, --json, --quiet, help that fits, and completion by the shell."""

import os
import shlex
import subprocess
import sys

import pytest

from angularpu.cli.main import main, make_command


def list_commands(command, words=()):
    below = getattr(command, "commands", None)
    if below is None:
        return {words: command}
    found = {}
    for name, each in below.items():
        found |= list_commands(each, (*words, name))
    return found


COMMANDS = list_commands(make_command())
GROUPS = [(), ("bench",), ("data",)]


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_every_command_has_an_example_that_can_be_given_and_is_quiet_and_json_on_demand(words, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    assert main([*words, "--help"]) == 0
    shown = capsys.readouterr().out
    (example,) = [line.strip() for line in shown.splitlines() if line.strip().startswith("Example: ")]
    assert shown.rstrip().endswith(example)
    program, *rest = shlex.split(example.removeprefix("Example: "))
    assert (program, tuple(rest[: len(words)])) == ("angularpu", words)
    COMMANDS[words].make_context(words[-1], rest[len(words) :])  # refuses whatever is no option of the command
    assert {"--json", "--quiet"} <= {name for param in COMMANDS[words].params for name in param.opts}


@pytest.mark.parametrize("words", [*GROUPS, *COMMANDS], ids=" ".join)
def test_help_fits_into_80_columns_and_nothing_is_cut_off(words, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    assert main([*words, "--help"]) == 0
    shown = capsys.readouterr().out
    assert max(map(len, shown.splitlines())) <= 80
    listed = shown.partition("\nCommands:\n")[2].splitlines()
    assert not [line for line in listed if line.endswith("...")]


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("angularpu thr", ["threshold"]),
        ("angularpu fit --scen", ["--scenario"]),
        ("angularpu fit --scenario t", ["two-sample"]),
        ("angularpu fit --method extra", ["extra_trees"]),
        ("angularpu prior --estimators ti", ["tice"]),
    ],
)
def test_the_shell_completes_commands_options_and_values(typed, offered):
    asked = {"_ANGULARPU_COMPLETE": "complete_bash", "COMP_WORDS": typed, "COMP_CWORD": str(typed.count(" "))}
    result = subprocess.run(
        [sys.executable, "-m", "angularpu"], capture_output=True, text=True, env=os.environ | asked, check=False
    )
    assert result.stdout.split() == offered, result.stderr


def test_quiet_is_quiet_for_one_command_only(model, capsys):
    assert main(["threshold", str(model), "--quiet"]) == 0
    assert capsys.readouterr() == ("", "")
    assert main(["threshold", str(model)]) == 0
    assert "threshold" in capsys.readouterr().err
