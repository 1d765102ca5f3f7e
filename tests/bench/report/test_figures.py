import csv

import numpy as np
import pytest
from matplotlib.figure import Figure

from angularpu.figures.picture import Picture, save_picture
from angularpu.methods.table import METHODS
from angularpu_bench.report.bars import Bar, draw_bars
from angularpu_bench.report.curves import Curve, draw_curves
from angularpu_bench.report.leaderboard import make_leaderboard
from angularpu_bench.report.panels import make_bar_picture, make_curve_grid
from angularpu_bench.report.rank_diagram import draw_ranks
from angularpu_bench.report.ranking import rank_methods
from angularpu_bench.report.scatter import draw_embeddings

BARS = [Bar("AngularPU", 0.98, 0.01, "red"), Bar("naive", 0.95, 0.0, "grey")]


@pytest.fixture
def axes():
    return Figure().subplots()


def texts(axes):
    return [text.get_text() for text in axes.texts]


def test_every_method_has_a_colour_of_its_own():
    assert len({card.colour for card in METHODS.values()}) == len(METHODS)


def test_bars_begin_at_zero_and_the_first_is_on_top(axes):
    draw_bars(axes, BARS, metric="AUC")
    assert axes.get_xlim()[0] == 0
    assert [label.get_text() for label in axes.get_yticklabels()] == ["AngularPU", "naive"]
    tops = {bar.get_width(): bar.get_y() for bar in axes.patches}
    assert tops[0.98] > tops[0.95]


def test_published_means_are_marked_beside_the_bars_that_have_one(axes):
    draw_bars(axes, [Bar("cosine", 0.98, 0.01, "red", 0.93), BARS[1]], metric="AP")
    (marks,) = axes.collections[-1:]
    assert [x for x, _ in marks.get_offsets() if np.isfinite(x)] == [0.93]
    picture = make_bar_picture(
        {"spam": [Bar("cosine", 0.98, 0.01, "red", 0.93), BARS[1]]}, name="x", caption="", metric=""
    )
    assert picture.columns[-1] == "published"
    assert [row[-1] for row in picture.numbers] == [0.93, ""]
    assert "published" not in make_bar_picture({"spam": BARS}, name="x", caption="", metric="").columns


def test_a_grid_of_curves_has_a_row_for_each_metric_and_one_legend():
    curves = [Curve("chosen epoch", "red", (1, 2), (0.5, 0.6), (0, 0)), Curve("last epoch", "blue", (1,), (0.4,), (0,))]
    rows = {"F1": {"spam": curves, "letter, A to M": curves[:1]}, "AUC": {"spam": [], "letter, A to M": curves}}
    picture = make_curve_grid(rows, name="x", caption="", setting="kappa")
    figure = Figure()
    picture.draw(figure)
    assert [a.get_title() for a in figure.axes] == ["spam", "letter,\nA to M", "", ""]
    assert [(a.get_ylabel(), a.get_xlabel()) for a in figure.axes] == [
        ("F1", ""),
        ("", ""),
        ("AUC", "kappa"),
        ("", "kappa"),
    ]
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["chosen epoch", "last epoch"]
    assert ("AUC", "letter, A to M", "last epoch", 1, 0.4, 0) in picture.numbers


def test_curves_go_through_their_means(axes):
    draw_curves(axes, [Curve("spam", "red", (1, 10), (0.5, 0.75), (0.1, 0.0))], setting="kappa", metric="AUC", log=True)
    (line,) = axes.get_lines()
    np.testing.assert_array_equal(line.get_ydata(), [0.5, 0.75])
    assert axes.get_xscale() == "log"
    assert axes.get_yscale() == "linear"


def test_ranks_are_named_and_joined_where_they_are_alike(axes):
    ranking = rank_methods(np.array([[0.9, 0.8, 0.7]] * 4))
    draw_ranks(axes, ranking, names=["a", "b", "c"], colours=["red", "blue", "black"])
    assert {"a  1.00", "b  2.00", "3.00  c"} <= set(texts(axes))
    joined = [line for line in axes.get_lines() if line.get_linewidth() == 3]
    assert len(joined) == 2  # the best and the worst are further apart than 1.66


def test_a_leaderboard_has_the_best_average_on_top_and_marks_ours():
    ranking = rank_methods([[0.7, 0.9, 0.8], [0.6, 0.8, 0.9]])
    picture = make_leaderboard(
        ranking, methods=["Naive", "Ensemble", "Spy"], datasets=["a", "b"], name="x", marked=["Ensemble"]
    )
    figure = Figure()
    picture.draw(figure)
    labels = figure.axes[0].get_yticklabels()
    assert [label.get_text() for label in labels] == ["Ensemble", "Spy", "Naive"]
    assert [label.get_fontweight() for label in labels] == ["bold", "normal", "normal"]
    assert texts(figure.axes[0]) == ["1.5", "1.5", "3.0"]
    assert picture.numbers[0] == ("Ensemble", 1.5, 1.0, 2.0)


def test_embeddings_are_drawn_by_group(axes):
    draw_embeddings(axes, {"negative": np.zeros((2, 2)), "labelled positive": np.ones((3, 2))}, title="after")
    assert [len(points.get_offsets()) for points in axes.collections] == [2, 3]
    assert axes.get_title() == "after"


def test_a_picture_is_saved_with_its_numbers_and_the_same_bytes_each_time(tmp_path):
    picture = Picture(
        name="trial",
        caption="A trial.",
        size=(3, 2),
        draw=lambda figure: draw_bars(figure.subplots(), BARS, metric="AUC"),
        columns=("name", "mean"),
        numbers=[("AngularPU", 0.98), ("naive", 0.9500000001)],
    )
    image, numbers = save_picture(picture, tmp_path)
    first = image.read_bytes()
    assert save_picture(picture, tmp_path)[0].read_bytes() == first
    with numbers.open(newline="") as file:
        assert list(csv.reader(file)) == [["name", "mean"], ["AngularPU", "0.98"], ["naive", "0.95"]]
    assert {path.name for path in tmp_path.iterdir()} == {"trial.svg", "trial.csv"}
