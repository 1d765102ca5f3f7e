"""How large the workbench page is, and how soon it can be used in headless Chromium.

    python benchmarks/workbench.py [--quick]

100,000 rows of 57 numbers with three decimals, a key and a label; AngularPU fitted on the first 4,000. "Interactive" is
when the list, the charts and the keys work, counted from the start of loading, the median of five visits; "processor"
is the processor time that the page's process has spent by then, on which other programs on the machine have no bearing.
Without Chromium and playwright the last two are left open.
"""

import argparse
import shutil
import statistics
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from angularpu.cli.main import main as angularpu

COLUMNS = 57
FITTED = 4_000


def write_rows(path: Path, n: int) -> None:
    rng = np.random.default_rng(0)
    positive = rng.random(n) < 0.4
    x = rng.lognormal(size=(n, COLUMNS)) + positive[:, None] * (np.arange(COLUMNS) < 8)
    columns = {f"c{i}": x[:, i].round(3) for i in range(COLUMNS)}
    label = (positive & (rng.random(n) < 0.3)).astype(np.int8)
    pq.write_table(pa.table({"key": [f"case-{i:06d}" for i in range(n)], **columns, "s": label}), path)


def visit(page: Path, times: int) -> tuple[str, str]:
    """Return the milliseconds until the page can be used, and the processor time of its process."""
    chromium = shutil.which("chromium") or shutil.which("chromium-headless-shell")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        chromium = None
    if chromium is None:
        return "-", "-"
    found, spent = [], []
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--enable-unsafe-swiftshader"])
        for _ in range(times):
            tab = browser.new_page(viewport={"width": 1400, "height": 900})
            tools = tab.context.new_cdp_session(tab)
            tools.send("Performance.enable")
            tab.goto(page.as_uri())
            tab.wait_for_selector("html[data-ready]")
            metrics = {each["name"]: each["value"] for each in tools.send("Performance.getMetrics")["metrics"]}
            found.append(tab.evaluate("performance.getEntriesByName('interactive')[0].startTime") / 1000)
            spent.append(metrics["ProcessTime"])
            tab.close()
        browser.close()
    return f"{statistics.median(found):.1f} s", f"{statistics.median(spent):.1f} s"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="little data")
    n = 2_000 if parser.parse_args().quick else 100_000
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_rows(folder / "rows.parquet", n)
        pq.write_table(pq.read_table(folder / "rows.parquet").slice(0, FITTED), folder / "fitted.parquet")
        model, rows, page = (str(folder / each) for each in ("model", "rows.parquet", "page.html"))
        options = ["--method", "angular", "--set", "epochs=2", "--label", "s", "--id", "key", "--out", model]
        assert angularpu(["fit", str(folder / "fitted.parquet"), *options]) == 0
        assert angularpu(["explore", model, rows, "--label", "s", "-o", page]) == 0
        interactive, processor = visit(Path(page), 1 if n < FITTED else 5)
        size = Path(page).stat().st_size / 1e6
    print("| rows | columns | page | interactive | processor |")
    print("|---|---|---|---|---|")
    print(f"| {n:,} | {COLUMNS + 2} | {size:.1f} MB | {interactive} | {processor} |")


if __name__ == "__main__":
    main()
