"""A forged model ends in one sentence, in little memory: sizes, numbers, links, pipes."""

import contextlib
import json
import os
import shutil
import subprocess
import sys

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from angularpu import PUClassifier
from angularpu.cli.main import main
from angularpu.errors import ModelError, SettingError
from angularpu.methods.configure import algorithm_options
from angularpu.methods.neural import make_algorithm
from angularpu.methods.table import METHODS
from angularpu.model import read_model
from angularpu.model.description import write_description
from angularpu.nets.build import build

MEBIBYTES = 1024  # a refusal stays below; torch and scikit-learn alone take nearly half of it
MEASURE = """
import re, sys
from pathlib import Path
from angularpu.errors import ModelError
from angularpu.model import read_model
for directory in sys.argv[1:]:
    try:
        read_model(directory)
    except ModelError as error:
        print(error)
# Not ru_maxrss, which begins with what the process that started this one had.
print(int(re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text()).group(1)) // 1024)
"""


@pytest.fixture
def copy(tmp_path):
    def copy(model):
        return shutil.copytree(model, tmp_path / "forged")

    return copy


def read_json(directory):
    return json.loads((directory / "model.json").read_text())


def write_header(directory, header, data=b"", *, length=None):
    written = json.dumps(header).encode() if isinstance(header, dict) else header
    size = len(written) if length is None else length
    (directory / "model.safetensors").write_bytes(size.to_bytes(8, "little") + written + data)


def widen(directory, content):
    content["encoder"]["d"] = 10**7


def grow_trees(directory, content):
    content["parts"]["member_0000"]["nodes"] = 2 * 10**9


def promise_tensors(directory, content):
    write_header(directory, {"held/pos": {"dtype": "F32", "shape": [10**10], "data_offsets": [0, 4 * 10**10]}})


