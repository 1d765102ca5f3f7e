import math

import numpy as np
import pytest

from angularpu.figures.picture import Picture
from angularpu_bench.paper.evidence import Evidence
from angularpu_bench.paper.sections import (
    ablation,
    geometry,
    medmnist,
    published_tables,
    scores_and_embeddings,
    sensitivity,
    sizes,
)
from angularpu_bench.report.point_files import read_points
from angularpu_bench.report.results import Results
from angularpu_bench.report.table import Table


def join(*parts):
    return Results(tuple(row for part in parts for row in part))


def tables(section):
    return [part for part in section.parts if isinstance(part, Table)]


def pictures(section):
    return [part for part in section.parts if isinstance(part, Picture)]


def fields(table):
    return {row[0].text: dict(zip(table.columns, row, strict=True)) for row in table.rows}


def test_the_ablation_compares_each_variant_with_the_full_model(make_rows, published):
    rows = join(
        make_rows({"angular": [0.9, 0.8]}, spec="ablation", dataset="svhn", track="features", variant="full"),
        make_rows({"angular": [0.88, 0.77]}, spec="ablation", dataset="svhn", track="features", variant="no-weights"),
    )
    section = ablation.make_section(Evidence(rows, published))
    table = tables(section)[0]
    shown = fields(table)
    assert list(shown) == ["full", "no regulariser", "no weights", "fixed margin"]
    assert shown["no weights"]["AUC minus full's [95 %]"].value == pytest.approx(-0.025)
    assert shown["no weights"]["published AUC"].text == "0.944"
    assert shown["no regulariser"]["seeds"].text == "not run"
    assert [t.title for t in tables(section)[1:]] == [
        "Ablation on CIFAR-10, vehicles",
        "Ablation on STL-10, four vehicles",
        "Ablation on ADNI, normal controls",
    ]


def test_a_plain_row_of_the_ablation_is_the_full_model(make_rows, published):
    table = ablation.make_table(make_rows({"angular": [0.9]}, spec="ablation"), published, dataset="spam")
    assert list(fields(table)) == ["full"]
    assert table.marks == ()


def test_geometry_pairs_cosine_and_distance_by_data_set_and_overall(make_rows, published):
    rows = []
    for dataset, loss in (("cifar10", 0.2), ("fashion-mnist", 0.1)):
        place = {"spec": "geometry", "dataset": dataset, "track": "features"}
        rows.append(make_rows({"angular": [0.9, 0.8]}, variant="COS-WGH-Mlearn", **place))
        rows.append(make_rows({"euclidean": [0.9 - loss, 0.8 - loss]}, variant="L2-WGH-Rlearn", **place))
    section = geometry.make_section(Evidence(join(*rows), published))
    pair, board = tables(section)
    shown = fields(pair)
    assert shown["CIFAR-10, vehicles"]["ΔAP [95 %]"].value == pytest.approx(0.2)
    assert shown["Overall"]["ΔAP [95 %]"].value == pytest.approx(0.15)
    assert shown["Overall"]["pairs"].text == "4"
    assert shown["CIFAR-10, vehicles"]["published ΔAP [95 %]"].text == "+0.161 [+0.147, +0.174]"
    assert shown["ADNI, normal controls"]["pairs"].text == "not run"
    assert len(fields(board)) == 8
    assert fields(board)["COS-WGH-Mlearn"]["AP"].bold
    assert [picture.name for picture in pictures(section)] == ["leaderboard-features", "geometry-features"]


def test_published_data_sets_that_were_not_run_are_listed_once(make_rows, published):
    place = {"spec": "geometry", "variant": "COS-WGH-Mlearn"}
    rows = join(
        make_rows({"angular": [0.9]}, **place),
        make_rows({"angular": [0.9]}, dataset="cifar10", track="features", **place),
    )
    section = geometry.make_section(Evidence(rows, published))
    listed = [name for table in tables(section) for name in fields(table) if name.startswith("SVHN")]
    assert len(listed) == 1


