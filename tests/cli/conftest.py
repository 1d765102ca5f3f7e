import numpy as np
import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.parquet as pq
import pytest

from angularpu.cli.main import main

QUICK = ("--method", "angular", "--set", "epochs=2", "--set", "encoder=linear")


@pytest.fixture(scope="session")
def arrays():
    """Two Gaussian classes, 60 of the positives labelled, in random order."""
    rng = np.random.default_rng(0)
    s = np.zeros(400, np.int64)
    s[:60] = 1
    x = rng.normal(size=(400, 4))
    x[:200] += 1.5
    order = rng.permutation(400)
    return x[order], s[order]


@pytest.fixture(scope="session")
def table(arrays):
    x, s = arrays
    columns = {name: x[:, i] for i, name in enumerate("abcd")}
    key = [f"{i:04d}" for i in range(len(s))]
    return pa.table({"key": key, **columns, "city": np.where(x[:, 0] > 0, "Oslo", "Rome"), "s": s})


@pytest.fixture(scope="session")
def files(tmp_path_factory, arrays, table):
    """The same rows in every kind of file."""
    folder = tmp_path_factory.mktemp("files")
    x, s = arrays
    pacsv.write_csv(table, folder / "data.csv")
    pq.write_table(table, folder / "data.parquet", row_group_size=150)
    np.savez(folder / "data.npz", X=x, s=s, key=np.array(table["key"].to_pylist()))
    np.save(folder / "data.npy", x)
    np.save(folder / "positives.npy", x[s == 1])
    np.save(folder / "unlabelled.npy", x[s == 0])
    return folder


@pytest.fixture(scope="session")
def model(files):
    """A model fitted on the CSV file."""
    path = files / "model"
    assert main(["fit", str(files / "data.csv"), "--label", "s", "--id", "key", "--out", str(path), *QUICK]) == 0
    return path


@pytest.fixture(scope="session")
def read_all():
    """A function that returns every file below a folder, whatever its name, and every empty folder."""

    def read(folder):
        return {str(p.relative_to(folder)): p.read_bytes() if p.is_file() else None for p in folder.rglob("*")}

    return read
