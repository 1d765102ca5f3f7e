"""Valid input of every kind, from which damaged and forged input is made."""

import gzip
import io
import os
import pickle
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import scipy.io
import torch
from safetensors.numpy import save

from torture.flows import SPEC
from torture.kinds import TABLE, draw

CSVS = (
    b"a,b,s\n1,2,0\n3,,1\n5,6,0\n",
    b'key,a,"b ""x""",s\n"0001",1.5,"Oslo, N",1\n0002,NA,"two\nlines",0\n0003,3,x,0\n',
    "a,tag,s\r\n2020-01-01,ärger,yes\r\n2020-02-30,😀,no\r\n".encode(),
    b"a,s\n" + b"1,1\n0,0\n" * 50,
)


class Bomb:
    """Makes a directory when it is unpickled, which nothing here may ever do."""

    def __init__(self, place: str) -> None:
        self.place = place

    def __reduce__(self) -> Any:
        return os.mkdir, (self.place,)


def list_csv(shared: Path) -> list[bytes]:
    """Return CSV files."""
    return [*CSVS, (shared / TABLE).read_bytes()[:3000]]


def list_parquet() -> list[bytes]:
    """Return Parquet files: plain, compressed, with dictionaries, with lists and odd types."""
    x, s = draw()
    table = pa.table({"a": x[:40, 0], "b": x[:40, 1], "city": ["Oslo", "Rome"] * 20, "s": s[:40]})
    odd = pa.table({
        "a": pa.array([[1], None, [2, 3]]), "b": pa.array([{"x": 1}] * 3), "c": pa.array([b"\xff", b"", None]),
        "d": pa.array([1, 2, None], pa.decimal128(10, 2)), "e": pa.array([1, 2, 3], pa.timestamp("ns", "UTC")),
        "f": pa.array(["x", "y", "x"]).dictionary_encode(), "s": [0, 1, 0],
    })  # fmt: skip
    files = []
    for each, options in (
        (table, {"compression": "none", "row_group_size": 15}),
        (table, {"compression": "snappy"}),
        (table, {"compression": "gzip", "use_dictionary": False, "data_page_version": "2.0"}),
        (odd, {"compression": "none"}),
    ):
        buffer = io.BytesIO()
        pq.write_table(each, buffer, **options)
        files.append(buffer.getvalue())
    return files


def list_npy(canary: Path) -> list[bytes]:
    """Return arrays: numbers in several types and orders, images, text, and objects with a bomb."""
    x, s = draw()
    arrays: list[Any] = [x[:30], np.asfortranarray(x[:30].astype(np.float64)), s[:30], x[:32].reshape(8, 1, 4, 4)]
    arrays += [np.array(["a", "bc"]), x[:30] > 0, np.zeros((3, 0)), np.array(3.5), x[:30].astype("f2"), x[:30] * 1j]
    arrays += [np.array([Bomb(str(canary))], object), np.zeros(4, [("a", "f4"), ("b", "i8")])]
    return [_write_npy(array) for array in arrays]


def list_npz(canary: Path) -> list[bytes]:
    """Return archives of arrays, packed or not, one with a bomb."""
    x, s = draw()
    files = []
    for write, more in ((np.savez, {}), (np.savez_compressed, {}), (np.savez, {"key": np.arange(40).astype(str)})):
        buffer = io.BytesIO()
        write(buffer, X=x[:40], s=s[:40], **more)
        files.append(buffer.getvalue())
    buffer = io.BytesIO()
    np.savez(buffer, X=np.array([Bomb(str(canary))] * 40, object), s=s[:40])
    return [*files, buffer.getvalue()]


def repack(data: bytes, change: Any) -> bytes:
    """Change the first file inside an archive, whose sizes and checksums are then right again."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as target:
        for number, name in enumerate(source.namelist()):
            content = source.read(name)
            target.writestr(name, change(content) if number == 0 else content)
    return buffer.getvalue()


def list_weights(canary: Path) -> list[tuple[str, bytes]]:
    """Return weight files with their suffixes."""
    tensors = {"features.0.weight": torch.zeros(4, 3, 3, 3), "features.0.bias": torch.zeros(4)}
    files = [(".safetensors", save({name: tensor.numpy() for name, tensor in tensors.items()}))]
    for legacy in (True, False):
        buffer = io.BytesIO()
        torch.save(tensors, buffer, _use_new_zipfile_serialization=not legacy)
        files.append((".pth", buffer.getvalue()))
    return [*files, (".pth", pickle.dumps({"features.0.weight": Bomb(str(canary))}))]


def list_official(canary: Path) -> list[tuple[str, bytes]]:
    """Return files as data sets are published: IDX, CIFAR's pickles and binaries, MATLAB; with their names."""
    idx = bytes([0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 3, *range(18)])
    pixels = np.zeros((2, 3072), np.uint8)
    matlab = io.BytesIO()
    scipy.io.savemat(matlab, {"X": np.zeros((4, 4, 3, 2), np.uint8), "y": np.array([[1], [10]])})
    return [
        ("labels", idx),
        ("labels.gz", gzip.compress(idx)),
        ("data_batch_1", pickle.dumps({"data": pixels, "labels": [0, 9]}, protocol=2)),
        ("data_batch_2", pickle.dumps({b"data": pixels, b"labels": [0, 9]}, protocol=4)),
        ("data_batch_3", pickle.dumps({"data": Bomb(str(canary)), "labels": [0]}, protocol=2)),
        ("data_batch.bin", bytes(3073 * 2)),
        ("digits.mat", matlab.getvalue()),
    ]


def list_specs() -> list[bytes]:
    """Return descriptions of experiments."""
    more = '[[sweeps]]\noption = "labelled"\nvalues = [300, 50]\n[[variants]]\nname = "x"\noptions = {kappa = 5.0}\n'
    return [SPEC.encode(), (SPEC + more).encode()]


def _write_npy(array: Any) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=True)
    return buffer.getvalue()
