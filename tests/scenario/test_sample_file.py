"""Samples read from files."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import angularpu
from angularpu.errors import DataError, SettingError

X = np.arange(12.0).reshape(6, 2)
S = np.array([1, 0, 0, 1, 0, 0])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The same rows in every kind of file."""
    folder = tmp_path_factory.mktemp("samples")
    table = pa.table({"key": list("uvwxyz"), "a": X[:, 0], "b": X[:, 1], "s": S})
    lines = [f"{key},{a},{b},{s}\n" for key, a, b, s in zip("uvwxyz", X[:, 0], X[:, 1], S, strict=True)]
    (folder / "data.csv").write_text("key,a,b,s\n" + "".join(lines))
    pq.write_table(table, folder / "data.parquet")
    np.savez(folder / "data.npz", X=X, s=S, key=np.array(list("uvwxyz")))
    np.save(folder / "pos.npy", X[S == 1])
    np.save(folder / "unl.npy", X[S == 0])
    (folder / "words.csv").write_text("a,s\n1,fraud\n2,unknown\n3,unknown\n")
    return folder


def columns(sample):
    block = sample.rows.take(np.arange(len(sample.s)))
    return np.column_stack([*block.columns]) if sample.rows.kind == "frame" else block


@pytest.mark.parametrize("name", ["data.csv", "data.parquet", "data.npz"])
@pytest.mark.parametrize("as_path", [str, lambda path: path])
def test_every_format_gives_the_same_sample(folder, name, as_path):
    sample, classes = angularpu.read_sample(as_path(folder / name), label="s", ids=["key"], scenario="one-sample")
    np.testing.assert_array_equal(columns(sample), X)
    assert sample.s.tolist() == S.tolist()
    assert (sample.scenario, classes) == ("one-sample", (0, 1))


def test_positives_may_lie_in_a_file_of_their_own(folder):
    sample, classes = angularpu.read_sample(folder / "pos.npy", unlabelled=folder / "unl.npy", scenario="two-sample")
    np.testing.assert_array_equal(columns(sample), [*X[S == 1], *X[S == 0]])
    assert (sample.s.tolist(), sample.scenario, classes) == ([1, 1, 0, 0, 0, 0], "two-sample", (0, 1))


@pytest.mark.parametrize(("positive", "n_pos"), [("fraud", 1), ("unknown", 2)])
def test_the_value_of_positives_may_be_named(folder, positive, n_pos):
    sample, classes = angularpu.read_sample(folder / "words.csv", label="s", positive=positive, scenario="one-sample")
    assert sample.n_pos == n_pos
    assert classes[1] == positive


@pytest.mark.parametrize(("positive", "n_pos"), [(1, 2), (0, 4)])
def test_the_value_of_positives_may_be_a_number(folder, positive, n_pos):
    sample, _ = angularpu.read_sample(
        folder / "data.csv", label="s", positive=positive, ids=["key"], scenario="one-sample"
    )
    assert sample.n_pos == n_pos


def test_two_words_are_refused_whatever_their_order_unless_one_is_named(folder):
    with pytest.raises(DataError, match="label 's': the labels are the words 'fraud' and 'unknown', which do not tell"):
        angularpu.read_sample(folder / "words.csv", label="s", scenario="one-sample")
    angularpu.read_sample(folder / "words.csv", label="s", positive="fraud", scenario="one-sample")


@pytest.mark.parametrize(("labels", "classes"), [("sick,,", ("", "sick")), ("true,false,false", (False, True))])
def test_one_word_beside_blanks_and_true_and_false_need_no_telling(tmp_path, labels, classes):
    rows = [f"{number},{label}\n" for number, label in enumerate(labels.split(","))]
    (tmp_path / "data.csv").write_text("a,s\n" + "".join(rows))
    sample, found = angularpu.read_sample(tmp_path / "data.csv", label="s", scenario="one-sample")
    assert (sample.s.tolist(), found) == ([1, 0, 0], classes)


@pytest.mark.parametrize(
    "options",
    [{}, {"label": "s", "unlabelled": "unl.npy"}, {"positive": "1"}, {"positive": "1", "unlabelled": "unl.npy"}],
)
def test_one_file_with_labels_or_two_without(folder, options):
    with pytest.raises(SettingError, match="a sample comes from one file with label="):
        angularpu.read_sample(folder / "data.csv", scenario="one-sample", **options)


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("data.csv", {"label": "t"}, "no column 't'"),
        ("data.npz", {"label": "t"}, "no array 't'"),
        ("data.csv", {"label": "s", "ids": ["s"]}, "'s' cannot be the label and the id at once"),
        ("pos.npy", {"label": "s"}, "one array without names"),
        ("data.csv", {"label": "a"}, "label 'a': the labels hold 6 values .* with just two, or say which .*--positive"),
        ("none.csv", {"label": "a"}, "does not exist"),
    ],
)
def test_what_cannot_be_a_sample_is_refused(folder, name, options, message):
    with pytest.raises(DataError, match=message):
        angularpu.read_sample(folder / name, scenario="one-sample", **options)
