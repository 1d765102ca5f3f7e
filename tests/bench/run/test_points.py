import csv

import numpy as np
import pytest

from angularpu_bench.report.point_files import POINT_COLUMNS, read_points
from angularpu_bench.run.execution import run_cell
from angularpu_bench.run.points import write_points
from angularpu_bench.run.projection import MOST
from angularpu_bench.run.rows import Places
from angularpu_bench.run.store import Store

VARIANTS = [
    {"name": "full", "method": "angular"},
    {"name": "no-regulariser", "method": "angular", "options": {"lambda_": 0.0}},
]


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    return tmp_path_factory.mktemp("runs")


def test_points_are_what_the_report_reads(make_cells, runs, tmp_path):
    cells = make_cells(variants=VARIANTS, seeds=2)
    for cell in cells[:3]:
        run_cell(cell, Places(None, runs))
    counts = write_points(cells, store=Store(runs), folder=tmp_path)
    scores, embeddings = read_points(tmp_path, "scores"), read_points(tmp_path, "embeddings")
    assert counts == (len(scores), len(embeddings))
    assert {point["panel"] for point in scores} == {"angular"}
    assert {point["group"] for point in scores} == {"negative", "hidden positive", "labelled positive"}
    assert [*dict.fromkeys(point["panel"] for point in embeddings)] == ["before", "after"]
    with (tmp_path / "scores.csv").open() as file:
        assert tuple(next(csv.reader(file))) == POINT_COLUMNS["scores"]


def test_embeddings_of_angularpu_are_cosines_with_the_prototype_and_what_is_left(cell, runs):
    run_cell(cell, Places(None, runs))
    arrays = Store(runs).read_scores(cell)
    assert arrays["xy_pos"].shape == (50, 2)
    assert arrays["xy_unl"].shape == (min(MOST, 350), 2)
    assert arrays["xy_pos"][:, 0].mean() > arrays["xy_unl"][:, 0].mean()
    both = np.concatenate([arrays["xy_pos"], arrays["xy_unl"]])
    assert (both**2).sum(axis=1).max() < 4  # a centred coordinate beside a cosine
    assert abs(both[:, 0]).max() <= 1 + 1e-6
    assert abs(both[:, 1].mean()) < 1e-4


def test_embeddings_of_another_method_lie_along_their_principal_axes(make_cells, runs):
    (cell,) = make_cells(methods=["naive"])
    run_cell(cell, Places(None, runs))
    arrays = Store(runs).read_scores(cell)
    both = np.concatenate([arrays["xy_pos"], arrays["xy_unl"]])
    assert (arrays["xy_pos"].mean(axis=0) >= 0).all()
    assert both.var(axis=0)[0] >= both.var(axis=0)[1] > 0
    assert abs(both.mean(axis=0)).max() < 1e-4


def test_nothing_finished_leaves_no_file(make_cells, tmp_path):
    assert write_points(make_cells(), store=Store(tmp_path / "none"), folder=tmp_path / "results") == (0, 0)
    assert not (tmp_path / "results").exists()
