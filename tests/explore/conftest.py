import base64
import gzip
import json
import re

import numpy as np
import pyarrow as pa
import pyarrow.csv as pacsv
import pytest

from angularpu.cli.main import main

QUICK = ("--method", "angular", "--set", "epochs=2", "--set", "encoder=linear", "--set", "refit=true")
HOSTILE = "</script><script>window.broken=1</script>"


class Page:
    """What a page holds, read as the browser reads it."""

    def __init__(self, path):
        self.text = path.read_text("utf-8")
        self.header = json.loads(self._element("page-header"))
        self._sections = gzip.decompress(base64.b64decode(self._element("page-sections")))

    def _element(self, name):
        return re.search(rf'id="{name}">(.*?)</script>', self.text, re.S)[1]

    def section(self, name):
        kind, offset, length = self.header["sections"][name]
        return np.frombuffer(self._sections, f"<{kind}", count=length, offset=offset)

    def column(self, name):
        spec = next(each for each in self.header["columns"] if each["name"] == name)
        values = self.section(spec["values"])
        return [spec["words"][code] for code in values] if spec["kind"] == "code" else values


@pytest.fixture(scope="session")
def read_page():
    return Page


@pytest.fixture(scope="session")
def rows():
    """Two Gaussian classes, 60 of the positives labelled, with a key, a hostile name and hostile words."""
    rng = np.random.default_rng(0)
    s = np.repeat([1, 0], [60, 340])
    x = rng.normal(size=(400, 4))
    x[:200] += 1.5
    order = rng.permutation(400)
    x, s = x[order], s[order]
    words = np.where(x[:, 0] > 0, HOSTILE, "plain\u2028 \x07 <!-- text")
    columns = {f"c{i}": x[:, i] for i in range(3)}
    return pa.table({"key": [f"{i:04d}" for i in range(400)], **columns, HOSTILE: x[:, 3], "word": words, "s": s})


@pytest.fixture(scope="session")
def folder(tmp_path_factory, rows):
    """The rows as CSV, and a model fitted on them."""
    path = tmp_path_factory.mktemp("explore")
    pacsv.write_csv(rows, path / "data.csv")
    assert (
        main(["fit", str(path / "data.csv"), "--label", "s", "--id", "key", "--out", str(path / "model"), *QUICK]) == 0
    )
    return path


@pytest.fixture(scope="session")
def explore():
    """A function that runs the command and returns its exit code."""

    def run(*arguments):
        return main(["explore", *map(str, arguments)])

    return run


@pytest.fixture(scope="session")
def page(folder, explore):
    assert explore(folder / "model", folder / "data.csv", "--label", "s", "-o", folder / "page.html") == 0
    return Page(folder / "page.html")
