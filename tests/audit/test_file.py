"""An audit on disk: written, filled in by a spreadsheet, read again, and refused where it was meddled with."""

import csv
import json

import numpy as np
import pyarrow as pa
import pytest

from angularpu.audit.file import read_audit, sidecar_of, write_audit
from angularpu.errors import DataError


@pytest.fixture
def written(heaps, tmp_path):
    """The path of an audit of thirty rows, and the audit."""
    audit = heaps(0.3).audit(n=30)[0].audit
    shown = pa.table({"name": [f"=SUM({i})" for i in range(30)], "score": np.arange(30.0), "city": ["Köln"] * 30})
    path = tmp_path / "audit.csv"
    write_audit(audit, path, shown=shown)
    return path, audit


def read(path):
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def rewrite(path, lines, *, encoding="utf-8", **dialect):
    with path.open("w", newline="", encoding=encoding) as file:
        writer = csv.DictWriter(file, lines[0], **dialect)
        writer.writeheader()
        writer.writerows(lines)


def fill(lines, answers=("yes", "no")):
    return [{**line, "answer": answers[place % len(answers)]} for place, line in enumerate(lines)]


def test_every_row_has_its_seed_its_chance_and_an_empty_answer(written):
    path, audit = written
    lines = read(path)
    assert list(lines[0])[:2] == ["row", "answer"]
    assert list(lines[0])[-4:] == ["score", "stratum", "inclusion_probability", "seed"]
    assert {line["answer"] for line in lines} == {""}
    assert [int(line["row"]) for line in lines] == (audit.row + 1).tolist()
    assert [float(line["inclusion_probability"]) for line in lines] == audit.probability.tolist()
    assert {line["seed"] for line in lines} == {"0"}


def test_what_people_see_is_harmless_and_hides_no_column_of_the_audit(written):
    lines = read(written[0])
    assert lines[3]["name"] == "'=SUM(3)"
    assert lines[3]["data.score"] == "3"
    assert lines[3]["city"] == "Köln"


def test_the_json_gives_the_same_audit_again(written):
    path, audit = written
    rewrite(path, fill(read(path)))
    found = read_audit(path).audit
    for name in ("row", "number", "score", "member", "cut", "above"):
        assert (getattr(found, name) == getattr(audit, name)).all()
    assert (found.n_known, found.seed, found.model, found.data) == (0, 0, audit.model, "heap")


@pytest.mark.parametrize(
    "dialect",
    [
        {"encoding": "utf-8-sig", "lineterminator": "\r\n", "quoting": csv.QUOTE_ALL},
        {"delimiter": ";", "encoding": "utf-8-sig", "lineterminator": "\r\n"},
        {"delimiter": "\t", "encoding": "latin-1"},
        {"lineterminator": "\r"},
    ],
    ids=["BOM, CRLF, quotes", "semicolons", "tabs, latin-1", "CR"],
)
def test_a_spreadsheet_may_save_it_its_way(written, dialect):
    path, audit = written
    lines = fill(read(path), ("Yes", "NO", "TRUE", "0", "Unsure", ""))
    for line in lines:
        line["inclusion_probability"] = f"{float(line['inclusion_probability']):.2g}".replace(".", ",")
        line["score"] = f"{float(line['score']):.2f}"
        line["seed"] = "0.0"
    lines = sorted(lines, key=lambda line: int(line["row"]))
    rewrite(path, lines, **dialect)
    answers = read_audit(path)
    said = {int(line["row"]): line["answer"] for line in lines}
    words = {"Yes": 1, "TRUE": 1, "NO": 0, "0": 0, "Unsure": -1, "": -2}
    assert answers.y.tolist() == [words[said[row]] for row in audit.number.tolist()]


def test_columns_may_be_deleted_to_blind_whoever_answers(written):
    path, audit = written
    kept = [{"row": line["row"], "answer": line["answer"]} for line in fill(read(path))]
    rewrite(path, kept)
    assert len(read_audit(path).y) == len(audit.row)


