"""What commands print."""

import io
import json
import sys
import time

import pytest

from angularpu import progress
from angularpu.progress import fail, print_json, show_progress, tell, warn

HOSTILE = "a\x1b[2J\x07\x9b31m\u202e\u2028\udcff\x00\x7f\U000e0001é\tb"


def test_people_are_told_nothing_that_a_terminal_obeys(capsys):
    tell(f"one {HOSTILE}\ntwo")
    out, err = capsys.readouterr()
    assert out == ""
    assert err == "one a\\x1b[2J\\x07\\x9b31m\\u202e\\u2028\\udcff\\x00\\x7f\\U000e0001é\\tb\ntwo\n"


def test_json_is_printed_without_such_characters_and_says_the_same(capsys):
    content = {HOSTILE: [1, HOSTILE, "\n"]}
    print_json(content)
    out, _ = capsys.readouterr()
    assert all(line.isprintable() for line in out.splitlines())
    assert json.loads(out) == content
    assert "é" in out


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(("no_color", "coloured"), [("", True), ("1", False)])
def test_a_warning_is_coloured_on_a_terminal_unless_colours_are_off(monkeypatch, no_color, coloured):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", no_color)
    warn("careful")
    assert ("\x1b[" in terminal.getvalue()) == coloured
    assert terminal.getvalue().endswith(" careful\n")


def test_where_there_is_no_terminal_nothing_is_coloured(capsys):
    warn("careful")
    fail("wrong")
    assert capsys.readouterr().err == "Warning: careful\nError: wrong\n"


def test_without_a_terminal_a_line_comes_now_and_then_even_if_no_step_ends(monkeypatch, capsys):
    monkeypatch.setattr(progress, "SECONDS", 0.05)
    with show_progress(shown=True) as report:
        time.sleep(0.2)
        report(3, 10, "epoch")
        time.sleep(0.2)
    said = capsys.readouterr().err
    assert "progress   after 0 s: no step finished yet\n" in said
    assert "progress   after 0 s: epoch, 3 of 10\n" in said


def test_quiet_leaves_warnings_and_errors_only(monkeypatch, capsys):
    monkeypatch.setattr(progress, "_quiet", True)
    tell("hello")
    with show_progress(shown=True) as report:
        assert report is None
    warn("careful")
    fail("wrong")
    assert capsys.readouterr().err == "Warning: careful\nError: wrong\n"
