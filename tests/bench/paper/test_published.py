import math

import pytest

from angularpu.errors import DataError
from angularpu.methods.table import METHODS
from angularpu_bench.paper.published import ABLATION_ROWS, METHOD_ROWS, PRINTED_DATASETS, infer_prior, read_published


def test_per_cent_become_shares_and_other_tables_stay(published):
    assert published.row("main", "CIFAR-10", "uPU")["accuracy"].mean == pytest.approx(0.8841)
    assert published.row("main", "CIFAR-10", "uPU")["accuracy"].std == pytest.approx(0.0041)
    assert published.row("ablation", "CIFAR-10", "Full model")["f1"].mean == 0.93
    assert math.isnan(published.row("ablation", "CIFAR-10", "Full model")["f1"].std)


def test_every_published_row_has_a_method_or_variant_of_ours(published):
    printed = {name for dataset in published.datasets("main") for name in published.names("main", dataset)}
    assert printed == set(METHOD_ROWS.values())
    assert set(METHOD_ROWS) <= set(METHODS)
    assert set(published.names("ablation", "SVHN")) == set(ABLATION_ROWS.values())
    assert {*published.datasets("main"), *published.datasets("medmnist")} == set(PRINTED_DATASETS.values())


def test_sound_rows_imply_the_prior_of_their_data(published):
    assert infer_prior(published.row("main", "CIFAR-10", "nnPU")) == pytest.approx(0.4, abs=0.002)
    assert infer_prior(published.row("medmnist", "PathMNIST", "AngularPU")) == pytest.approx(1233 / 7180, abs=0.002)
    assert math.isnan(infer_prior(published.row("ablation", "SVHN", "Full model")))


def test_a_file_with_other_columns_is_refused(tmp_path):
    (tmp_path / "published.csv").write_text("a,b\n1,2\n")
    with pytest.raises(DataError, match="must have the columns table, dataset"):
        read_published(tmp_path / "published.csv")


def test_a_number_that_is_none_is_refused_with_its_line(tmp_path):
    path = tmp_path / "published.csv"
    path.write_text("table,dataset,row,metric,mean,std\nmain,CIFAR-10,uPU,f1,n/a,\n")
    with pytest.raises(DataError, match="line 2: mean and std must be numbers"):
        read_published(path)
