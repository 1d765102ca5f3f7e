import pytest

from angularpu_bench.paper.evidence import Evidence
from angularpu_bench.paper.sections import choices


@pytest.fixture
def choice_rows(make_rows, join):
    """One choice that helps where it may choose and, on one of two sets more, elsewhere; another that was not run."""
    gains = {"svhn": 0.02, "spam": 0.04, "cifar10": 0.01, "letter": -0.03}
    return join(
        *(
            make_rows({"angular": [auc, auc]}, spec=spec, dataset=dataset, variant=variant)
            for dataset, gain in gains.items()
            for spec in ["choices" if dataset in ("svhn", "spam") else "choices-check"]
            for variant, auc in (("default", 0.9), ("sharpness=30", 0.9 + gain))
        )
    )


def test_each_open_point_is_paired_with_the_default_by_data_set(choice_rows, published, tables):
    (table,) = tables(choices.make_section(Evidence(choice_rows, published)))
    assert table.columns == (
        "choice",
        "metric",
        "SVHN, even digits",
        "Spambase",
        "mean, sets that choose",
        "CIFAR-10, vehicles",
        "Letter recognition, A to M",
        "mean, sets that check",
    )
    rows = {(row[0].text, row[1].text): row[2:] for row in table.rows}
    sharper = rows["sharpness a = 30 instead of 10", "AUC"]
    assert [field.value for field in sharper] == pytest.approx([0.02, 0.04, 0.03, 0.01, -0.03, -0.01])
    assert rows["sharpness a = 30 instead of 10", "F1, PU-valid threshold"][2].value == pytest.approx(0.03)
    assert {field.text for field in rows["logit a (c - m) instead of κ c", "AP"]} == {"not run"}


def test_one_sentence_says_what_each_open_point_does(choice_rows, published, tables):
    notes = tables(choices.make_section(Evidence(choice_rows, published)))[0].notes
    assert (
        "Sharpness a = 30 instead of 10: ahead only on the data sets that choose, so the default stays; "
        "AUC +0.0300 (2 of 2) and -0.0100 (1 of 2), AP +0.0300 (2 of 2) and -0.0100 (1 of 2), "
        "F1, PU-valid threshold +0.0300 (2 of 2) and -0.0100 (1 of 2)."
    ) in notes
    assert "Weights without a gradient: not run." in notes
    chose = choice_rows.where(branch="")
    (told,) = [n for n in tables(choices.make_section(Evidence(chose, published)))[0].notes if "= 30" in n]
    assert "one side is not run; AUC +0.0300 (2 of 2) and not run" in told