def write_holes(directory, content):
    """Write eight gigabytes of zeros that take no room on disk."""
    length = 8 * 10**9
    write_header(directory, {"algorithm/mu": {"dtype": "F32", "shape": [length // 4], "data_offsets": [0, length]}})
    with (directory / "model.safetensors").open("r+b") as file:
        file.truncate(length + os.fstat(file.fileno()).st_size)


def many_values(text):
    return "[" + "[]," * 10_000_000 + "[]]"


def long_text(text):
    return json.dumps("\U0001f600" * 9_000_000, ensure_ascii=False)  # which takes four bytes a letter


SWOLLEN = {
    "wide": ("neural", widen, None, "'encoder.embedding.weight' is float32 [4 x 3] and must be numbers [10000000 x 3]"),
    "trees": ("classical", grow_trees, None, "must be int32 [2000000000]"),
    "header": ("neural", promise_tensors, None, "model.safetensors is damaged: its tensors do not fill its"),
    "holes": ("neural", write_holes, None, "is missing"),
    "values": ("neural", None, many_values, "more than 3,000,000 values"),
    "letters": ("neural", None, long_text, "larger than 32 MiB"),
}


def test_what_claims_to_be_huge_is_refused_in_little_memory(request, tmp_path, forge):
    for name, (kind, change, text, _) in SWOLLEN.items():
        forged = shutil.copytree(request.getfixturevalue(kind), tmp_path / name)
        content = read_json(forged)
        if change is not None:
            change(forged, content)
        forge(forged, content, text=text, unhashed=name == "holes")
    directories = [str(tmp_path / name) for name in SWOLLEN]
    done = subprocess.run([sys.executable, "-c", MEASURE, *directories], capture_output=True, text=True, check=True)
    *said, peak = done.stdout.splitlines()
    assert len(said) == len(SWOLLEN)
    for sentence, (*_, expected) in zip(said, SWOLLEN.values(), strict=True):
        assert expected in sentence
    assert int(peak) < MEBIBYTES


@pytest.mark.parametrize(
    ("header", "length"),
    [
        (b"", 0),
        (b"{}", 10**15),
        (b"{}", 3),
        (b"[]", None),
        (b"null", None),
        (b"{", None),
        (b"[" * 200_000, None),
        (b'{"a":' * 200_000, None),
        ({"a": None}, None),
        ({"a": {"dtype": "F32"}}, None),
        ({"a": {"dtype": "BF16", "shape": [0], "data_offsets": [0, 0]}}, None),
        ({"a": {"dtype": ["F32"], "shape": [0], "data_offsets": [0, 0]}}, None),
        ({"a": {"dtype": "F32", "shape": 0, "data_offsets": [0, 0]}}, None),
        ({"a": {"dtype": "F32", "shape": [-1], "data_offsets": [4, 0]}}, None),
        ({"a": {"dtype": "F32", "shape": [True], "data_offsets": [0, 4]}}, None),
        ({"a": {"dtype": "F32", "shape": [0] * 100, "data_offsets": [0, 0]}}, None),
        ({"a": {"dtype": "F32", "shape": [1], "data_offsets": [0, 8]}}, None),
        ({"a": {"dtype": "F32", "shape": [1], "data_offsets": [0]}}, None),
        ({"a": {"dtype": "F32", "shape": [2**40, 2**40], "data_offsets": [0, 2**82]}}, None),
    ],
    ids=lambda item: repr(item)[:40],
)
def test_a_forged_table_of_contents_is_refused(neural, copy, forge, header, length):
    forged = copy(neural)
    write_header(forged, header, length=length)
    forge(forged, read_json(forged))
    with pytest.raises(ModelError, match=r"model.safetensors is damaged: its"):
        read_model(forged)


def edit_tensors(directory, change):
    path = directory / "model.safetensors"
    arrays = load_file(path)
    change(arrays)
    save_file(arrays, path)


def set_first(name, value):
    def change(arrays):
        arrays[name] = arrays[name].copy()
        arrays[name].flat[0] = value

    return change


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("name", ["algorithm/mu", "algorithm/encoder.embedding.weight", "held/pos", "preparation/mean"])
def test_weights_that_are_not_finite_are_refused(neural, copy, forge, name, value):
    forged = copy(neural)
    edit_tensors(forged, set_first(name, value))
    forge(forged, read_json(forged))
    with pytest.raises(ModelError, match=rf"{name}' holds numbers that are not finite"):
        read_model(forged)


@pytest.mark.parametrize("value", [np.nan, np.inf])
@pytest.mark.parametrize("name", ["threshold", "value"])
def test_trees_that_are_not_finite_are_refused(classical, copy, forge, name, value):
    forged = copy(classical)
    edit_tensors(forged, set_first(f"algorithm/member_0001/{name}", value))
    forge(forged, read_json(forged))
    with pytest.raises(ModelError, match=rf"member_0001/{name}' holds numbers that are not finite"):
        read_model(forged)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (set_first("preparation/kept", 1), "'preparation/kept' must hold ascending numbers of 3 columns"),
        (set_first("preparation/kept", -1), "'preparation/kept' must hold ascending numbers of 3 columns"),
        (set_first("preparation/std", 0.0), "'preparation/std' must be above 0"),
        (lambda arrays: arrays.update({"preparation/mean": np.zeros(7)}), "differ in length"),
        (lambda arrays: arrays.update({"preparation/more": np.zeros(7)}), "'preparation/more' is not one of"),
        (lambda arrays: arrays.pop("preparation/kept"), "'preparation/kept' is missing"),
        (lambda arrays: arrays.update({"preparation/kept": np.array([0.0, 1, 2])}), "must be int64"),
        (lambda arrays: arrays.update({"held/pos": np.zeros(0, np.float32)}), "held.n_pos is|hash_pos' is"),
        (lambda arrays: arrays.update({"held/unl": np.zeros(10**4, np.float32)}), "held.n_unl is|hash_unl' is"),
        (lambda arrays: arrays.pop("held/unl"), "'held/unl' is missing"),
        (lambda arrays: arrays.update({"algorithm/more": np.zeros(1)}), "'algorithm/more' is not one of"),
    ],
)
@pytest.mark.parametrize("kind", ["neural", "classical"])
def test_forged_arrays_are_refused(request, kind, copy, forge, change, sentence):
    forged = copy(request.getfixturevalue(kind))
    edit_tensors(forged, change)
    forge(forged, read_json(forged))
    with pytest.raises(ModelError, match=sentence):
        read_model(forged)


@pytest.mark.parametrize(
    "scales",
    [np.zeros(()), np.zeros((0, 2)), np.zeros((4, 2)), np.zeros(5), np.zeros((10**4, 2)), np.full((5, 2), np.nan)],
)
def test_a_mean_of_folds_with_forged_scales_is_refused(rows_and_labels, tmp_path, forge, scales):
    model = PUClassifier(method="angular", epochs=1, encoder="linear", options={"refit": False, "d": 4})
    model.fit(*rows_and_labels).save(tmp_path / "model")
    read_model(tmp_path / "model")
    edit_tensors(tmp_path / "model", lambda arrays: arrays.update({"algorithm/scales": scales}))
    forge(tmp_path / "model", read_json(tmp_path / "model"))
    with pytest.raises(ModelError, match="cannot be read as a model"):
        read_model(tmp_path / "model")


def test_a_tree_that_reads_columns_past_the_width_is_refused(classical, copy, forge):
    forged = copy(classical)
    edit_tensors(forged, set_first("algorithm/member_0000/feature", 3))
    forge(forged, read_json(forged))
    with pytest.raises(ModelError, match=r"parts.member_0000: a tree compares a column that is none of 3"):
        read_model(forged)


def test_finite_weights_that_overflow_give_no_file_of_scores(neural, copy, forge, rows_and_labels, tmp_path, capsys):
    forged = copy(neural)
    edit_tensors(forged, lambda arrays: arrays.update({"algorithm/mu": np.full((1, 4), 3e38, np.float32)}))
    forge(forged, read_json(forged))
    np.save(tmp_path / "rows.npy", rows_and_labels[0])
    assert main(["score", str(forged), str(tmp_path / "rows.npy"), "--out", str(tmp_path / "scores.csv")]) == 2
    assert "some rows a score that is no number" in capsys.readouterr().err
    assert not (tmp_path / "scores.csv").exists()


def test_a_classifier_that_cannot_read_sparse_rows_gets_none(classical, copy, forge):
    forged = copy(classical)
    content = read_json(forged)
    content["preparation"] = {"kind": "sparse", "columns": 3, "notes": [], "as_matrix": True}

    def change(arrays):
        arrays["preparation/peak"] = arrays.pop("preparation/std")
        del arrays["preparation/mean"], arrays["preparation/flagged"]

    edit_tensors(forged, change)
    forge(forged, content)
    with pytest.raises(ModelError, match=r"preparation.as_matrix must be false for a classifier that cannot read"):
        read_model(forged)


@pytest.mark.parametrize("method", [card.name for card in METHODS.values() if card.is_neural])
def test_no_option_makes_an_algorithm_larger_before_it_is_compared_with_the_file(method):
    """An algorithm is made with the options that the file states; its tensors must follow the encoder's width alone."""
    encoder = build("linear", (3,), d=4)
    usual = make_algorithm(method, {}, alpha=0.5, encoder=encoder)
    for name, value in algorithm_options(method).items():
        if isinstance(value, int | float) and not isinstance(value, bool):
            with contextlib.suppress(SettingError):
                forged = make_algorithm(method, {name: 2 * 10**9}, alpha=0.5, encoder=encoder)
                assert [t.shape for t in forged.state_dict().values()] == [t.shape for t in usual.state_dict().values()]


@pytest.mark.parametrize("name", ["model.json", "model.safetensors"])
def test_a_link_out_of_the_directory_is_refused(neural, copy, name):
    forged = copy(neural)
    (forged / name).unlink()
    (forged / name).symlink_to(neural / name)
    with pytest.raises(ModelError, match=rf"{name} is a symbolic link, but a model's files stand in its directory"):
        read_model(forged)


@pytest.mark.parametrize("name", ["model.json", "model.safetensors"])
@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir], ids=["pipe", "directory"])
def test_a_pipe_or_a_directory_in_the_place_of_a_file_is_refused_at_once(neural, copy, name, make):
    forged = copy(neural)
    (forged / name).unlink()
    make(forged / name)
    with pytest.raises(ModelError, match=rf"{name} is no file"):
        read_model(forged)


def test_a_link_to_the_directory_is_followed(neural, tmp_path):
    (tmp_path / "link").symlink_to(neural)
    assert read_model(tmp_path / "link").method == "angular"


def test_a_file_that_no_model_has_is_refused(neural, copy, forge):
    forged = copy(neural)
    content = read_json(forged)
    content["checksums"]["../../../etc/passwd"] = "0" * 64
    forge(forged, content)
    with pytest.raises(ModelError, match=r"checksums\...\/.* is unknown"):
        read_model(forged)


@pytest.mark.parametrize("name", ["hash_pos", "hash_unl", "typical"])
def test_what_a_model_remembers_of_its_rows_must_fit_its_scores_and_columns(neural, tmp_path, name):
    model = shutil.copytree(neural, tmp_path / "model")
    tensors = load_file(model / "model.safetensors")
    tensors[f"remembered/{name}"] = np.append(tensors[f"remembered/{name}"], tensors[f"remembered/{name}"][:1])
    save_file(tensors, model / "model.safetensors")
    description = json.loads((model / "model.json").read_text())
    description["checksums"].pop("model.json")
    write_description(model, description)
    with pytest.raises(ModelError, match=f"'remembered/{name}' is .* and must be"):
        read_model(model)
