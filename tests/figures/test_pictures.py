"""Every picture is saved one way: SVG or PNG, and CSV, the same bytes each time, lines that end in \\n."""

import csv

import numpy as np
import pytest

from angularpu.decide.sensitivity import Sensitivity
from angularpu.errors import SettingError
from angularpu.figures.comparison import save_comparison_figure
from angularpu.figures.priors import save_prior_figure
from angularpu.figures.scores import save_score_figure
from angularpu.figures.sensitivity import save_sensitivity_figure
from angularpu.fit.comparison import ComparedMethod, Comparison
from angularpu.priors.estimate import PriorEstimate


def save_scores(path):
    score_unl = np.array([0.125, 1 / 3], np.float32)
    save_score_figure(
        path, score_pos=np.array([2.0], np.float32), score_unl=score_unl, threshold=1.0, y_unl=np.array([0, 1])
    )


def save_priors(path):
    save_prior_figure(path, [PriorEstimate("bbe", 0.1 + 0.2, 0.4, 0.5, 0.2, 0.45, {}, ())])


def save_sensitivity(path):
    half = np.array([0.5, 2 / 3])
    save_sensitivity_figure(path, Sensitivity(half, half, half, half), prior=0.5)


def save_comparison(path):
    untold = {"seconds": 1.0, "alpha": None, "decision": None}
    best = ComparedMethod("ensemble", 0.8, 0.7, 0.9, None, 0.0, 0.0, 0.0, worse=False, **untold)
    other = ComparedMethod("vpu-unbiased", 0.75, 0.7, 0.8, None, -0.05, -0.08, -0.02, worse=True, **untold)
    save_comparison_figure(path, Comparison((best, other), (("ensemble", "vpu-unbiased"),), {}, None, ()))


SAVED = {
    save_comparison: [
        ["method", "pu_auc", "difference", "low", "high", "worse"],
        ["ensemble", "0.8", "0", "0", "0", "0"],
        ["vpu-unbiased", "0.75", "-0.05", "-0.08", "-0.02", "1"],
    ],
    save_scores: [["score", "labelled", "positive"], ["2", "1", "1"], ["0.125", "0", "0"], ["0.333333", "0", "1"]],
    save_priors: [["name", "alpha", "low", "high", "prior", "label_freq"], ["bbe", "0.3", "0.2", "0.45", "0.4", "0.5"]],
    save_sensitivity: [["prior", "threshold", "precision", "recall"], ["0.5"] * 4, ["0.666667"] * 4],
}


@pytest.mark.parametrize("save", SAVED)
def test_the_numbers_stand_beside_the_picture_with_six_digits(save, tmp_path):
    save(tmp_path / "new" / "some.picture.svg")
    assert {path.name for path in (tmp_path / "new").iterdir()} == {"some.picture.svg", "some.picture.csv"}
    with (tmp_path / "new" / "some.picture.csv").open(newline="") as file:
        assert list(csv.reader(file)) == SAVED[save]


@pytest.mark.parametrize("save", SAVED)
def test_lines_of_the_csv_end_in_a_newline_alone(save, tmp_path):
    save(tmp_path / "picture.svg")
    assert b"\r" not in (tmp_path / "picture.csv").read_bytes()


@pytest.mark.parametrize("save", SAVED)
def test_one_picture_has_the_same_bytes_each_time(save, tmp_path):
    for name in ("one", "other"):
        save(tmp_path / name / "picture.svg")
    assert (tmp_path / "one" / "picture.svg").read_bytes() == (tmp_path / "other" / "picture.svg").read_bytes()


@pytest.mark.parametrize("save", SAVED)
def test_a_png_is_one_too(save, tmp_path):
    save(tmp_path / "picture.png")
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")
    assert {path.suffix for path in tmp_path.iterdir()} == {".png", ".csv"}


@pytest.mark.parametrize("save", SAVED)
def test_a_file_of_another_kind_is_refused(save, tmp_path):
    with pytest.raises(SettingError, match=r"must end in \.svg or \.png, got .*picture\.jpg"):
        save(tmp_path / "picture.jpg")
    assert not list(tmp_path.iterdir())
