"""A real browser: Debian's Chromium, driven by playwright. Where there is none, these tests are skipped."""

import json
import shutil

import numpy as np
import pyarrow as pa
import pyarrow.csv as pacsv
import pytest

from angularpu.cli.main import main

HOSTILE = "<script>window.broken=1</script>"
NAMES = ("chromium", "chromium-headless-shell", "chromium-browser", "google-chrome")
ARGUMENTS = ["--no-sandbox", "--enable-unsafe-swiftshader"]  # containers have no sandbox, and no graphics card


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """A page, the page of an audit, and what they were made of."""
    path = tmp_path_factory.mktemp("browser")
    rng = np.random.default_rng(0)
    n = 1_500
    s = np.repeat([1, 0], [150, n - 150])
    x = rng.normal(size=(n, 3))
    x[:500] += 1.5
    city = np.where(x[:, 0] > 0, "Oslo <b>", "Rome")
    key = [f"case-{i:04d}" for i in range(n)]
    pacsv.write_csv(
        pa.table({"key": key, "a": x[:, 0], "b": x[:, 1], HOSTILE: x[:, 2], "city": city, "s": s}), path / "d.csv"
    )
    data, model, audit = (str(path / name) for name in ("d.csv", "model", "audit.csv"))
    quick = ["--method", "angular", "--set", "epochs=2", "--set", "encoder=linear", "--set", "refit=true"]
    commands = [
        ["fit", data, "--label", "s", "--id", "key", "--out", model, *quick],
        ["audit", model, data, "--label", "s", "--n", "20", "--out", audit],
        ["explore", model, data, "--label", "s", "-o", str(path / "page.html")],
        ["explore", model, data, "--label", "s", "--audit", audit, "-o", str(path / "audit.html")],
    ]
    for command in commands:
        assert main(command) == 0
    return path


@pytest.fixture(scope="session")
def browser():
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    found = next((each for name in NAMES if (each := shutil.which(name))), None)
    if found is None:
        pytest.skip("no Chromium is installed (apt-get install chromium)")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=found, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def visit(browser, folder):
    """A function that opens a page, and at the end fails if the browser complained about anything."""
    contexts, complaints = [], []

    def open_page(name="page.html", *, width=1400, height=900, **settings):
        context = browser.new_context(viewport={"width": width, "height": height}, accept_downloads=True, **settings)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "request",
            lambda request: None if request.url.startswith(("file:", "blob:")) else complaints.append(request.url),
        )
        page.goto((folder / name).as_uri())
        page.wait_for_selector("html[data-ready]")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not complaints, json.dumps(complaints)
