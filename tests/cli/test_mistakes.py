"""Whatever a user gets wrong: one sentence, exit code 2, and nothing left behind."""

import json
import shutil

import numpy as np
import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.parquet as pq
import pytest

from angularpu.cli.main import main
from angularpu.data.io.tables import open_table

QUICK = ("--method", "angular", "--set", "epochs=1")


@pytest.fixture(scope="module")
def bad(tmp_path_factory, files, table, model, arrays):
    """Files and models with one fault each."""
    folder = tmp_path_factory.mktemp("bad")
    x, s = arrays

    def write(name, **columns):
        changed = table
        for column, values in columns.items():
            changed = changed.set_column(table.schema.get_field_index(column), column, pa.array(values))
        pacsv.write_csv(changed, folder / name)

    write("three.csv", s=np.arange(len(s)) % 3)
    write("none_labelled.csv", s=np.zeros(len(s), int))
    write("all_labelled.csv", s=np.ones(len(s), int))
    write("missing_label.csv", s=[None, *s[1:].tolist()])
    write("infinite.csv", b=[*x[:-1, 1], np.inf])
    write("text.csv", b=[*map(str, x[:-1, 1]), "many"])
    pacsv.write_csv(table.drop_columns(["b"]), folder / "no_b.csv")
    pacsv.write_csv(table.slice(0, 1), folder / "one_row.csv")
    pacsv.write_csv(table.select(["s"]), folder / "labels_only.csv")
    pq.write_table(table.rename_columns(["score", *table.column_names[1:]]), folder / "clash.parquet")
    (folder / "empty.csv").write_text("")
    (folder / "header.csv").write_text("a,b,s\n")
    (folder / "data.txt").write_text("a,b,s\n1,2,1\n")
    lines = (files / "data.csv").read_text().splitlines(keepends=True)
    start, _, last = lines[10].rpartition(",")
    lines[10] = f'{start},"{last}'
    (folder / "open_quote.csv").write_text("".join(lines))
    for name in ("data.parquet", "data.npz", "data.npy"):
        content = (files / name).read_bytes()
        (folder / f"cut_{name}").write_bytes(content[: len(content) // 2])
        (folder / f"empty_{name}").write_bytes(b"")
    np.savez(folder / "unnamed.npz", first=x, second=x, s=s)
    np.savez(folder / "ids.npz", X=x, key=np.arange(3))
    np.savez(folder / "one.npz", X=x[:1], s=s[:1])
    np.save(folder / "wide.npy", np.ones((5, 9)))
    np.save(folder / "flat.npy", np.ones(5))
    for name in ("flipped", "edited", "newer", "garbled", "half", "no_json"):
        shutil.copytree(model, folder / name)
    flipped = bytearray((model / "model.safetensors").read_bytes())
    flipped[-5] ^= 1
    (folder / "flipped" / "model.safetensors").write_bytes(flipped)
    description = json.loads((model / "model.json").read_text())
    description["decision"]["threshold"] += 1
    (folder / "edited" / "model.json").write_text(json.dumps(description))
    (folder / "newer" / "model.json").write_text(json.dumps(description | {"format": 99}))
    (folder / "garbled" / "model.json").write_text("{")
    (folder / "half" / "model.safetensors").unlink()
    (folder / "no_json" / "model.json").unlink()
    return folder


FIT = ("fit", "{files}/data.csv", "--label", "s", "--out", "{tmp}/model", *QUICK)
TWO_FILES = ("--positives", "{files}/positives.npy", "--unlabelled", "{files}/unlabelled.npy")


def fit(name, *options):
    return ("fit", "{bad}/" + name, "--label", "s", "--out", "{tmp}/model", *options)


def score(model, data, *options):
    return ("score", model, data, "--out", "{tmp}/o.csv", *options)


UNDERSTOOD = ["scenario", "rows", "columns", "missing"]  # what fit says before it computes
MISTAKES = {
    "a file that does not exist": (fit("nothing.csv"), "does not exist"),
    "a directory as data": (("fit", "{files}", "--label", "s", "--out", "{tmp}/model"), "directory"),
    "a file of unknown kind": (fit("data.txt"), ".txt"),
    "a label that is not there": (("fit", "{files}/data.csv", "--label", "t", "--out", "{tmp}/model"), "no column 't'"),
    "a label array that is not there": (
        ("fit", "{files}/data.npz", "--label", "t", "--out", "{tmp}/model"),
        "array 't'",
    ),
    "a label with a slip": ((*FIT[:3], "S", *FIT[4:]), "did you mean 's'?"),
    "an id with a slip": ((*FIT, "--id", "kye"), "no column 'kye'; did you mean 'key'?"),
    "an array with a slip": (
        ("fit", "{files}/data.npz", "--label", "s", "--id", "keys", "--out", "{tmp}/model"),
        "no array 'keys'; did you mean 'key'?",
    ),
    "a word for positives with a slip": (
        (*FIT[:3], "city", "--positive", "oslo", "--out", "{tmp}/model"),
        "no row has the value 'oslo'; did you mean 'Oslo'?",
    ),
    "scoring with an id with a slip": (
        score("{files}/model", "{files}/data.csv", "--id", "kye"),
        "did you mean 'key'?",
    ),
    "a prior in per cent": ((*FIT, "--prior", "30"), "got 30.0; write 0.30 for 30 % or write prior=bbe to estimate it"),
    "a prior with its sign": ((*FIT, "--prior", "30%"), "got '30%'; write 0.3"),
    "an id that is not there": ((*FIT, "--id", "name"), "no column 'name'"),
    "a label that is the id": ((*FIT, "--id", "s"), "'s'"),
    "three labels": (fit("three.csv"), "label 's': the labels hold 3"),
    "no label": (fit("none_labelled.csv"), " only, "),
    "labels on all rows": (fit("all_labelled.csv"), " only, "),
    "a missing label": (fit("missing_label.csv"), "label 's': the labels are missing"),
    "one row": (fit("one_row.csv"), " only, "),
    "one row of an array": (fit("one.npz"), " only, "),
    "no features": (fit("labels_only.csv"), "nothing to learn"),
    "an infinite value": (fit("infinite.csv", "--id", "key"), "'b', row 399"),
    "an empty CSV file": (fit("empty.csv"), "empty.csv"),
    "a CSV file without rows": (fit("header.csv"), "no rows"),
    "an empty Parquet file": (fit("empty_data.parquet"), "empty_data.parquet"),
    "an empty .npz file": (fit("empty_data.npz"), "empty_data.npz"),
    "half a Parquet file": (fit("cut_data.parquet"), "cut_data.parquet"),
    "half an .npz file": (fit("cut_data.npz"), "cut_data.npz"),
    "a quote that is never closed": (fit("open_quote.csv"), "open_quote.csv, line 11: a quote opens a cell"),
    "the prior behind an open quote": (
        ("prior", "{bad}/open_quote.csv", "--label", "s"),
        "line 11: a quote",
    ),
    "scoring rows behind a quote that is never closed": (
        score("{files}/model", "{bad}/open_quote.csv"),
        "line 11: a quote",
    ),
    "two arrays of rows": (fit("unnamed.npz"), "'first', 'second'"),
    "labels asked of an .npy file": (("fit", "{files}/data.npy", "--label", "s", "--out", "{tmp}/model"), "no 's'"),
    "a recall beyond 1": ((*FIT, "--threshold", "recall=1.5"), "recall"),
    "an unknown rule": ((*FIT, "--threshold", "foo"), "'foo'"),
    "a rule that needs the truth": ((*FIT, "--threshold", "oracle-f1"), "true labels"),
    "a prior below the share of labels": ((*FIT, "--threshold", "prior=0.0001"), "0.15"),
    "an unknown option": ((*FIT, "--set", "capa=3"), "did you mean 'kappa'"),
    "an object as an option": ((*FIT[:-2], "--method", "bagging", "--set", "base=svm"), "only Python can pass"),
    "a directory without a name": (("fit", "{files}/data.csv", "--label", "s", "--out", "."), "no name for a model"),
    "data in the place of the model": (
        ("fit", "{files}/data.csv", "--label", "s", "--out", "{files}/data.csv", "--force"),
        "is not a model, so it is not replaced",
    ),
    "a rule with an estimator that needs the rows": ((*FIT, "--threshold", "pu-f1,prior=tice"), "prior='tice'"),
    "an option without a value": ((*FIT, "--set", "kappa"), "option=value"),
    "an option of the wrong kind": ((*FIT, "--set", "d=many"), "d must be a whole number"),
    "an option out of range": ((*FIT, "--set", "kappa=-1"), "kappa must be"),
    "an unknown encoder": ((*FIT, "--set", "encoder=mlq"), "'mlq'"),
    "an encoder for images": ((*FIT, "--set", "encoder=cnn13"), "images"),
    "an unknown device": ((*FIT, "--set", "device=abacus"), "'abacus'"),
    "a file of weights that is not there": ((*FIT, "--set", "weights=nothing.pth"), "nothing.pth"),
    "an unknown preset": ((*FIT, "--preset", "papre"), "did you mean 'paper'"),
    "both kinds of input": ((*FIT, "--positives", "{files}/positives.npy"), "either"),
    "neither kind of input": (("fit", "--out", "{tmp}/model"), "either"),
    "data without a label": (("fit", "{files}/data.csv", "--out", "{tmp}/model"), "--label"),
    "positives alone": (("fit", "--positives", "{files}/positives.npy", "--out", "{tmp}/model"), "--unlabelled"),
    "two files that differ in columns": (
        ("fit", "--positives", "{files}/positives.npy", "--unlabelled", "{bad}/wide.npy", "--out", "{tmp}/model"),
        "shape",
    ),
    "a flat array": (
        ("fit", "--positives", "{files}/positives.npy", "--unlabelled", "{bad}/flat.npy", "--out", "{tmp}/model"),
        "2-D",
    ),
    "an id of an .npy file": (
        ("fit", *TWO_FILES, "--id", "k", "--out", "{tmp}/model"),
        "no 'k'",
    ),
    "an existing model": (("fit", "{files}/data.csv", "--label", "s", "--out", "{files}/model"), "exists already"),
    "an existing file of scores": (
        ("score", "{files}/model", "{files}/data.csv", "--out", "{files}/data.npy"),
        "exists already",
    ),
    "scores over their own data": (
        ("score", "{files}/model", "{files}/data.csv", "--out", "{files}/data.csv", "--force"),
        "another one",
    ),
    "scores of unknown kind": (("score", "{files}/model", "{files}/data.csv", "--out", "{tmp}/o.txt"), ".txt"),
    "scoring without a column": (score("{files}/model", "{bad}/no_b.csv"), "'b'"),
    "scoring text in a number column": (score("{files}/model", "{bad}/text.csv"), "'many'"),
    "scoring an infinite value": (score("{files}/model", "{bad}/infinite.csv"), "row 399"),
    "scoring an array instead of a table": (score("{files}/model", "{files}/data.npy"), "frame"),
    "scoring an empty file": (score("{files}/model", "{bad}/header.csv"), "no rows"),
    "scoring half a file": (score("{files}/model", "{bad}/cut_data.parquet"), "cut_data.parquet"),
    "scoring half an array": (score("{files}/model", "{bad}/cut_data.npy"), "cut_data.npy"),
    "scoring a file that does not exist": (score("{files}/model", "{bad}/nothing.csv"), "does not exist"),
    "scoring with an absent id": (score("{files}/model", "{files}/data.csv", "--id", "name"), "'name'"),
    "scoring with an id called score": (score("{files}/model", "{bad}/clash.parquet", "--id", "score"), "'score'"),
    "scoring with an id per no row": (score("{files}/model", "{bad}/ids.npz", "--id", "key"), "one value per row"),
    "a model that is not there": (score("{bad}/nothing", "{files}/data.csv"), "not a model directory"),
    "a model with a flipped bit": (score("{bad}/flipped", "{files}/data.csv"), "copy the model"),
    "a model whose JSON was edited": (score("{bad}/edited", "{files}/data.csv"), "was changed"),
    "a model of a later format": (score("{bad}/newer", "{files}/data.csv"), "format 99"),
    "a model whose JSON is garbled": (score("{bad}/garbled", "{files}/data.csv"), "damaged"),
    "a model without its tensors": (score("{bad}/half", "{files}/data.csv"), "missing"),
    "a model without its JSON": (score("{bad}/no_json", "{files}/data.csv"), "not a model directory"),
    "info on a flipped bit": (("info", "{bad}/flipped"), "copy the model"),
    "info on an edited JSON": (("info", "{bad}/edited"), "was changed"),
    "info on a file": (("info", "{files}/data.csv"), "not a model directory"),
}


@pytest.mark.parametrize("case", MISTAKES)
def test_a_mistake_is_told_in_one_sentence_and_leaves_nothing(case, files, bad, model, tmp_path, read_all, capsys):
    arguments, expected = MISTAKES[case]
    before = read_all(files)
    code = main([argument.format(files=files, bad=bad, tmp=tmp_path) for argument in arguments])
    out, err = capsys.readouterr()
    *said, last = err.splitlines()
    assert code == 2
    assert out == ""
    assert last.startswith("Error: ")
    assert expected in last
    assert [line.split()[0] for line in said] in ([], UNDERSTOOD[:1], UNDERSTOOD)
    assert read_all(tmp_path) == {}
    assert read_all(files) == before


def test_an_unfinished_run_with_other_settings_is_kept_until_a_restart(files, tmp_path, read_all, capsys, monkeypatch):
    model = tmp_path / "model"
    fit = [
        "fit",
        str(files / "data.csv"),
        "--label",
        "s",
        "--out",
        str(model),
        "--method",
        "angular",
        "--set",
        "epochs=1",
    ]
    with monkeypatch.context() as patch:
        patch.setattr("angularpu.model.directory.Packed.write", _interrupt)
        assert main(fit) == 130
    before = read_all(tmp_path)
    capsys.readouterr()
    assert main([*fit, "--seed", "1"]) == 2
    assert "restart" in capsys.readouterr().err
    assert read_all(tmp_path) == before
    assert main([*fit, "--seed", "1", "--restart"]) == 0
    assert sorted(read_all(tmp_path)) == ["model", "model/model.json", "model/model.safetensors"]


def test_the_missing_parents_of_both_outputs_are_made(files, tmp_path):
    model, out = tmp_path / "a" / "b" / "model", tmp_path / "c" / "d" / "o.csv"
    assert (
        main(
            [
                "fit",
                str(files / "data.csv"),
                "--label",
                "s",
                "--out",
                str(model),
                "--method",
                "angular",
                "--set",
                "epochs=1",
            ]
        )
        == 0
    )
    assert main(["score", str(model), str(files / "data.csv"), "--out", str(out)]) == 0
    assert open_table(out).count_rows() == 400


def _interrupt(*_):
    raise KeyboardInterrupt
