import math

import numpy as np
import pytest

from angularpu_bench.paper.evidence import Evidence
from angularpu_bench.paper.sections import (
    ablation,
    choices,
    finetuned,
    geometry,
    medmnist,
    published_tables,
    scores_and_embeddings,
    sensitivity,
    sizes,
)
from angularpu_bench.report.point_files import read_points
from angularpu_bench.report.results import Results


def test_the_ablation_compares_variants_with_the_full_model_of_their_schedule(
    make_rows, published, join, tables, fields
):
    place = {"dataset": "svhn", "track": "features"}
    rows = join(
        make_rows({"angular": [0.9, 0.8]}, spec="ablation", variant="full", **place),
        make_rows({"angular": [0.88, 0.77]}, spec="ablation", variant="no-weights", **place),
        make_rows({"angular": [0.7, 0.6]}, spec="ablation-published", variant="full", **place),
        make_rows({"angular": [0.71, 0.62]}, spec="ablation-published", variant="no-weights", **place),
    )
    section = ablation.make_section(Evidence(rows, published))
    last, chosen = tables(section)[:2]
    assert (last.columns[0], chosen.columns[0]) == ("published schedule", "chosen epoch")
    assert chosen.title == ""
    for table, difference in ((last, 0.015), (chosen, -0.025)):
        shown = fields(table)
        assert list(shown) == ["full", "no regulariser", "no weights", "fixed margin"]
        assert shown["no weights"]["AUC minus full's [95 %]"].value == pytest.approx(difference)
        assert shown["no regulariser"]["seeds"].text == "not run"
    assert fields(last)["no weights"]["published AUC"].text == "0.944"
    assert fields(last)["no weights"]["published precision"].text == "0.869"
    assert fields(last)["full"]["recall, oracle threshold"].value == pytest.approx(0.9)
    assert [t.title for t in tables(section)[2:]] == [
        "Ablation on CIFAR-10, vehicles",
        "Ablation on STL-10, four vehicles",
        "Ablation on ADNI, normal controls",
    ]


def test_a_schedule_of_the_ablation_that_was_not_run_says_so(make_rows, published, fields):
    rows = make_rows({"angular": [0.9]}, spec="ablation", variant="no-weights")
    last, chosen = ablation.make_tables(rows, published, dataset="spam")
    assert fields(last)["no weights"]["seeds"].text == "not run"
    assert fields(chosen)["no weights"]["seeds"].text == "1"


def test_a_plain_row_of_the_ablation_is_the_full_model(make_rows, published, fields):
    last, chosen = ablation.make_tables(make_rows({"angular": [0.9]}, spec="ablation"), published, dataset="spam")
    assert list(fields(last)) == list(fields(chosen)) == ["full"]
    assert last.marks == ()


def sweep(make_rows, parameter, values, *, spec="sensitivity", **place):
    return [
        make_rows({"angular": [auc]}, spec=spec, variant=f"{parameter}={value:g}", **place)
        for value, auc in values.items()
    ]


def test_sensitivity_has_a_picture_and_a_table_for_every_setting(make_rows, published, join, tables, pictures):
    rows = join(
        *sweep(make_rows, "kappa", {3: 0.7, 10: 0.9}),
        *sweep(make_rows, "lambda_", {0.5: 0.9, 0: 0.8}),
        make_rows({"angular": [0.5]}, spec="sensitivity", variant="margin=learnable"),
    )
    section = sensitivity.make_section(Evidence(rows, published))
    assert [picture.name for picture in pictures(section)] == ["sensitivity-lambda", "sensitivity-kappa"]
    first = tables(section)[0]
    assert first.title == "Sensitivity to λ, table track: chosen epoch, margin trained"
    assert [row[1].text for row in first.rows] == ["0", "0.5"]
    assert [row[3].bold for row in first.rows] == [False, True]


