"""``angularpu threshold`` moves the cut of a saved model."""

import json
import re
import shutil
import subprocess
import sys

import pytest

from angularpu.cli.main import main


@pytest.fixture
def own(model, tmp_path):
    """A copy of the model that may be changed."""
    return shutil.copytree(model, tmp_path / "model")


def decision(path):
    return json.loads((path / "model.json").read_text())["decision"]


def test_the_cut_moves_and_nothing_else_does(own, capsys):
    before = json.loads((own / "model.json").read_text())
    tensors = (own / "model.safetensors").read_bytes()
    assert main(["threshold", str(own), "--rule", "recall=0.5", "--json"]) == 0
    after = json.loads((own / "model.json").read_text())
    assert json.loads(capsys.readouterr().out) == after["decision"]
    assert after["decision"]["rule"] == "recall=0.5,prior=bbe"
    assert after["decision"]["threshold"] > before["decision"]["threshold"]
    assert (own / "model.safetensors").read_bytes() == tensors
    changed = {name for name in before if before[name] != after[name]}
    assert changed <= {"threshold", "decision", "calibration", "checksums"}


def test_what_to_know_of_the_threshold_is_said(own, capsys):
    assert main(["threshold", str(own), "--rule", "precision=0.999,prior=0.3"]) == 0
    notes = decision(own)["notes"]
    assert notes
    assert capsys.readouterr().err.splitlines()[-len(notes) :] == [f"note: {note}" for note in notes]


def test_the_precision_is_told_for_all_rows_and_for_the_unlabelled_rows(own, capsys):
    assert main(["threshold", str(own), "--rule", "recall=0.9,prior=0.5"]) == 0
    both = capsys.readouterr().err
    unlabelled = re.search(r", of all flagged rows; ([\d.]+)% of the flagged unlabelled rows", both).group(1)
    alpha = decision(own)["alpha"]
    assert main(["threshold", str(own), "--rule", f"recall=0.9,prior={alpha},target=unlabelled"]) == 0
    alone = capsys.readouterr().err
    assert f"precision  {unlabelled}% estimated" in alone
    assert "of all flagged rows" not in alone


def test_going_back_gives_the_first_bytes_again(own):
    first = (own / "model.json").read_bytes()
    for rule in ("recall=0.5", "auto"):
        assert main(["threshold", str(own), "--rule", rule]) == 0
    assert (own / "model.json").read_bytes() == first


def test_scores_are_called_by_the_new_rule(own, files, tmp_path):
    assert main(["threshold", str(own), "--rule", "recall=1"]) == 0
    out = tmp_path / "scores.csv"
    assert main(["score", str(own), str(files / "data.csv"), "--id", "key", "--out", str(out)]) == 0
    called = [line.split(",") for line in out.read_text().splitlines()[1:]]
    assert {prediction for _, score, _, prediction in called if float(score) > decision(own)["threshold"]} == {"1"}


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("recall=2", "recall must lie in"),
        ("nonsense", "no rule"),
        ("pu-f1,prior=tice", "needs the rows"),
        ("oracle-f1", "oracle"),
        ("prior=0.01", "prior must lie in"),
    ],
)
def test_a_rule_that_cannot_be_followed_leaves_the_model_as_it_is(own, rule, said, capsys):
    before = (own / "model.json").read_bytes()
    assert main(["threshold", str(own), "--rule", rule]) == 2
    assert said in capsys.readouterr().err
    assert (own / "model.json").read_bytes() == before


def test_what_rests_on_an_estimated_prior_is_said_to_be_at_most(own, capsys):
    assert main(["threshold", str(own), "--rule", "recall=0.9"]) == 0
    said = capsys.readouterr().err
    assert re.search(r"precision  at most [\d.]+% \([\d.]+% with sampling error\)", said)
    assert re.search(r"prior      at most [\d.]+% \([\d.]+% to [\d.]+% with sampling error\) of the unlabelled", said)
    assert "probabilities of predict_proba are upper bounds" in said
    assert main(["threshold", str(own), "--rule", "recall=0.9,prior=0.5"]) == 0
    assert "at most" not in capsys.readouterr().err


def test_it_needs_no_torch(own):
    code = f"import sys; from angularpu.cli.main import main; main(['threshold', {str(own)!r}, '--rule', 'lee-liu'])"
    result = subprocess.run(
        [sys.executable, "-c", f"{code}; print('torch' in sys.modules)"], capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == "False"


def test_without_a_rule_the_model_stays_and_the_curve_over_the_prior_is_drawn(own, tmp_path, capsys):
    before = (own / "model.json").read_bytes()
    picture = tmp_path / "new" / "curve.svg"
    assert main(["threshold", str(own), "--sensitivity", str(picture)]) == 0
    assert "pu-f1" in capsys.readouterr().err
    assert (own / "model.json").read_bytes() == before
    assert picture.read_text().startswith("<?xml")
    header, *lines = picture.with_suffix(".csv").read_text().splitlines()
    assert header == "prior,threshold,precision,recall"
    curve = [[float(value) for value in line.split(",")] for line in lines]
    assert len(curve) == 99
    assert curve[0][0] > 60 / 400  # as many are labelled already
    assert len({threshold for _, threshold, *_ in curve}) == 1  # the one in use
    assert main(["threshold", str(own), "--sensitivity", "curve.jpg"]) == 2


def test_a_rule_is_shown_as_it_was_asked_for_in_one_spelling(own, capsys):
    assert main(["threshold", str(own), "--rule", "recall = .90"]) == 0
    assert " by the rule recall=0.9\n" in capsys.readouterr().err
    assert main(["info", str(own)]) == 0
    assert " by the rule recall=0.9\n" in capsys.readouterr().out
    assert main(["threshold", str(own), "--rule", "recall=0.8,prior=.3"]) == 0
    said = capsys.readouterr().err
    assert re.match(r"before     -?[\d.]+ by the rule recall=0.9\n", said)
    assert " by the rule recall=0.8,prior=0.3\n" in said
