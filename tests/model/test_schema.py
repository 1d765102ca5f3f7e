"""Every field of a model's JSON, changed in every way: one sentence, or a model that works."""

import copy
import json
import shutil

import numpy as np
import pytest

import angularpu
from angularpu.audit import answer
from angularpu.cli.info import info
from angularpu.cli.main import main
from angularpu.cli.score import score
from angularpu.cli.threshold import threshold
from angularpu.errors import ModelError
from angularpu.model.redecide import vary_prior
from angularpu.model.schema import OPTIONAL, REQUIRED, check_description

MARK = "<<here>>"
DEEP = 200_000


def delete(parent, key):
    del parent[key]


def put(value):
    def change(parent, key):
        parent[key] = value

    return change


ODD = (True, 1e300, [], {}, [[[[[[1]]]]]], "9" * 100_000, 2**63)

# How a value is changed, and what replaces the mark in the text of the JSON: what json.dumps could not write.
CHANGES = {
    "deleted": (delete, None),
    "null": (put(None), None),
    "text": (put("x"), None),
    "negative": (put(-1), None),
    "large": (put(10**30), None),
    "nested": (put(MARK), "[" * DEEP + "]" * DEEP),
    "infinite": (put(float("inf")), "1e999"),
    "half a pair": (put("\ud800"), None),
    "many digits": (put(MARK), "9" * 5000),
    **{f"odd {number}": (put(value), None) for number, value in enumerate(ODD)},
}
DECIDES = ("held", "prior", "alpha", "decision", "threshold", "checksums")  # what another rule is chosen by


def list_places(content):
    """Give every place in a JSON: of a list the first and the last."""
    places = []
    items = content.items() if isinstance(content, dict) else enumerate(content)
    for key, value in items:
        if isinstance(content, list) and 0 < key < len(content) - 1:
            continue
        places.append((key,))
        if isinstance(value, dict | list):
            places += [(key, *rest) for rest in list_places(value)]
    return places


def change_at(content, place, change):
    changed = copy.deepcopy(content)
    parent = changed
    for key in place[:-1]:
        parent = parent[key]
    change(parent, place[-1])
    return changed


@pytest.fixture(scope="session")
def data(tmp_path_factory, rows_and_labels):
    path = tmp_path_factory.mktemp("data") / "rows.npy"
    np.save(path, rows_and_labels[0][:20])
    return path


def attempt(command, *arguments, **options):
    """Return whether a command went well; what it says otherwise must be one short sentence."""
    try:
        command(*arguments, **options)
    except ModelError as error:
        said = str(error)
    else:
        return True
    assert len(said) < 1000
    assert "\n" not in said
    return False


def use(directory, data, *, decide):
    """Load a model and run every command that reads one."""
    rows = np.load(data)

    def load():
        model = angularpu.load(directory)
        assert np.isfinite(model.score_samples(rows)).all()
        assert len(model.predict(rows)) == len(rows)
        repr(model)

    out = directory.parent / "scores.csv"
    outcome = {
        "load": attempt(load),
        "info": attempt(info, directory),
        "info --json": attempt(info, directory, as_json=True),
        "score": attempt(score, directory, data, out=out, force=True),
        "threshold": attempt(threshold, directory),
        "sensitivity": attempt(vary_prior, directory) if decide else None,
        "rule": attempt(threshold, directory, rule="lee-liu") if decide else None,
    }
    assert outcome["info"] == outcome["info --json"] == outcome["threshold"]
    assert outcome["score"] or not outcome["load"]
    return {command for command, went_well in outcome.items() if went_well}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("kind", ["neural", "classical"])
def test_a_changed_field_gives_one_sentence_or_a_model_that_works(request, kind, change, tmp_path, forge, data):
    directory = shutil.copytree(request.getfixturevalue(kind), tmp_path / "model")
    content = json.loads((directory / "model.json").read_bytes())
    alter, written = CHANGES[change]
    replaced = "Infinity" if change == "infinite" else f'"{MARK}"'
    worked = {}
    for place in list_places(content):
        forge(directory, change_at(content, place, alter), text=written and (lambda t: t.replace(replaced, written)))
        worked[place] = use(directory, data, decide=place[0] in DECIDES)
    refused = [place for place, commands in worked.items() if not commands]
    assert len(refused) > len(worked) / 3
    if change in {"nested", "half a pair", "many digits"}:
        assert len(refused) == len(worked)


@pytest.mark.parametrize("kind", ["neural", "classical"])
def test_a_whole_model_works(request, kind, data, tmp_path):
    directory = shutil.copytree(request.getfixturevalue(kind), tmp_path / "model")
    expected = {"load", "info", "info --json", "score", "threshold", "sensitivity", "rule"}
    assert use(directory, data, decide=True) == expected


@pytest.mark.parametrize("kind", ["neural", "classical"])
@pytest.mark.parametrize("command", ["info", "threshold", "score"])
def test_a_changed_field_ends_a_command_with_exit_code_2_and_one_line(
    request, kind, command, data, tmp_path, forge, capsys
):
    directory = shutil.copytree(request.getfixturevalue(kind), tmp_path / "model")
    content = json.loads((directory / "model.json").read_bytes())
    more = [str(data), "--out", str(tmp_path / "scores.csv")] if command == "score" else []
    for place in (("seed",), ("decision", "threshold"), ("held", "n_pos"), ("preparation", "kind")):
        forge(directory, change_at(content, place, put("x" * 10_000)))
        assert main([command, str(directory), *more]) == 2
        said = capsys.readouterr().err
        assert said.startswith("Error: ")
        assert said.count("\n") == 1
        assert ".".join(place) in said
        assert len(said) < 1000
    assert not (tmp_path / "scores.csv").exists()


def test_every_field_that_is_written_has_a_check(neural, classical):
    for directory in (neural, classical):
        content = json.loads((directory / "model.json").read_text())
        assert set(content) <= {"format", "checksums", *REQUIRED, *OPTIONAL}


def test_a_field_that_is_not_known_is_left_alone(neural):
    content = json.loads((neural / "model.json").read_text())
    check_description({**content, "of a later version": [1, 2]})


@pytest.mark.parametrize("change", ["deleted", "null", "text", "negative", "large"])
def test_what_an_audit_found_is_checked_too(neural, rows_and_labels, change, tmp_path, forge):
    model = angularpu.load(neural)
    audit = angularpu.draw_audit(model, *rows_and_labels, n=20)
    said = (rows_and_labels[0][audit.number - 1].sum(axis=1) > 3).tolist()
    model.decide("pu-f1", audit=answer(audit, said)).save(tmp_path / "model")
    content = json.loads((tmp_path / "model" / "model.json").read_bytes())
    for place in list_places(content["audit"]):
        forge(tmp_path / "model", change_at(content, ("audit", *place), CHANGES[change][0]))
        went_well = attempt(info, tmp_path / "model")
        loose = place[0] == "labelling" or place[:2] == (
            "before",
            "said",
        )  # numbers that may be missing, or of any size
        absent = change == "deleted" and place[-1] == "bound"  # earlier models do not say
        assert loose or absent or not went_well or (change == "null" and place[-1] in {"before", "precision"})
