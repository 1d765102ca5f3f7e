"""A disk that is full, at whichever write: one sentence, exit code 2, and nothing half-written under a final name."""

import contextlib
import resource
import subprocess

import pytest

from angularpu.cli.main import main

QUICK = ("--method", "angular", "--set", "epochs=2")


@contextlib.contextmanager
def full_disk(folder, size):
    """A file system of a few bytes, where one may be mounted."""
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)], capture_output=True, check=False
    )
    if done.returncode:
        pytest.skip("mounting a file system is not allowed here")
    try:
        yield
    finally:
        subprocess.run(["umount", str(folder)], check=True)


@contextlib.contextmanager
def short_files(folder, size):
    """No file of this process may grow longer: the system refuses the write, as it does on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


COMMANDS = {
    "a network": ("fit", "{files}/data.csv", "--label", "s", "--out", "{disk}/model", *QUICK),
    "a classifier": ("fit", "{files}/data.csv", "--label", "s", "--out", "{disk}/model", "--method", "spy"),
    "scores as CSV": ("score", "{files}/model", "{files}/data.csv", "--out", "{disk}/o.csv"),
    "scores as Parquet": ("score", "{files}/model", "{files}/data.csv", "--out", "{disk}/o.parquet"),
}


@pytest.mark.parametrize("limited", [full_disk, short_files])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_full_disk_is_told_and_leaves_nothing_under_a_final_name(command, limited, files, model, tmp_path, capsys):
    failed, size = 0, 4096
    while True:
        disk = tmp_path / str(size)
        disk.mkdir()
        arguments = [argument.format(files=files, disk=disk) for argument in COMMANDS[command]]
        with limited(disk, size):
            code = main(arguments)
            err = capsys.readouterr().err
            left = {path.name for path in disk.iterdir()}
        if code == 0:
            assert left == {arguments[arguments.index("--out") + 1].rpartition("/")[2]}
            break
        assert code == 2
        assert err.splitlines()[-1].startswith(f"Error: {disk}/")
        assert "No space left" in err or "File too large" in err
        assert left <= {"model.part"}
        failed, size = failed + 1, size * 16
    assert failed
