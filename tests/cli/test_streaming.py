import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from angularpu.cli.main import main
from angularpu.model import directory as model_directory
from angularpu.model.score_file import score_file

QUICK = ("--method", "angular", "--set", "epochs=1")


@pytest.mark.parametrize("piece_rows", [7, 399])
@pytest.mark.parametrize("name", ["data.csv", "data.parquet"])
def test_the_size_of_a_piece_changes_no_byte(name, piece_rows, files, model, tmp_path):
    fitted = model_directory.read_model(model)
    for out, rows in (("whole", 1000), ("pieces", piece_rows)):
        found = score_file(fitted, files / name, out=tmp_path / f"{out}.parquet", ids=["key"], piece_rows=rows)
        assert found.n == 400
        assert found.flagged == pq.read_table(tmp_path / f"{out}.parquet")["prediction"].to_pylist().count(1) > 0
    assert pq.read_table(tmp_path / "whole.parquet").equals(pq.read_table(tmp_path / "pieces.parquet"))


def test_rows_keep_their_order(files, table, model, tmp_path):
    fitted = model_directory.read_model(model)
    order = np.random.default_rng(1).permutation(table.num_rows)
    pq.write_table(table.take(pa.array(order)), tmp_path / "shuffled.parquet")
    outs = []
    for data in (files / "data.parquet", tmp_path / "shuffled.parquet"):
        score_file(fitted, data, out=tmp_path / "o.parquet", ids=["key"], piece_rows=64)
        outs.append(pq.read_table(tmp_path / "o.parquet"))
    assert outs[1].equals(outs[0].take(pa.array(order)))


def test_progress_is_reported_by_rows(files, model, tmp_path):
    seen = []
    score_file(
        model_directory.read_model(model),
        files / "data.parquet",
        out=tmp_path / "o.csv",
        report=lambda done, total, text: seen.append((done, total)),
        piece_rows=300,
    )
    assert seen[-1] == (400, 400)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)


def test_a_mistake_in_a_late_row_is_named_and_leaves_no_file(table, model, tmp_path):
    column = pa.array([*table["b"].to_pylist()[:-1], np.inf])
    pq.write_table(table.set_column(2, "b", column), tmp_path / "data.parquet")
    with pytest.raises(ValueError, match=r"'b', row 399"):
        score_file(model_directory.read_model(model), tmp_path / "data.parquet", out=tmp_path / "o.csv", piece_rows=50)
    assert [path.name for path in tmp_path.iterdir()] == ["data.parquet"]


def test_an_archive_lends_its_ids(files, table, tmp_path):
    data, model, out = files / "data.npz", tmp_path / "model", tmp_path / "o.parquet"
    quick = ["--method", "angular", "--set", "epochs=1"]
    assert main(["fit", str(data), "--label", "s", "--id", "key", "--out", str(model), *quick]) == 0
    score_file(model_directory.read_model(model), data, out=out, ids=["key"], piece_rows=150)
    assert pq.read_table(out)["key"].to_pylist() == table["key"].to_pylist()
