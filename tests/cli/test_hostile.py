"""Files that were damaged or made to do harm: one printable sentence, exit code 2, and nothing left behind."""

import io
import os
import resource
import zipfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from angularpu.cli.main import main
from angularpu.model import directory as model_directory
from angularpu.model.score_file import score_file

QUICK = ("--method", "angular", "--set", "epochs=1", "--set", "encoder=linear")

HOSTILE = "\x1b[2J\x1b]0;x\x07\x9b31m\u202e"


@pytest.fixture(scope="module")
def bad(tmp_path_factory, files, table, arrays, model):
    folder, (x, s) = tmp_path_factory.mktemp("hostile"), arrays
    text = (files / "data.csv").read_text()
    (folder / "utf16.csv").write_text(text, encoding="utf-16")
    (folder / "latin.csv").write_text(text.replace("Oslo", "Malmö"), encoding="latin-1")
    (folder / "huge_number.csv").write_text(text.replace("0001", "1e999", 1).replace("key", "number", 1))
    (folder / "huge_label.csv").write_text(text.replace(",1\n", ",1e999\n"))
    (folder / "escapes.csv").write_text(text.replace("city", f"city{HOSTILE}", 1).replace("Oslo", HOSTILE))
    (folder / "columns.csv").write_text(f"{','.join(f'{HOSTILE}{i}' for i in range(3000))}\n{',' * 2999}\n")
    (folder / "labels.csv").write_text("a,s\n" + "".join(f"{i},{HOSTILE}{i}{'x' * 5000}\n" for i in range(300)))
    for name, column in {"list": pa.array([[1]] * len(s)), "struct": pa.array([{"a": 1}] * len(s))}.items():
        for place, old in enumerate(("key", "s", "city")):
            at = table.schema.get_field_index(old)
            pq.write_table(
                table.set_column(at, old, column), folder / f"{name}_{('id', 'label', 'column')[place]}.parquet"
            )
    odd = np.where(s == 1, "p", "u")
    np.savez(folder / "half_pair.npz", X=x, s=np.where(s == 1, "p", "\ud800"))
    np.savez(folder / "half_pair_id.npz", X=x, key=np.array(["\ud800"] * len(s)))
    np.savez(folder / "no_character.npz", X=x, s=(odd.view(np.uint32) << 20).view("<U1"))
    np.savez(folder / "complex_id.npz", X=x, key=np.full(len(s), 1j))
    np.save(folder / "objects.npy", np.array([[{}]], object))
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "<f8", "fortran_order": False, "shape": (2**63, 4)})
    (folder / "shape.npy").write_bytes(header.getvalue())
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "<f8", "fortran_order": False, "shape": (10**6, 4 * 10**6)})
    with zipfile.ZipFile(folder / "declared.npz", "w") as archive:
        archive.writestr("X.npy", header.getvalue())
    (folder / f"na{HOSTILE}me.csv").write_text("a")
    return folder


def fit(name, *options, label="s"):
    return ("fit", "{bad}/" + name, "--label", label, "--id", "key", "--out", "{tmp}/model", *options)


def score(name, *options):
    return ("score", "{files}/model", "{bad}/" + name, "--out", "{tmp}/o.csv", *options)


def two_files(name):
    return ("fit", "--positives", "{bad}/" + name, "--unlabelled", "{files}/unlabelled.npy", "--out", "{tmp}/model")


