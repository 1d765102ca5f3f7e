"""Files and directories are finished or absent."""

import contextlib
import json

from angularpu import files


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_file_appears_only_when_the_block_ends_well(tmp_path):
    with files.atomic_file(tmp_path / "a.txt") as temporary:
        temporary.write_text("half")
        assert not (tmp_path / "a.txt").exists()
    assert names(tmp_path) == ["a.txt"]


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path):
    (tmp_path / "a.txt").write_text("old")
    with contextlib.suppress(RuntimeError), files.atomic_file(tmp_path / "a.txt") as temporary:
        temporary.write_text("new")
        raise RuntimeError
    assert (tmp_path / "a.txt").read_text() == "old"
    assert names(tmp_path) == ["a.txt"]


def test_a_directory_replaces_the_old_one_whole(tmp_path):
    (tmp_path / "m").mkdir()
    (tmp_path / "m" / "old").write_text("")
    with files.atomic_directory(tmp_path / "m") as temporary:
        (temporary / "new").write_text("")
    assert names(tmp_path / "m") == ["new"]
    assert names(tmp_path) == ["m"]


def test_a_failed_directory_leaves_the_old_one(tmp_path):
    (tmp_path / "m").mkdir()
    with contextlib.suppress(RuntimeError), files.atomic_directory(tmp_path / "m") as temporary:
        (temporary / "new").write_text("")
        raise RuntimeError
    assert names(tmp_path) == ["m"]
    assert names(tmp_path / "m") == []


def test_what_a_killed_process_left_is_swept_away(tmp_path):
    (tmp_path / ".m~").mkdir()
    (tmp_path / ".m.removed~").mkdir()
    (tmp_path / ".m.removed~" / "x").write_text("")
    files.sweep(tmp_path / "m")
    assert names(tmp_path) == []


def test_json_bytes_do_not_depend_on_the_order_of_keys(tmp_path):
    files.write_json(tmp_path / "a", {"x": 1, "y": [2]})
    files.write_json(tmp_path / "b", {"y": [2], "x": 1})
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert json.loads((tmp_path / "a").read_text()) == {"x": 1, "y": [2]}
