import pytest

from angularpu_bench.paper.evidence import Evidence
from angularpu_bench.paper.sections import finetuned


def test_rows_that_were_not_run_are_shown_beside_the_published_ones(make_rows, published, join, tables, fields):
    place = {"spec": "blocks", "dataset": "stl10", "track": "finetune", "seconds": 1800.0, "epochs": 5.0}
    rows = join(
        make_rows({"angular": [0.9, 0.8], "nnpu": [0.85, 0.83]}, **place),
        make_rows({"angular": [0.95]}, variant="no-weights", **place),
        make_rows({"angular": [0.99]}, dataset="stl10", track="features"),
        make_rows({"angular": [0.98]}, dataset="stl10", track="features", variant="paper"),
        make_rows({"angular": [0.97]}, spec="ablation", dataset="stl10", track="features", variant="no-weights"),
    )
    section = finetuned.make_section(Evidence(rows, published))
    assert [table.title for table in tables(section) if table.title] == [
        "Fine-tuned: CIFAR-10, vehicles",
        "Fine-tuned: STL-10, four vehicles",
    ]
    absent, absent_decisions, ranking, decisions = map(fields, tables(section))
    assert {row["seeds"].text for row in absent.values()} == {"not run"}
    for shown in (absent, absent_decisions, ranking, decisions):
        assert list(shown) == list(finetuned.ROW_NAMES.values())
    ours = ranking["AngularPU"]
    assert (ours["epochs"].text, ours["hours"].text, ours["seeds"].text) == ("5", "1.00", "2")
    assert [ours[c].value for c in ("AUC", "AUC, last epoch", "published AUC")] == pytest.approx([0.85, 0.83, 0.9995])
    assert ranking["nnPU"]["AUC minus AngularPU's [95 %]"].value == pytest.approx(-0.01)
    frozen = {name: row["AUC, frozen features"].text for name, row in ranking.items()}
    assert frozen["AngularPU"] == "0.9900"
    assert frozen["AngularPU, as published, 15 epochs"] == "0.9800"
    assert frozen["AngularPU, as published, 5 epochs"] == "-"
    assert frozen["AngularPU, no weights"] == "0.9700"
    assert ranking["AngularPU, no weights"]["published AP"].text == "0.995"
    assert ranking["L2-WGH-Rlearn"]["published AP"].text == "0.900 ± 0.057"
    assert decisions["Dist-PU"]["published accuracy"].text == "0.9473 ± 0.0031"
    assert [name for name, row in ranking.items() if row["AUC"].bold] == ["AngularPU"]
    assert "All cells of this table took 2.5 hours." in tables(section)[2].notes