def test_sensitivity_has_a_curve_and_a_table_for_every_setting(make_rows, published):
    rows = join(
        *(
            make_rows({"angular": [auc]}, spec="sensitivity", variant=f"lambda_={value}")
            for value, auc in ((0.5, 0.9), (0, 0.8))
        ),
        *(
            make_rows({"angular": [auc]}, spec="sensitivity", variant=f"kappa={value}")
            for value, auc in ((3, 0.7), (10, 0.9))
        ),
        make_rows({"angular": [0.5]}, spec="sensitivity", variant="margin=learnable"),
    )
    section = sensitivity.make_section(Evidence(rows, published))
    assert [picture.name for picture in pictures(section)] == ["sensitivity-lambda-table", "sensitivity-kappa-table"]
    first = tables(section)[0]
    assert [row[1].text for row in first.rows] == ["0", "0.5"]
    assert [row[3].bold for row in first.rows] == [False, True]


def test_time_that_grows_linearly_has_the_exponent_one(make_rows, published):
    rows = join(
        *(
            make_rows({"angular": [0.9, 0.91]}, spec="scale", variant=f"unlabelled={n}", seconds=n / 1000)
            for n in (5000, 20_000, 100_000)
        )
    )
    assert sizes.fit_exponent(rows, sizes.SCALE) == pytest.approx(1)
    (table,) = tables(sizes.make_scale(Evidence(rows, published)))
    assert "AngularPU 1.00" in table.notes[2]
    assert [row[0].value for row in table.rows] == [5000, 20_000, 100_000]


def test_one_size_has_no_exponent(make_rows):
    rows = make_rows({"angular": [0.9]}, spec="scale", variant="unlabelled=5000")
    assert math.isnan(sizes.fit_exponent(rows, sizes.SCALE))


def test_scarcity_counts_what_was_asked_for_and_marks_the_best_of_each_size(make_rows, published):
    rows = join(
        make_rows({"angular": [0.9], "nnpu": [0.95]}, spec="scarcity", variant="labelled=50", n_pos=45),
        make_rows({"angular": [0.99], "nnpu": [0.98]}, spec="scarcity", variant="labelled=1000"),
    )
    (table,) = tables(sizes.make_scarcity(Evidence(rows, published)))
    assert [(row[0].value, row[1].text, row[3].bold) for row in table.rows] == [
        (50, "AngularPU", False),
        (50, "nnPU (told)", True),
        (1000, "AngularPU", True),
        (1000, "nnPU (told)", False),
    ]


def test_medical_sets_show_recall_and_what_was_not_run(make_rows, published):
    rows = make_rows({"angular": [0.9, 0.8]}, spec="medmnist", dataset="pathmnist", track="features")
    path, oct_ = tables(medmnist.make_section(Evidence(rows, published)))
    assert fields(path)["AngularPU"]["recall at precision .95"].value == 0.5
    assert fields(path)["AngularPU"]["published recall at precision .95"].value == 0.358
    assert fields(oct_)["AngularPU"]["seeds"].text == "not run"
    assert fields(oct_)["AngularPU"]["published implied prior"].value == pytest.approx(0.755, abs=0.001)


def test_the_published_tables_are_whole_and_imply_a_prior_for_every_row(published):
    made = tables(published_tables.make_section(Evidence(Results(()), published)))
    assert len(made) == 4
    assert all(len(table.rows) == 15 for table in made)
    for table in made:
        for name, row in fields(table).items():
            assert math.isfinite(row["implied prior"].value) == ((table.title, name) != ("STL-10, as published", "VPU"))


@pytest.mark.parametrize("module", [ablation, geometry, sensitivity, medmnist])
def test_a_missing_experiment_is_said_to_be_missing(module, published):
    section = module.make_section(Evidence(Results(()), published))
    assert "No results yet" in section.parts[0]
    assert not pictures(section)


def test_points_are_drawn_where_there_are_some(tmp_path, published):
    rng = np.random.default_rng(0)
    lines = [
        f"spam,{panel},negative,{x:.3f},{y:.3f}" for panel in ("before", "after") for x, y in rng.normal(size=(5, 2))
    ]
    (tmp_path / "embeddings.csv").write_text("dataset,panel,group,x,y\n" + "\n".join(lines) + "\n")
    evidence = Evidence(Results(()), published, embeddings=read_points(tmp_path, "embeddings"))
    section = scores_and_embeddings.make_section(evidence)
    assert "scores.csv is missing" in section.parts[0]
    assert [picture.name for picture in pictures(section)] == ["embeddings-spam"]
