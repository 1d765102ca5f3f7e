"""Files and directories are finished or absent."""

import contextlib
import errno
import json
import os
import subprocess
import sys
import threading

import numpy as np
import pytest
from safetensors.numpy import save_file

from angularpu import files
from angularpu.errors import BusyError
from angularpu.files import directories


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_file_appears_only_when_the_block_ends_well(tmp_path):
    with files.atomic_file(tmp_path / "a.txt") as temporary:
        temporary.write_text("half")
        assert not (tmp_path / "a.txt").exists()
    assert names(tmp_path) == ["a.txt"]


def test_a_failure_of_the_system_names_the_file_that_was_being_written(tmp_path):
    for write in (files.atomic_file, files.atomic_directory):
        with pytest.raises(OSError, match="No space") as caught, write(tmp_path / "a"):
            raise OSError(errno.ENOSPC, "No space left on device")
        assert caught.value.filename == str(tmp_path / "a")


@pytest.mark.parametrize("content", ["{", "[" * 200_000, '{"a":' * 200_000, b"\xff"])
def test_json_that_cannot_be_read_is_a_value_error(tmp_path, content):
    (tmp_path / "a.json").write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(ValueError, match=r"."):
        files.read_json(tmp_path / "a.json")


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


def test_two_directories_change_names_in_one_step(tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"from {name}").touch()
    if not directories.exchange(tmp_path / "a", tmp_path / "b"):
        pytest.skip("this file system cannot exchange two names")
    assert names(tmp_path / "a") == ["from b"]
    assert names(tmp_path / "b") == ["from a"]


def test_an_exchange_with_nothing_is_an_error_and_no_lack_of_the_system(tmp_path):
    (tmp_path / "a").mkdir()
    with pytest.raises(FileNotFoundError):
        directories.exchange(tmp_path / "a", tmp_path / "b")


@pytest.fixture(params=["exchanging", "renaming"])
def system(request, monkeypatch):
    """This system, and one that cannot exchange two names."""
    if request.param == "renaming":
        monkeypatch.setattr(directories, "exchange", lambda first, second: False)


@pytest.mark.usefixtures("system")
@pytest.mark.parametrize("kind", ["directory", "file", "link"])
def test_whatever_stood_there_is_replaced_by_the_directory(tmp_path, kind):
    target = tmp_path / "target"
    (tmp_path / "elsewhere").mkdir()
    {
        "directory": target.mkdir,
        "file": target.touch,
        "link": lambda: target.symlink_to(tmp_path / "elsewhere"),
    }[kind]()
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "x").touch()
    files.move(tmp_path / "new", target)
    assert names(target) == ["x"]
    assert names(tmp_path) == ["elsewhere", "target"]
    assert names(tmp_path / "elsewhere") == []


def test_a_moved_file_replaces_another(tmp_path):
    (tmp_path / "a").write_text("new")
    (tmp_path / "b").write_text("old")
    files.move(tmp_path / "a", tmp_path / "b")
    assert names(tmp_path) == ["b"]
    assert (tmp_path / "b").read_text() == "new"


def test_a_directory_set_aside_by_a_killed_process_is_read_and_brought_back(tmp_path):
    def read(held):
        with held.open("x") as file:
            return file.read()

    (tmp_path / ".m.old~").mkdir()
    (tmp_path / ".m.old~" / "x").write_text("old")
    (tmp_path / ".m~").mkdir()
    assert files.read_directory(tmp_path / "m", read) == b"old"
    files.sweep(tmp_path / "m")
    assert names(tmp_path) == ["m"]
    assert files.read_directory(tmp_path / "m", read) == b"old"


def test_an_absent_directory_is_absent(tmp_path):
    with pytest.raises(FileNotFoundError):
        files.read_directory(tmp_path / "m", lambda held: None)
    (tmp_path / "m").touch()
    with pytest.raises(NotADirectoryError):
        files.read_directory(tmp_path / "m", lambda held: None)


