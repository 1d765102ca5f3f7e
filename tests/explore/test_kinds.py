"""Every kind of model and of rows gives a page, or one sentence."""

import numpy as np
import pytest
import scipy.sparse as sp

from angularpu.cli.main import main
from angularpu.explore.columns import ColumnWriter
from angularpu.explore.container import Sections
from angularpu.explore.sphere import find_sphere
from angularpu.explore.thumbnails import Thumbnails, list_largest
from angularpu.model.directory import read_model


def fit(data, out, *options):
    assert main(["fit", str(data), "--label", "s", "--out", str(out), *map(str, options)]) == 0


def test_a_classical_method_says_that_there_is_no_sphere_and_compares_prepared_rows(
    folder, explore, read_page, tmp_path
):
    fit(folder / "data.csv", tmp_path / "m", "--id", "key", "--method", "elkan_noto")
    assert explore(tmp_path / "m", folder / "data.csv", "--label", "s", "-o", tmp_path / "p.html") == 0
    page = read_page(tmp_path / "p.html")
    assert "no network" in page.header["map"]["why_not"]
    assert "prepared rows" in page.header["neighbours"]["how"]
    assert len(page.section("effects"))


def test_a_network_without_a_prototype_says_so(folder, explore, read_page, tmp_path):
    fit(folder / "data.csv", tmp_path / "m", "--id", "key", "--method", "nnpu", "--set", "epochs=1")
    assert explore(tmp_path / "m", folder / "data.csv", "--label", "s", "-o", tmp_path / "p.html") == 0
    assert "no prototype" in read_page(tmp_path / "p.html").header["map"]["why_not"]


def test_an_ensemble_is_drawn_by_its_angular_member(folder, explore, read_page, tmp_path):
    quick = ("--set", "members=angular,logistic_regression", "--set", "epochs=1")
    fit(folder / "data.csv", tmp_path / "m", "--id", "key", "--method", "ensemble", *quick)
    assert explore(tmp_path / "m", folder / "data.csv", "--label", "s", "-o", tmp_path / "p.html") == 0
    page = read_page(tmp_path / "p.html")
    assert "the member angular" in page.header["map"]["whose"]
    sphere = find_sphere(read_model(tmp_path / "m").scorer)
    assert sphere is not None
    assert sphere.prototype is not None


@pytest.fixture(scope="module")
def images(tmp_path_factory):
    folder = tmp_path_factory.mktemp("images")
    rng = np.random.default_rng(0)
    x = rng.integers(0, 100, size=(200, 3, 8, 8), dtype=np.uint8)
    x[:100, 0] += 100
    s = np.repeat([1, 0], [40, 160])
    np.savez(folder / "images.npz", X=x, s=s)
    np.save(folder / "images.npy", x)
    fit(folder / "images.npz", folder / "m", "--method", "angular", "--set", "epochs=1", "--set", "encoder=linear")
    return folder


@pytest.mark.parametrize("name", ["images.npz", "images.npy"])
def test_images_come_as_thumbnails(images, explore, read_page, tmp_path, name):
    assert explore(images / "m", images / name, "-o", tmp_path / "p.html") == 0
    page = read_page(tmp_path / "p.html")
    assert page.header["images"] == {"height": 8, "width": 8, "channels": 3}
    pixels = page.section("images").reshape(-1, 8, 8, 3)
    x = np.load(images / "images.npy")
    row = page.section("row")[page.section("deep")[0]] - 1
    np.testing.assert_array_equal(pixels[0], x[row].transpose(1, 2, 0))
    assert "only tables have columns" in page.header["effects"]["why_not"]


def test_rows_of_numbers_without_names_have_their_places_as_names(folder, explore, read_page, tmp_path):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(200, 3))
    np.savez(tmp_path / "d.npz", X=x, s=np.repeat([1, 0], [40, 160]), key=np.arange(200).astype(str))
    fit(tmp_path / "d.npz", tmp_path / "m", "--id", "key", "--method", "angular", "--set", "epochs=1")
    assert explore(tmp_path / "m", tmp_path / "d.npz", "--label", "s", "-o", tmp_path / "p.html") == 0
    page = read_page(tmp_path / "p.html")
    assert {"key", "0", "1", "2"} <= {each["name"] for each in page.header["columns"]}


def test_large_images_shrink_until_all_fit():
    many = Thumbnails.make(np.zeros((100, 4, 200, 300), np.float32)).pixels
    assert many.shape[1] <= 64
    assert many.shape[2] <= 64
    assert many.shape[3] == 3


def test_wide_sparse_rows_list_their_greatest_values():
    row = sp.csr_matrix(([0.5, -3.0], ([0, 0], [7, 9])), shape=(1, 1000))
    assert list_largest(row).to_pylist() == [{"greatest values": "9: -3, 7: 0.5"}]


def test_columns_beyond_the_budget_are_kept_of_the_best_rows_alone(monkeypatch):
    import pyarrow as pa

    monkeypatch.setattr("angularpu.explore.columns.BUDGET", 2_000)
    writer = ColumnWriter(Sections(), np.arange(10))
    rng = np.random.default_rng(0)
    for name in "abc":
        writer.write(name, pa.array(rng.normal(size=300)))
    assert [each["deep"] for each in writer.specs] == [False, True, True]


def test_long_texts_are_cut_to_the_budget(monkeypatch):
    import pyarrow as pa

    monkeypatch.setattr("angularpu.explore.columns.FEW", 3)
    monkeypatch.setattr("angularpu.explore.columns.BUDGET", 50_000)
    writer = ColumnWriter(Sections(), np.arange(5))
    writer.write("text", pa.array([f"{i}" + "é" * 3_000 for i in range(30)]))
    assert writer.specs[0]["kind"] == "text"
    assert writer.specs[0]["cut"] < 3_000


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-o", "p.txt"], "must end in .html"),
        (["-o", "p.html", "--label", "nothing"], "nothing"),
        (["-o", "p.html", "--audit", "absent.csv"], "absent.csv"),
    ],
)
def test_a_mistake_gets_one_sentence(folder, explore, tmp_path, capsys, arguments, said, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert explore(folder / "model", folder / "data.csv", *arguments) == 2
    error = capsys.readouterr().err.strip()
    assert error.startswith("Error: ")
    assert said in error
    assert "\n" not in error
    assert not list(tmp_path.iterdir())


def test_data_that_the_model_cannot_read_is_refused_in_one_sentence(folder, explore, tmp_path, capsys):
    (tmp_path / "other.csv").write_text("a,b\n1,2\n")
    assert explore(folder / "model", tmp_path / "other.csv", "-o", tmp_path / "p.html") == 2
    assert "\n" not in capsys.readouterr().err.strip()
    assert not (tmp_path / "p.html").exists()


def test_a_page_that_is_there_is_kept_without_force(folder, explore, page, capsys):
    assert page.header["n"] == 400
    assert explore(folder / "model", folder / "data.csv", "-o", folder / "page.html") == 2
    assert "--force" in capsys.readouterr().err