def test_the_grids_of_the_paper_are_shown_by_every_schedule_on_all_sets(make_rows, published, join, tables, pictures):
    datasets = {"spam": "table", "svhn": "features", "stl10": "features"}
    specs = ("sensitivity", "sensitivity-published", "sensitivity-published_learnt")
    rows = join(
        *(
            part
            for spec in specs
            for dataset, track in datasets.items()
            for part in sweep(make_rows, "kappa", {3: 0.7, 10: 0.9}, spec=spec, dataset=dataset, track=track)
        ),
        *sweep(make_rows, "margin", {0.5: 0.9}, spec="sensitivity-published"),
    )
    section = sensitivity.make_section(Evidence(rows, published))
    kappa, margin = pictures(section)
    drawn = {row[:3] for row in kappa.numbers}
    schedules = ("chosen epoch, margin trained", "published schedule, m = 0.5", "published schedule, margin trained")
    titles = ("Spambase", "SVHN, even digits", "STL-10, four vehicles")
    assert drawn == {(m, t, s) for m in ("F1, oracle threshold", "AUC") for t in titles for s in schedules}
    assert {row[2] for row in margin.numbers} == {"published schedule"}
    assert [table.title for table in tables(section)[:6]] == [
        f"Sensitivity to κ, {track} track: {schedule}" for schedule in schedules for track in ("features", "table")
    ]
    assert (
        "m, chosen epoch: No results yet: `angularpu bench run experiments/sensitivity.toml` makes them."
        in section.parts
    )


def test_time_that_grows_linearly_has_the_exponent_one(make_rows, published, join, tables):
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


def test_scarcity_counts_what_was_asked_for_and_marks_the_best_of_each_size(make_rows, published, join, tables):
    rows = join(
        make_rows({"angular": [0.9], "nnpu": [0.95]}, spec="scarcity", variant="labelled=50", n_pos=45),
        make_rows({"angular": [0.99], "nnpu": [0.98]}, spec="scarcity", variant="labelled=1000"),
    )
    (table,) = tables(sizes.make_scarcity(Evidence(rows, published)))
    assert [(row[0].value, row[1].text, row[3].bold) for row in table.rows] == [
        (50, "AngularPU", False),
        (50, "nnPU (given the prior)", True),
        (1000, "AngularPU", True),
        (1000, "nnPU (given the prior)", False),
    ]


def test_medical_sets_show_recall_decisions_and_what_was_not_run(make_rows, published, join, tables, fields):
    place = {"spec": "medmnist", "dataset": "pathmnist", "track": "features"}
    rows = join(make_rows({"angular": [0.9, 0.8]}, **place), make_rows({"angular": [0.95]}, variant="paper", **place))
    path, decisions, absent, _ = map(fields, tables(medmnist.make_section(Evidence(rows, published))))
    assert list(path) == list(decisions) == ["AngularPU", "AngularPU, as published"]
    for row in path.values():
        assert row["recall at precision .95"].value == 0.5
        assert row["published recall at precision .95"].value == 0.358
    for row in decisions.values():
        assert [row[f"published {m}"].value for m in ("accuracy", "precision", "recall")] == [0.963, 0.882, 0.904]
        assert row["accuracy, oracle threshold"].value == pytest.approx(0.92)
    assert path["AngularPU"]["AUC"].bold
    assert not path["AngularPU, as published"]["AUC"].bold
    assert {row["seeds"].text for row in absent.values()} == {"not run"}


def test_the_published_tables_are_whole_and_imply_a_prior_for_every_row(published, tables, fields):
    made = tables(published_tables.make_section(Evidence(Results(()), published)))
    assert len(made) == 4
    assert all(len(table.rows) == 15 for table in made)
    for table in made:
        for name, row in fields(table).items():
            assert math.isfinite(row["implied prior"].value) == ((table.title, name) != ("STL-10, as published", "VPU"))


@pytest.mark.parametrize("module", [ablation, choices, finetuned, geometry, sensitivity, medmnist])
def test_a_missing_experiment_is_said_to_be_missing(module, published, pictures):
    section = module.make_section(Evidence(Results(()), published))
    assert "No results yet" in section.parts[0]
    assert not pictures(section)


def test_points_are_drawn_where_there_are_some(tmp_path, published, pictures):
    rng = np.random.default_rng(0)
    lines = [
        f"spam,{panel},negative,{x:.3f},{y:.3f}" for panel in ("before", "after") for x, y in rng.normal(size=(5, 2))
    ]
    (tmp_path / "embeddings.csv").write_text("dataset,panel,group,x,y\n" + "\n".join(lines) + "\n")
    evidence = Evidence(Results(()), published, embeddings=read_points(tmp_path, "embeddings"))
    section = scores_and_embeddings.make_section(evidence)
    assert "scores.csv is missing" in section.parts[0]
    assert [picture.name for picture in pictures(section)] == ["embeddings-spam"]