def test_a_failure_over_a_directory_that_stays_is_raised_at_once(tmp_path):
    (tmp_path / "m").mkdir()
    tried = []
    with pytest.raises(FileNotFoundError):
        files.read_directory(tmp_path / "m", lambda held: (tried.append(1), held.open("x")))
    assert len(tried) == 1


def test_files_are_never_of_two_directories(tmp_path):
    """The directory is replaced between the reading of its two files."""

    def write(text):
        with files.atomic_directory(tmp_path / "m") as temporary:
            for name in ("x", "y"):
                (temporary / name).write_text(text)

    def read(held):
        with held.open("x") as file:
            x = file.read()
        if x == b"old":
            write("new")
        with held.open("y") as file:
            return x + file.read()

    write("old")
    assert files.read_directory(tmp_path / "m", read) == b"newnew"


START = "import sys, time; from pathlib import Path; from angularpu import files; path = Path(sys.argv[1])\n"
WRITE = """
with files.atomic_directory(path) as temporary:
    (temporary / "first").touch()
    print("begun", flush=True)
    sys.stdin.read()
    (temporary / "second").touch()
"""
HOLD = """
with files.lock(path):
    print("begun", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def begin():
    """A function that runs a script in a process of its own and returns it when the script says that it has begun."""
    with contextlib.ExitStack() as stack:

        def start(script, path):
            command = [sys.executable, "-c", START + script, str(path)]
            process = stack.enter_context(subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE))
            stack.callback(process.kill)
            assert process.stdout.readline() == b"begun\n"
            return process

        yield start


def end(process):
    process.communicate()
    return process.returncode


def test_the_work_of_a_running_process_is_not_swept_away(tmp_path, begin):
    writer = begin(WRITE, tmp_path / "m")
    files.sweep(tmp_path / "m")
    assert names(tmp_path / ".m~") == ["first"]
    assert end(writer) == 0
    assert names(tmp_path) == ["m"]
    assert names(tmp_path / "m") == ["first", "second"]


def test_of_two_writers_one_waits_for_the_other(tmp_path, begin):
    writer = begin(WRITE, tmp_path / "m")
    waiting = threading.Thread(target=files.move, args=(tmp_path / "new", tmp_path / "m"))
    (tmp_path / "new").mkdir()
    waiting.start()
    assert end(writer) == 0
    waiting.join()
    assert names(tmp_path) == ["m"]
    assert names(tmp_path / "m") == []


def test_a_lock_that_is_held_is_refused_with_its_holder(tmp_path, begin):
    holder = begin(HOLD, tmp_path / "lock")
    said = rf"two cooks \(process {holder.pid} on .+ since 20..-..-.. ..:..:..\); wait for it to end"
    with pytest.raises(BusyError, match=said), files.lock(tmp_path / "lock", busy="two cooks"):
        raise AssertionError("the lock is held")
    assert end(holder) == 0
    assert names(tmp_path) == []


def test_a_lock_ends_with_the_process_that_held_it(tmp_path, begin):
    holder = begin(HOLD, tmp_path / "lock")
    holder.kill()
    holder.wait()
    assert names(tmp_path) == ["lock"]
    with files.lock(tmp_path / "lock", busy="two cooks"):
        assert str(os.getpid()) in (tmp_path / "lock").read_text()
    assert names(tmp_path) == []


def test_a_lock_lets_one_in_at_a_time(tmp_path):
    inside, most = [], []

    def work():
        for _ in range(50):
            with files.lock(tmp_path / "lock"):
                inside.append(1)
                most.append(len(inside))
                inside.pop()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(most), max(most)) == (200, 1)
    assert names(tmp_path) == []


def test_a_lock_moved_away_with_its_folder_is_free_again(tmp_path):
    with files.lock(tmp_path / "part" / "lock", busy="two cooks"):
        files.remove(tmp_path / "part")
        with files.lock(tmp_path / "part" / "lock", busy="two cooks"):
            assert names(tmp_path) == ["part"]
    assert names(tmp_path / "part") == []


def test_a_lock_that_cannot_be_removed_is_free_again_all_the_same(tmp_path, monkeypatch):
    def fail(path):
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(type(tmp_path), "unlink", fail)
        with files.lock(tmp_path / "lock", busy="two cooks"):
            pass
    with files.lock(tmp_path / "lock", busy="two cooks"):
        assert names(tmp_path) == ["lock"]
    assert names(tmp_path) == []


def test_a_lock_below_a_link_that_leads_nowhere_is_not_waited_for(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    with files.lock(tmp_path / "link" / "part" / "lock", busy="two cooks"):
        pass
    assert names(tmp_path) == ["link"]


def test_of_two_who_write_the_same_file_one_is_refused(tmp_path):
    with files.atomic_file(tmp_path / "a.txt") as temporary:
        temporary.write_text("first")
        with (
            pytest.raises(BusyError, match=r"a.txt is being written \(another process\); wait"),
            files.atomic_file(tmp_path / "a.txt"),
        ):
            raise AssertionError("the file is being written")
        assert temporary.read_text() == "first"
    assert (tmp_path / "a.txt").read_text() == "first"
    assert names(tmp_path) == ["a.txt"]


def test_where_nothing_can_be_locked_the_work_is_done_all_the_same(tmp_path):
    (tmp_path / "file").touch()
    with files.lock(tmp_path / "file" / "lock", busy="two cooks"):
        (tmp_path / "done").touch()
    assert names(tmp_path) == ["done", "file"]


@pytest.mark.parametrize("make", ["link", "pipe", "directory"])
def test_a_held_directory_opens_nothing_but_its_own_files(tmp_path, make):
    (tmp_path / "outside").write_text("secret")
    (tmp_path / "m").mkdir()
    path = tmp_path / "m" / "file"
    {"link": lambda: path.symlink_to(tmp_path / "outside"), "pipe": lambda: os.mkfifo(path), "directory": path.mkdir}[
        make
    ]()
    with pytest.raises(OSError, match=r"Too many levels of symbolic links|is no regular file"):
        files.read_directory(tmp_path / "m", lambda held: held.open("file"))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"", "Expecting value"),
        (b"\xff", "no Unicode"),
        (b"[" * 200_000, "nested too deeply"),
        (b'{"a":' * 200_000, "nested too deeply"),
        (b'"\\ud800"', "no Unicode"),
        (b'{"\\udfff": 1}', "no Unicode"),
        (b"9" * 61, "61 digits"),
        (b"[" + b"1," * 3_000_000 + b"1]", "more than 3,000,000 values"),
        (b'"' + b"x" * (files.LARGEST_JSON + 1) + b'"', "larger than 32 MiB"),
    ],
    ids=["empty", "bytes", "lists", "objects", "half a pair", "half a name", "digits", "values", "length"],
)
def test_json_that_would_do_harm_is_refused(text, reason):
    with pytest.raises(ValueError, match=reason):
        files.parse_json(text)


def test_json_that_was_written_is_read_again():
    content = {"a": [1, -2.5, None, True, "\U0001f600 \n"], "\u00e9": {"b": float("inf")}, "seed": 2**128}
    assert files.parse_json(files.dump_json(content)) == content
    assert files.parse_json(json.dumps(content).encode()) == content  # with pairs of surrogates


def test_the_outlines_of_a_file_are_those_of_its_tensors(tmp_path):
    arrays = {"a": np.zeros((2, 3), np.float32), "b": np.zeros(0, np.int64), "c": np.array(True), "d": np.zeros(5)}
    save_file(arrays, tmp_path / "file")
    with (tmp_path / "file").open("rb") as file:
        found = files.read_outlines(file)
        assert file.tell() == 0
    assert found == {name: files.Outline(array.shape, array.dtype.name) for name, array in arrays.items()}