OPTIONS = ("fit", "{files}/data.csv", "--label", "s", "--out", "{tmp}/model", "--method", "angular")
CASES = {
    "UTF-16": (fit("utf16.csv"), "is in UTF-16, not in UTF-8"),
    "Latin-1": (fit("latin.csv"), "is not UTF-8, so the file is probably in Latin-1"),
    "scoring UTF-16": (score("utf16.csv"), "is in UTF-16"),
    "a number beyond all bounds": (
        ("fit", "{bad}/huge_number.csv", "--label", "s", "--out", "{tmp}/model"),
        "column 'number', row 1 (the first is 0): the value is infinite",
    ),
    "a label beyond all bounds": (fit("huge_label.csv"), "finite numbers of at most 64 bits, got inf"),
    "a label that no column has among hostile ones": (fit("escapes.csv", label="t"), "\\x1b[2J"),
    "a hostile label": (fit("escapes.csv", label=HOSTILE), "has no column '\\x1b[2J"),
    "many hostile columns": (fit("columns.csv"), "and 2992 more"),
    "many long labels": (("fit", "{bad}/labels.csv", "--label", "s", "--out", "{tmp}/model"), "and 292 more"),
    "a hostile path": (fit(f"na{HOSTILE}me.csv"), "na\\x1b[2J"),
    "a path that is no Unicode": (fit("\udcff.csv"), "\\udcff.csv does not exist"),
    "a list as a label": (fit("list_label.parquet"), "label 's' holds values of type list<"),
    "a struct as a label": (fit("struct_label.parquet"), "label 's' holds values of type struct<"),
    "a list as a column": (fit("list_column.parquet"), "column 'city' holds values of type list<"),
    "a struct as a column": (fit("struct_column.parquet"), "column 'city' holds values of type struct<"),
    "scoring lists": (score("list_column.parquet"), "column 'city' holds values of type list<"),
    "a list as an id": (score("list_id.parquet", "--id", "key"), "which CSV cannot hold; write a .parquet file"),
    "a struct as an id": (score("struct_id.parquet", "--id", "key"), "which CSV cannot hold"),
    "half a pair as a label": (("fit", "{bad}/half_pair.npz", "--label", "s", "--out", "{tmp}/model"), "valid Unicode"),
    "no character": (("fit", "{bad}/no_character.npz", "--label", "s", "--out", "{tmp}/model"), "valid Unicode"),
    "half a pair as an id": (score("half_pair_id.npz", "--id", "key"), "'key' cannot be a column of a table"),
    "a complex id": (score("complex_id.npz", "--id", "key"), "'key' cannot be a column of a table"),
    "objects": (two_files("objects.npy"), "Python objects, which are never loaded"),
    "a shape beyond all bounds": (two_files("shape.npy"), "there is no array of shape"),
    "an archive that declares 29 TiB": (score("declared.npz"), "'X' needs 32000000000128 bytes, but 128 are there"),
    "an option beyond all bounds": ((*OPTIONS, "--set", "kappa=1e999"), "kappa must be a number above 0, got inf"),
    "a count beyond all bounds": ((*OPTIONS, "--set", "d=99999999999999999999"), "d must be at most 2147483647"),
    "a count of 5000 digits": ((*OPTIONS, "--set", f"epochs={'9' * 5000}"), "epochs must be a whole number"),
    "a prior beyond all bounds": ((*OPTIONS, "--prior", "1e999"), "prior must lie in (0, 1), got inf"),
    "a rule beyond all bounds": ((*OPTIONS, "--threshold", "recall=1e999"), "recall must lie in (0, 1], got inf"),
    "a hostile option": ((*OPTIONS, "--set", f"{HOSTILE}=3"), "option '\\x1b[2J"),
    "a hostile choice": ((*OPTIONS, "--scenario", HOSTILE), "\\x1b[2J"),
    "an option that does not exist": ((*OPTIONS, f"--{HOSTILE}"), "No such option: --\\x1b[2J"),
    "a text without end": ((*OPTIONS, "--set", "kappa=" + "y" * 100_000), "kappa must be a number, got 'yyy"),
    "scores to a Parquet file made safe": (
        ("score", "{files}/model", "{files}/data.csv", "--out", "{tmp}/o.parquet", "--safe-csv"),
        "only CSV can be made safe for spreadsheets",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_harmful_input_is_told_in_one_printable_sentence(case, files, bad, tmp_path, read_all, capsys):
    arguments, expected = CASES[case]
    code = main(
        [
            argument.replace("{files}", str(files)).replace("{bad}", str(bad)).replace("{tmp}", str(tmp_path))
            for argument in arguments
        ]
    )
    out, err = capsys.readouterr()
    *said, last = err.splitlines()
    assert (code, out) == (2, "")
    assert last.startswith("Error: ")
    assert expected in last
    assert len(last) < 720
    assert all(line.isprintable() for line in [*said, last])
    assert read_all(tmp_path) == {}


def test_a_lack_of_memory_is_told(files, tmp_path, capsys):
    before = resource.getrlimit(resource.RLIMIT_AS)
    taken = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (taken + 2**30, before[1]))
    try:
        arguments = [
            "--label",
            "s",
            "--out",
            str(tmp_path / "model"),
            "--set",
            "encoder=linear",
            "--set",
            "d=100000000",
        ]
        assert main(["fit", str(files / "data.csv"), *arguments]) == 2
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)
    assert capsys.readouterr().err.splitlines()[-1].startswith("Error: there is not enough memory for this; take fewer")
    assert not (tmp_path / "model").exists()


