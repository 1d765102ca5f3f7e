"""explore --audit: the audit's rows on a page, and figures that rest on the answers."""

import csv
import json

import numpy as np
import pyarrow as pa
import pyarrow.csv as pacsv
import pytest

from angularpu.cli.main import main


@pytest.fixture
def audit(folder, tmp_path):
    out = tmp_path / "audit.csv"
    assert (
        main(["audit", str(folder / "model"), str(folder / "data.csv"), "--label", "s", "--n", "30", "--out", str(out)])
        == 0
    )
    return out


def fill(audit, words):
    with audit.open(newline="") as file:
        header, *lines = csv.reader(file)
    for line, word in zip(lines, words, strict=False):
        line[header.index("answer")] = word
    with audit.open("w", newline="") as file:
        csv.writer(file).writerows([header, *lines])


def test_a_page_opens_on_the_rows_of_an_audit_in_its_order(folder, audit, explore, read_page, tmp_path):
    assert (
        explore(folder / "model", folder / "data.csv", "--label", "s", "--audit", audit, "-o", tmp_path / "p.html") == 0
    )
    page = read_page(tmp_path / "p.html")
    sheet, drawn = page.header["audit"], json.loads(audit.with_suffix(".json").read_text())
    assert len(sheet["places"]) == 30
    np.testing.assert_array_equal(page.section("row")[sheet["places"]], sheet["rows"])
    assert sheet["rows"] == [int(line[sheet["header"].index("row")]) for line in sheet["lines"]]
    assert drawn["model"]
    assert page.header["curve"]["audited"] is False


def test_with_answers_the_figures_are_those_of_threshold_audit(folder, audit, explore, read_page, tmp_path, capsys):
    import shutil

    fill(audit, ["yes", "no"] * 10)
    assert (
        explore(folder / "model", folder / "data.csv", "--label", "s", "--audit", audit, "-o", tmp_path / "p.html") == 0
    )
    page = read_page(tmp_path / "p.html")
    shutil.copytree(folder / "model", tmp_path / "model")
    capsys.readouterr()
    assert main(["threshold", str(tmp_path / "model"), "--rule", "pu-f1", "--audit", str(audit), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    found = next(each for each in page.header["rules"] if each["rule"] == "pu-f1")
    assert found["threshold"] == said["threshold"]
    assert found["precision"] == [said["precision"], said["precision_low"], said["precision_high"]]
    curve = page.header["curve"]
    at = curve["threshold"].index(said["threshold"])
    assert curve["recall"][at] == pytest.approx([said["recall"], said["recall_low"], said["recall_high"]], abs=1e-5)
    assert curve["audited"] is True
    assert curve["bound"] is False


def test_an_audit_of_other_data_is_refused_in_one_sentence(folder, rows, audit, explore, tmp_path, capsys):
    pacsv.write_csv(rows.take(pa.array(np.arange(len(rows))[::-1])), tmp_path / "turned.csv")
    out = tmp_path / "p.html"
    assert explore(folder / "model", tmp_path / "turned.csv", "--label", "s", "--audit", audit, "-o", out) == 2
    assert "pass the data that it was drawn from" in capsys.readouterr().err
    assert not out.exists()


def test_an_audit_with_out_of_fold_scores_is_refused(folder, audit, explore, tmp_path, capsys):
    arguments = [folder / "model", folder / "data.csv", "--out-of-fold", "--audit", audit, "-o", tmp_path / "p.html"]
    assert explore(*arguments) == 2
    assert "leave --out-of-fold out" in capsys.readouterr().err