def refuse(path, lines, said):
    rewrite(path, lines)
    with pytest.raises(DataError, match=said) as caught:
        read_audit(path)
    assert "\n" not in str(caught.value)


def test_a_row_that_was_not_drawn_is_refused(written):
    path, audit = written
    lines = fill(read(path))
    stranger = next(row for row in range(1, 4000) if row not in set(audit.number.tolist()))
    refuse(path, [*lines, {**lines[0], "row": stranger}], f"row {stranger} of .* was not drawn by the audit")


def test_a_row_that_is_lost_or_doubled_is_refused(written):
    path, _ = written
    lines = fill(read(path))
    refuse(path, lines[1:], f"lacks 1 of the 30 rows that were drawn, such as row {lines[0]['row']}")
    refuse(path, [*lines, lines[0]], f"row {lines[0]['row']} stands twice")


@pytest.mark.parametrize("name", ["score", "stratum", "inclusion_probability", "seed"])
def test_any_other_column_that_was_changed_is_refused(written, name):
    path, _ = written
    lines = fill(read(path))
    lines[4] = {**lines[4], name: "17.5"}
    refuse(
        path, lines, f"row {lines[4]['row']} of .* has '17.5' under {name}, .* only the column answer may be changed"
    )


def test_answers_sorted_apart_from_their_rows_are_refused(written):
    path, _ = written
    lines = fill(read(path))
    rows = sorted(int(line["row"]) for line in lines)
    refuse(path, [{**line, "row": row} for line, row in zip(lines, rows, strict=True)], "sorted apart")


def test_a_word_that_is_no_answer_is_refused(written):
    path, _ = written
    lines = fill(read(path))
    refuse(path, [{**lines[0], "answer": "perhaps"}, *lines[1:]], "'perhaps'; write yes, no or unsure")


def test_a_missing_column_and_an_unreadable_row_number_are_refused(written):
    path, _ = written
    lines = fill(read(path))
    refuse(path, [{**lines[0], "row": "one"}, *lines[1:]], "row number 'one'")
    refuse(
        path, [{key: value for key, value in line.items() if key != "answer"} for line in lines], "no column 'answer'"
    )


def test_without_its_json_or_with_another_one_it_is_refused(written):
    path, _ = written
    rewrite(path, fill(read(path)))
    sidecar = sidecar_of(path)
    content = json.loads(sidecar.read_text())
    sidecar.write_text(json.dumps({**content, "seed": 1}))
    with pytest.raises(DataError, match="changed after audit wrote it"):
        read_audit(path)
    for damaged in ("{", "[]", '{"checksum": 3}'):
        sidecar.write_text(damaged)
        with pytest.raises(DataError, match=r"is not the JSON of an audit|changed after"):
            read_audit(path)
    sidecar.unlink()
    with pytest.raises(DataError, match=r"has no audit\.json beside it"):
        read_audit(path)


@pytest.mark.parametrize(
    "change",
    [
        {"row": [10**9]},
        {"member": "!!"},
        {"member": "eJw="},
        {"rows": -1},
        {"cut": [0.0, 0.0]},
        {"above": [[1]]},
        {"score": ["x"]},
        {"format": 2},
    ],
    ids=str,
)
def test_a_forged_json_is_refused_in_one_sentence(written, change):
    import hashlib

    path, _ = written
    rewrite(path, fill(read(path)))
    content = json.loads(sidecar_of(path).read_text())
    del content["checksum"]
    content |= change
    checksum = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
    sidecar_of(path).write_text(json.dumps({**content, "checksum": checksum}))
    with pytest.raises(DataError, match=r"numbers that no audit has|audit format 2"):
        read_audit(path)


def test_answers_are_never_overwritten_unasked(written):
    path, audit = written
    before = path.read_bytes()
    with pytest.raises(DataError, match="may hold answers"):
        write_audit(audit, path)
    assert path.read_bytes() == before
    with pytest.raises(DataError, match=r"must end in \.csv"):
        write_audit(audit, path.with_suffix(".txt"))