def test_hostile_names_and_labels_are_shown_escaped(files, tmp_path, capsys):
    text = (files / "data.csv").read_text().replace("city", f"city{HOSTILE}", 1)
    (tmp_path / "data.csv").write_text(text.replace(",1\n", f",z{HOSTILE}\n").replace(",0\n", f",a{HOSTILE}\n"))
    model = tmp_path / f"model{HOSTILE}"
    arguments = [
        "--label",
        "s",
        "--positive",
        f"z{HOSTILE}",
        "--id",
        "key",
        "--out",
        str(model),
        "--method",
        "angular",
        "--set",
        "epochs=1",
        "--set",
        "encoder=linear",
    ]
    for command in (
        ["fit", str(tmp_path / "data.csv"), *arguments],
        ["fit", str(tmp_path / "data.csv"), *arguments, "--force", "--json"],
        ["info", str(model)],
        ["info", str(model), "--json"],
        ["threshold", str(model), "--rule", "recall=0.9", "--json"],
        ["score", str(model), str(tmp_path / "data.csv"), "--out", str(tmp_path / f"{HOSTILE}.csv")],
    ):
        assert main(command) == 0
        out, err = capsys.readouterr()
        assert all(line.isprintable() for line in [*out.split("\n"), *err.split("\n")])
        if command[0] != "threshold":  # which shows neither names nor labels
            assert "\\x1b[2J" in err or "\\u001b[2J" in out or "\\x1b[2J" in out


def test_a_file_cut_shorter_while_it_is_scored_is_told_and_leaves_no_file(files, tmp_path):
    model, data = tmp_path / "model", tmp_path / "x.npy"
    data.write_bytes((files / "data.npy").read_bytes())
    two = ["--positives", str(files / "positives.npy"), "--unlabelled", str(files / "unlabelled.npy")]
    assert main(["fit", *two, "--out", str(model), *QUICK]) == 0

    def cut(done, total, text):
        os.truncate(data, 300)

    with pytest.raises(ValueError, match=r"x\.npy was cut shorter while it was read"):
        score_file(model_directory.read_model(model), data, out=tmp_path / "o.csv", report=cut, piece_rows=100)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["model", "x.npy"]


def test_ids_that_a_spreadsheet_would_run_are_written_with_an_apostrophe_when_asked(files, model, tmp_path):
    text = (files / "data.csv").read_text().replace('"0001"', "=1+1").replace('"0002"', "-2")
    (tmp_path / "data.csv").write_text(text)
    for options, ids in (((), ["=1+1", "-2"]), (("--safe-csv",), ["'=1+1", "-2"])):
        out = tmp_path / f"o{len(options)}.csv"
        assert main(["score", str(model), str(tmp_path / "data.csv"), "--id", "key", "--out", str(out), *options]) == 0
        lines = out.read_text().splitlines()
        assert [line.partition(",")[0].strip('"') for line in lines[2:4]] == ids
    assert (tmp_path / "o0.csv").read_text().replace("=1+1", "'=1+1") == (tmp_path / "o1.csv").read_text()
