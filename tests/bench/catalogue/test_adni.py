"""ADNI from files of the user's own."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from angularpu.errors import DataError
from angularpu_bench.catalogue.adni import load_adni
from angularpu_bench.catalogue.datasets import load_dataset

PEOPLE = np.repeat(np.arange(30), 2)
DIAGNOSES = np.repeat(np.array(["CN", "MCI", "AD"]), 20)


def write_table(path, diagnoses=DIAGNOSES):
    table = pa.table({"RID": PEOPLE, "Hippocampus": np.arange(60.0), "MMSE": np.arange(60), "DX": diagnoses})
    pq.write_table(table, path)


def write_images(path, **replaced):
    arrays = {"scans": np.random.default_rng(0).integers(0, 256, (60, 8, 9)).astype(np.uint8), "DX": DIAGNOSES}
    np.savez(path, **{**arrays, "RID": PEOPLE, **replaced})


def test_named_columns_make_a_data_set_and_nobody_is_in_both_parts(tmp_path):
    write_table(tmp_path / "a.parquet")
    dataset = load_adni(tmp_path / "a.parquet", label="DX", positives=["CN"], features=["Hippocampus"], subject="RID")
    assert (dataset.name, dataset.kind, dataset.x_train.column_names) == ("adni", "table", ["Hippocampus"])
    people = [set((np.array(x["Hippocampus"]) // 2).tolist()) for x in (dataset.x_train, dataset.x_test)]
    assert len(people[0]) == 21
    assert not people[0] & people[1]
    positive = np.array(dataset.x_test["Hippocampus"]) < 20
    np.testing.assert_array_equal(dataset.y_test, positive)
    assert dataset.warnings == ("adni: the user's own files, which no checksum covers",)


def test_without_a_subject_column_classes_are_split_and_a_warning_says_so(tmp_path):
    write_table(tmp_path / "a.parquet")
    dataset = load_adni(tmp_path / "a.parquet", label="DX", positives=["AD", "MCI"])
    assert dataset.x_train.column_names == ["RID", "Hippocampus", "MMSE"]
    assert (len(dataset.y_train), dataset.prior) == (42, pytest.approx(2 / 3))
    assert "scans of one person may be in both parts" in dataset.warnings[-1]


def test_rows_without_a_diagnosis_are_left_out_and_counted(tmp_path):
    write_table(tmp_path / "a.parquet", [None, "", *DIAGNOSES[2:]])
    dataset = load_adni(tmp_path / "a.parquet", label="DX", positives=["CN"], subject="RID")
    assert len(dataset.y_train) + len(dataset.y_test) == 58
    assert "adni: 2 rows without a diagnosis left out" in dataset.warnings


def test_the_merged_table_is_read_as_it_is_downloaded(tmp_path):
    header = '"RID","PTID","VISCODE","DX_bl","AGE","MMSE","ABETA","Hippocampus","DX"'
    lines = [
        f'{person},"011_S_{person:04}","{visit}","CN",74.3,29,">1700",{8000 + person if person % 5 else ""},"{DX}"'
        for person, DX in zip(range(30), ["CN", "MCI", "Dementia"] * 10, strict=True)
        for visit in ("bl", "m12")
    ]
    (tmp_path / "ADNIMERGE.csv").write_text("\n".join([header, *lines]) + "\n")
    columns = {"label": "DX", "positives": ["CN"], "features": ["Hippocampus", "AGE"], "subject": "RID"}
    dataset = load_adni(tmp_path / "ADNIMERGE.csv", **columns)
    assert dataset.x_train.column_names == ["Hippocampus", "AGE"]
    assert dataset.x_train["Hippocampus"].null_count > 0
    assert (len(dataset.y_train), len(dataset.y_test)) == (42, 18)
    people = [{size - 8000 for size in x["Hippocampus"].to_pylist() if size} for x in (dataset.x_train, dataset.x_test)]
    assert not people[0] & people[1]
    sizes = dataset.x_test["Hippocampus"].to_pylist()
    assert all(bool(y) == ((size - 8000) % 3 == 0) for size, y in zip(sizes, dataset.y_test, strict=True) if size)


def test_images_come_with_a_channel(tmp_path):
    write_images(tmp_path / "a.npz")
    dataset = load_adni(tmp_path / "a.npz", label="DX", positives=["CN"], subject="RID")
    assert (dataset.kind, dataset.x_train.shape, dataset.x_train.dtype) == ("image", (42, 1, 8, 9), np.uint8)


def test_arrays_of_features_are_a_table(tmp_path):
    write_images(tmp_path / "a.npz", scans=np.ones((60, 5)))
    dataset = load_adni(tmp_path / "a.npz", label="DX", positives=["CN"], features=["scans"])
    assert (dataset.kind, dataset.x_test.shape) == ("table", (18, 5))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ({"label": "diagnosis"}, "has no column 'diagnosis'"),
        ({"positives": ["NC"]}, "'NC' cannot be the positives; the diagnoses are 'AD', 'CN', 'MCI'"),
        ({"positives": []}, "nothing cannot be the positives"),
        ({"features": ["volume"]}, "has no column 'volume'"),
        ({"features": ["DX"]}, "has no column 'DX'"),
        ({"subject": "PTID"}, "has no column 'PTID'"),
    ],
)
@pytest.mark.parametrize("name", ["a.parquet", "a.npz"])
def test_names_that_the_file_lacks_are_told(tmp_path, name, call, message):
    (write_table if name == "a.parquet" else write_images)(tmp_path / name)
    with pytest.raises(DataError, match=message):
        load_adni(tmp_path / name, **{"label": "DX", "positives": ["CN"], "subject": "RID", **call})


@pytest.mark.parametrize(
    ("replaced", "message"),
    [
        ({"more": np.ones((60, 2))}, "name the one array to learn from"),
        ({"scans": np.ones((60, 8, 9))}, "images must be uint8, got float64"),
        ({"DX": DIAGNOSES[:50]}, r"'DX' of shape \(50,\) does not match 60 rows"),
        ({"scans": np.ones((60, 4, 8, 9), np.uint8)}, r"1 or 3 channels, got shape \(60, 4, 8, 9\)"),
    ],
)
def test_arrays_that_do_not_go_together_are_refused(tmp_path, replaced, message):
    write_images(tmp_path / "a.npz", **replaced)
    with pytest.raises(DataError, match=message):
        load_adni(tmp_path / "a.npz", label="DX", positives=["CN"], subject="RID")


def test_the_catalogue_says_how_adni_is_read(tmp_path):
    with pytest.raises(DataError, match=r"read from your own files: .* angularpu_bench\.catalogue\.adni\.load_adni"):
        load_dataset("adni", tmp_path)
