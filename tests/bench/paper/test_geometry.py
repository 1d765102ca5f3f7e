import pytest

from angularpu_bench.paper.evidence import Evidence
from angularpu_bench.paper.sections import geometry


@pytest.fixture
def geometry_rows(make_rows, join):
    """Cosine and distance on two data sets, as published and with weights greatest at the boundary."""
    rows = []
    for dataset, loss in (("svhn", 0.2), ("stl10", 0.1)):
        place = {"spec": "geometry", "dataset": dataset, "track": "features"}
        rows.append(make_rows({"angular": [0.9, 0.8]}, variant="COS-WGH-Mlearn", **place))
        rows.append(make_rows({"euclidean": [0.9 - loss, 0.8 - loss]}, variant="L2-WGH-Rlearn", **place))
        rows.append(make_rows({"angular": [0.95]}, variant="COS-WGH-Mlearn-boundary", **place))
        rows.append(make_rows({"euclidean": [0.95 + loss]}, variant="L2-WGH-Rlearn-boundary", **place))
    return join(*rows)


def test_geometry_pairs_cosine_and_distance_by_data_set_and_overall(geometry_rows, published, tables, fields):
    section = geometry.make_section(Evidence(geometry_rows, published))
    pair, depends, board = tables(section)
    shown = fields(pair)
    assert list(shown) == [
        "SVHN, even digits",
        "STL-10, four vehicles",
        "CIFAR-10, vehicles",
        "ADNI, normal controls",
        "Overall",
    ]
    assert shown["SVHN, even digits"]["ΔAP [95 %]"].value == pytest.approx(0.2)
    assert shown["Overall"]["ΔAP [95 %]"].value == pytest.approx(0.15)
    assert shown["Overall"]["pairs"].text == "4"
    assert shown["SVHN, even digits"]["published ΔAP [95 %]"].text == "+0.439 [+0.376, +0.503]"
    assert shown["CIFAR-10, vehicles"]["pairs"].text == "not run"
    assert fields(depends)["weights greatest at the boundary"]["SVHN, even digits"].value == pytest.approx(-0.2)
    assert fields(depends)["weights greatest at the boundary"]["mean over data sets"].value == pytest.approx(-0.15)
    assert fields(depends)["both with the chosen epoch"]["mean over data sets"].text == "not run"
    assert list(fields(board))[-2:] == ["COS-WGH-Mlearn-boundary", "L2-WGH-Rlearn-boundary"]
    assert len(fields(board)) == 10
    assert fields(board)["L2-WGH-Rlearn-boundary"]["AP"].bold
    assert any("fewer cells" in note for note in board.notes)


def test_geometry_is_drawn_by_data_set_overall_and_as_a_leaderboard(geometry_rows, published, pictures):
    by_dataset, overall, board = pictures(geometry.make_section(Evidence(geometry_rows, published)))
    assert [p.name for p in (by_dataset, overall, board)] == [
        "geometry-features",
        "geometry-overall-features",
        "leaderboard-features",
    ]
    assert [row[:2] for row in by_dataset.numbers] == [
        (dataset, row)
        for dataset in ("SVHN, even digits", "STL-10, four vehicles")
        for row in ("COS-WGH-Mlearn", "L2-WGH-Rlearn")
    ]
    assert [row[-1] for row in by_dataset.numbers] == [0.932, 0.493, 0.993, 0.9]
    assert [(row[2], row[-1]) for row in overall.numbers] == [
        (pytest.approx(0.84), 0.933),
        (pytest.approx(0.69), 0.698),
    ]
    assert board.numbers[0][1] == "L2-WGH-Rlearn-boundary"
    only = geometry_rows.where(dataset="svhn")
    assert [p.name for p in pictures(geometry.make_section(Evidence(only, published)))] == [
        "geometry-features",
        "leaderboard-features",
    ]


def test_published_data_sets_that_were_not_run_are_listed_once(make_rows, published, join, tables, fields):
    place = {"spec": "geometry", "variant": "COS-WGH-Mlearn"}
    rows = join(
        make_rows({"angular": [0.9]}, **place),
        make_rows({"angular": [0.9]}, dataset="cifar10", track="features", **place),
    )
    section = geometry.make_section(Evidence(rows, published))
    listed = [name for table in tables(section) for name in fields(table) if name.startswith("SVHN")]
    assert len(listed) == 1
