"""What commands print."""

import json

from angularpu.progress import print_json, tell

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
