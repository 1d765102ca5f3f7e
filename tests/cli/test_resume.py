import shlex
import signal
import subprocess
import sys
import time

import pytest

from angularpu.cli.main import main
from angularpu.train import loop

QUICK = ("--method", "angular", "--set", "epochs=6")


def fit_command(files, model):
    # Long enough for a signal to come during training.
    return [
        "fit",
        str(files / "data.csv"),
        "--label",
        "s",
        "--id",
        "key",
        "--out",
        str(model),
        "--method",
        "angular",
        "--set",
        "epochs=6",
    ]


def fit_and_count(files, model):
    """Run a fit to its end and return how many epochs it trained."""
    epochs = []

    def count(*arguments, **options):
        epochs.append(1)
        return run_epoch(*arguments, **options)

    run_epoch = loop._run_epoch
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loop, "_run_epoch", count)
        assert main(fit_command(files, model)) == 0
    return len(epochs)


@pytest.fixture(scope="module")
def unkilled(files, tmp_path_factory, read_all):
    folder = tmp_path_factory.mktemp("unkilled")
    epochs = fit_and_count(files, folder / "model")
    return read_all(folder), epochs


def start(files, model, *, until):
    """Start a real fit and return it when a file has appeared."""
    command = [sys.executable, "-m", "angularpu", *fit_command(files, model)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    while not (model.parent / until).exists() and process.poll() is None:
        time.sleep(0.001)
    return process


def stop(files, model, *, at, by):
    """Run a real fit, send it a signal when a file appears, and return its exit code and what it said."""
    process = start(files, model, until=at)
    process.send_signal(by)
    said = process.communicate()[1]
    return process.returncode, said


def test_a_fit_killed_before_its_first_checkpoint_starts_again(files, tmp_path, unkilled, read_all):
    code, _ = stop(files, tmp_path / "model", at="model.part", by=signal.SIGKILL)
    assert code == -signal.SIGKILL
    assert [path.name for path in tmp_path.iterdir()] == ["model.part"]
    fit_and_count(files, tmp_path / "model")
    assert read_all(tmp_path) == unkilled[0]


def test_a_fit_killed_after_a_checkpoint_resumes_to_the_same_bytes(files, tmp_path, unkilled, read_all):
    code, _ = stop(files, tmp_path / "model", at="model.part/fold-1-of-5.safetensors", by=signal.SIGKILL)
    assert code == -signal.SIGKILL
    assert [path.name for path in tmp_path.iterdir()] == ["model.part"]
    assert fit_and_count(files, tmp_path / "model") < unkilled[1]
    assert read_all(tmp_path) == unkilled[0]


def test_an_interrupted_fit_says_so_in_one_sentence_and_resumes(files, tmp_path, unkilled, read_all):
    code, said = stop(files, tmp_path / "model", at="model.part/fold-1-of-5.safetensors", by=signal.SIGINT)
    assert code == 130
    again = shlex.join(["angularpu", *fit_command(files, tmp_path / "model")])
    expected = f"Interrupted: what was finished is kept, and this resumes from there: {again}"
    assert [line for line in said.splitlines() if line.startswith("Interrupted")] == [expected]
    assert said.endswith(f"{expected}\n")
    assert fit_and_count(files, tmp_path / "model") < unkilled[1]
    assert read_all(tmp_path) == unkilled[0]


def test_a_second_fit_into_the_same_model_is_refused_and_harms_nothing(files, tmp_path, unkilled, read_all, capsys):
    model = tmp_path / "model"
    first = start(files, model, until="model.part/fold-1-of-5.safetensors")
    first.send_signal(signal.SIGSTOP)
    try:
        before = read_all(tmp_path)
        for options in ([], ["--restart"], ["--force"]):
            assert main([*fit_command(files, model), *options]) == 2
            said = capsys.readouterr().err.splitlines()[-1]
            assert said.startswith(f"Error: another fit into {model} is running (process {first.pid} on ")
            assert read_all(tmp_path) == before
    finally:
        first.send_signal(signal.SIGCONT)
    first.communicate()
    assert first.returncode == 0
    assert read_all(tmp_path) == unkilled[0]
