"""A checkpoint: one run's, replaced whole, and refused in one sentence when it is damaged or another run's."""

import pytest
import torch
from safetensors.torch import save_file

from angularpu.errors import ModelError
from angularpu.train.checkpoint import KEY_FILE, Checkpoint

FILE = "checkpoint.safetensors"


@pytest.fixture
def checkpoint(tmp_path):
    made = Checkpoint(tmp_path / "part", key="k")
    made.save({"a": torch.arange(4)}, {"epoch": 1})
    return made


def refuse(folder, match, key="k"):
    with pytest.raises(ModelError, match=match) as caught:
        Checkpoint(folder, key=key).load()
    assert "\n" not in str(caught.value)
    assert "--restart" in str(caught.value)


def test_what_was_saved_is_loaded_by_another_process_with_the_same_key(checkpoint):
    strided = torch.arange(12.0).reshape(3, 4).T
    checkpoint.save({"a": strided, "b": torch.tensor(3, dtype=torch.int8)}, {"epoch": 2, "text": "é"})
    tensors, info = Checkpoint(checkpoint.directory, key="k").load()
    assert torch.equal(tensors["a"], strided)
    assert tensors["b"].dtype == torch.int8
    assert info == {"epoch": 2, "text": "é"}


def test_nothing_is_loaded_before_something_was_saved(tmp_path):
    assert Checkpoint(tmp_path / "new" / "part", key="k").load() is None


def test_a_save_that_fails_leaves_the_one_before(checkpoint):
    shared = torch.zeros(4)
    with pytest.raises(RuntimeError):
        checkpoint.save({"a": shared, "b": shared}, {"epoch": 2})
    assert checkpoint.load()[1] == {"epoch": 1}
    assert sorted(path.name for path in checkpoint.directory.iterdir()) == [FILE, KEY_FILE]


def test_another_runs_directory_is_refused(checkpoint):
    refuse(checkpoint.directory, "unfinished run with other data or settings", key="another")


@pytest.mark.parametrize("content", ["", "{", "[]", '{"colour": "red"}'])
def test_a_damaged_key_is_refused(checkpoint, content):
    (checkpoint.directory / KEY_FILE).write_text(content)
    refuse(checkpoint.directory, "run.json is damaged")


@pytest.mark.parametrize("kept", [0, 4, 20, -1])
def test_a_checkpoint_that_was_cut_short_is_refused(checkpoint, kept):
    path = checkpoint.directory / FILE
    path.write_bytes(path.read_bytes()[:kept])
    refuse(checkpoint.directory, "is not a checkpoint")


@pytest.mark.parametrize("metadata", [None, {"colour": "red"}, {"info": "not JSON"}, {"info": "7"}, {"info": "null"}])
def test_a_tensor_file_of_something_else_is_refused(checkpoint, metadata):
    save_file({"a": torch.zeros(2)}, checkpoint.directory / FILE, metadata=metadata)
    refuse(checkpoint.directory, "is not a checkpoint")


def test_a_disk_that_does_not_give_it_back_is_told(checkpoint, monkeypatch):
    def fail(*arguments, **options):
        raise RuntimeError("unable to open file <x> in read-only mode: Input/output error (5)")  # torch's own words

    monkeypatch.setattr("angularpu.train.checkpoint.safe_open", fail)
    with pytest.raises(OSError, match=r"checkpoint.safetensors cannot be read: Input/output error \(5\)$"):
        checkpoint.load()
