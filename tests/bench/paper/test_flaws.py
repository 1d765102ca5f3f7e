import pytest

from angularpu_bench.paper.flaws import FLAWS, find_common_flaws, find_flaws
from angularpu_bench.paper.published import ANGULAR_ROW, METHOD_ROWS, bound_f1, infer_prior


def texts(numbers):
    return " ".join(FLAWS[number - 1].text for number in numbers)


def test_every_flaw_points_to_numbers_that_were_published(published):
    for flaw in FLAWS:
        for where in flaw.where:
            datasets = [where.dataset] if where.dataset else published.datasets(where.table)
            assert set(datasets) <= set(published.datasets(where.table))
            for dataset in datasets:
                absent = set(where.rows) - set(published.names(where.table, dataset))
                assert absent <= ({"VPU"} if dataset == "STL-10" else set())
                known = {
                    m
                    for name in published.names(where.table, dataset)
                    for m in published.row(where.table, dataset, name)
                }
                assert set(where.metrics) - {"implied_prior"} <= known


def test_the_two_cifar_rows_that_imply_swapped_classes_are_marked_and_no_other(published):
    for name in published.names("main", "CIFAR-10"):
        swapped = infer_prior(published.row("main", "CIFAR-10", name)) > 0.5
        assert swapped == (name in (ANGULAR_ROW, "Dense-PU"))
        for metric in ("f1", "ap", "precision", "implied_prior"):
            marked = "animals" in texts(find_flaws("main", "CIFAR-10", row=name, metric=metric))
            assert marked == swapped


@pytest.mark.parametrize(("dataset", "tolerance"), [("CIFAR-10", 0.004), ("SVHN", 0.005), ("STL-10", 0.005)])
def test_every_f1_that_does_not_follow_is_marked(published, dataset, tolerance):
    for name in published.names("main", dataset):
        row = published.row("main", dataset, name)
        if abs(row["f1"].mean - bound_f1(row)) > tolerance:
            assert find_flaws("main", dataset, row=name, metric="f1"), name


@pytest.mark.parametrize(("table", "rounding"), [("main", 0.00015), ("ablation", 0.0015)])
def test_every_f1_above_what_precision_and_recall_allow_is_marked(published, table, rounding):
    for dataset in published.datasets(table):
        for name in published.names(table, dataset):
            row = published.row(table, dataset, name)
            marks = texts(find_flaws(table, dataset, row=name, metric="f1"))
            above = row["f1"].mean > bound_f1(row) + rounding
            assert not above or any(word in marks for word in ("no mean of F1", "repeats", "do not give")), name
            assert above or "no mean of F1" not in marks, name


def test_copied_numbers_are_marked(published):
    for name in published.names("main", "STL-10"):
        row = published.row("main", "STL-10", name)
        marked = "copied" in texts(find_flaws("main", "STL-10", row=name, metric="auc"))
        assert marked == (row["auc"] == row["ap"])
    repeat = published.row("main", "ADNI", "Dist-PU")
    assert repeat["f1"] == repeat["recall"]
    assert "repeats the recall" in texts(find_flaws("main", "ADNI", row="Dist-PU", metric="f1"))


def test_a_row_that_is_missing_is_known_to_be(published):
    missing = {
        (dataset, row)
        for dataset in published.datasets("main")
        for row in METHOD_ROWS.values()
        if not published.row("main", dataset, row)
    }
    assert missing == {("STL-10", "VPU")}
    assert "missing" in texts(find_flaws("main", "STL-10", row="VPU", metric="auc"))


def test_a_sound_number_has_no_mark_and_flaws_of_a_whole_table_are_found_apart():
    assert find_flaws("main", "SVHN", row="WConPU", metric="auc") == ()
    assert "labelled rows" in texts(find_common_flaws("main", "SVHN"))
    assert "two seeds" in texts(find_common_flaws("leaderboard", "overall"))
    assert find_common_flaws("main", "spam") == find_common_flaws("main", "")


def test_what_the_footnotes_quote_is_what_was_published(published):
    def mean(table, dataset, row, metric):
        return published.row(table, dataset, row)[metric].mean

    def gain(geometry, learnt):
        return round(
            mean("leaderboard", "overall", f"{geometry}-WGH-{learnt}", "ap")
            - mean("leaderboard", "overall", f"{geometry}-BCE-{learnt}", "ap"),
            3,
        )

    assert (gain("COS", "Mlearn"), gain("L2", "Rlearn")) == (0.012, 0.193)
    assert mean("cosine_vs_l2", "stl10", "cosine", "f1") == 0.967
    assert mean("ablation", "STL-10", "w/o L_reg", "f1") == 0.984
    assert mean("ablation", "CIFAR-10", "Full model", "recall") == 0.940
    assert mean("ablation", "CIFAR-10", "w/o L_reg", "recall") == 0.907
    assert mean("medmnist", "OCTMNIST", "AngularPU", "recall_at_precision_0.95") == 0.917
    assert mean("medmnist", "OCTMNIST", "AngularPU", "recall") == 0.923
    ours = published.row("main", "CIFAR-10", ANGULAR_ROW)
    assert ours["f1"].std == pytest.approx(0.0071)
    assert ours["precision"].std == pytest.approx(0.0064)
    assert ours["recall"].std == pytest.approx(0.0013)
    p, r = ours["precision"], ours["recall"]
    allowed = 2 * (r.mean**2 * p.std + p.mean**2 * r.std) / (p.mean + r.mean) ** 2
    assert round(allowed, 4) == 0.0039
    for name in ("puNCE", "PiCO"):
        same = mean("main", "CIFAR-10", name, "accuracy")
        assert mean("main", "SVHN", name, "accuracy") == pytest.approx(same, abs=0.00021)
    for prior, dataset in ((0.46, "svhn"), (0.5, "adni")):
        all_positive = 2 * prior / (1 + prior)
        assert mean("cosine_vs_l2", dataset, "l2", "f1") == pytest.approx(all_positive, abs=0.011)
