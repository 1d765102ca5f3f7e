"""How the cost of a fit and of scoring grows with the number of rows, and what is left of it on many machines.

    python benchmarks/growth.py [--rows 10000,30000,100000,300000,1000000] [--columns 32] [--picture DIR] [--json]
    python benchmarks/growth.py --quick

Two Gaussian classes in a Parquet file, 1000 labelled positives whatever the number of rows. A fit is read, trained and
saved by a process of its own on one thread; its folds are run as `fit --engine ray` runs them, one after another, so
that each is timed: "folds" is what all of them take, "longest" the longest, "rest" all that is no fold, which no
cluster shortens. Then the same rows are scored by that model. Seconds are of the processor, memory is the greatest of
the process.

Results are kept in benchmarks/results/growth.csv, one row for each fit or scoring; a second run measures what is
missing. Growth is the exponent k of n^k from a straight line through the logarithms of the three greatest sizes. A
billion rows were never measured: their figures go on in a straight line from the two greatest sizes, for machines of
eight such cores, a fold on one core each, files of rows on as many as there are. --picture draws everything into DIR.
"""

import csv
import json
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

os.environ["OMP_NUM_THREADS"] = "1"

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from command_line import make_parser, parse, print_header, print_row

from angularpu import files

RESULTS = Path(__file__).parent / "results" / "growth.csv"
METHODS = ("angular", "ensemble")
LABELLED = 1000
COLUMNS = ("method", "work", "columns", "rows", "seconds", "folds", "longest", "rest", "megabytes")
KEY, MEASURED = COLUMNS[:4], COLUMNS[4:]
BILLION = 10**9
MACHINES, CORES = (1, 8, 64), 8
TASKS = {"angular": 5, "ensemble": 20}  # folds, times members
Row = dict[str, Any]


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--rows")
    parser.add_argument("--columns")
    parser.add_argument("--methods")
    parser.add_argument("--picture", type=Path)
    arguments = parse(
        parser,
        full={
            "rows": "10000,30000,100000,300000,1000000",
            "columns": "32",
            "methods": ",".join(METHODS),
            "options": {},
        },
        quick={"rows": "500,600", "columns": "4", "methods": "angular", "options": {"epochs": 2}},
    )
    sizes, widths = ([int(word) for word in words.split(",")] for words in (arguments.rows, arguments.columns))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "growth.csv" if arguments.quick else RESULTS
        for columns in widths:
            for n in sizes:
                places = {"path": path, "folder": Path(folder)}
                measure_all(n, columns, methods=arguments.methods.split(","), options=arguments.options, **places)
        rows = read_results(path)
    if arguments.picture:
        draw(rows, arguments.picture)
    if arguments.json:
        print(json.dumps(rows))
        return
    print_costs(rows)
    print()
    print_growth(rows)
    print()
    print_machines(rows)


def measure_all(n: int, columns: int, *, methods: Sequence[str], options: Row, path: Path, folder: Path) -> None:
    """Measure what the results do not have for this size, each in a process of its own, and keep it."""
    known = {tuple(str(row[name]) for name in KEY) for row in read_results(path)}
    data = folder / f"{columns}-{n}.parquet"
    for method in methods:
        if {(method, work, str(columns), str(n)) for work in ("fit", "score")} <= known:
            continue
        if not data.exists():
            write_rows(data, n, columns)
        model = folder / f"{method}-{columns}-{n}"
        for work, function in (("fit", fit), ("score", score)):
            with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
                measured = process.submit(function, method, data, model, options).result()
            keep({"method": method, "work": work, "columns": columns, "rows": n, **measured}, path)
    data.unlink(missing_ok=True)


def write_rows(path: Path, n: int, columns: int) -> None:
    """Write two Gaussian classes 1.4 apart in every fifth column, and label some of the positives."""
    rng = np.random.default_rng(0)
    y = rng.random(n) < 0.3
    labelled = np.zeros(n, np.int8)
    labelled[rng.choice(np.flatnonzero(y), min(LABELLED, n // 5), replace=False)] = 1
    x = rng.normal(size=(n, columns)).astype(np.float32)
    x[:, ::5] += 1.4 * y[:, None]
    pq.write_table(pa.table({**{f"x{i}": x[:, i] for i in range(columns)}, "s": labelled}), path)


def fit(method: str, data: Path, model: Path, options: Row) -> Row:
    """Read, fit and save, as the command does; folds are timed one by one."""
    from angularpu import read_sample
    from angularpu.methods.configure import configure
    from angularpu.model.resumable import fit_into

    folds: list[float] = []

    def run_tasks(function: Callable[[Any], Any], items: Sequence[Any]) -> Iterator[Any]:
        for item in items:
            begun = time.process_time()
            result = function(item)
            folds.append(time.process_time() - begun)
            yield result

    begun = time.process_time()
    sample, classes = read_sample(data, label="s", scenario="one-sample")
    configured = configure("default", method=method, options=options)
    fit_into(configured, sample, directory=model, seed=0, classes=classes, run_tasks=run_tasks)
    seconds = time.process_time() - begun
    return {
        "seconds": seconds,
        "folds": sum(folds),
        "longest": max(folds),
        "rest": seconds - sum(folds),
        "megabytes": find_peak(),
    }


def score(_: str, data: Path, model: Path, __: Row) -> Row:
    """Score the rows with the command."""
    import angularpu.model.score_file  # noqa: F401 - the command imports it, which takes as long for any file
    from angularpu.cli.main import main as command

    begun = time.process_time()
    code = command(["score", str(model), str(data), "--out", str(model.with_suffix(".scores.parquet")), "--quiet"])
    if code:
        sys.exit(f"angularpu score ended with exit code {code}")
    return {"seconds": time.process_time() - begun, "megabytes": find_peak()}


def find_peak() -> float:
    """Return the most memory that this process has had, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)


def read_results(path: Path) -> list[Row]:
    """Return what was measured so far."""
    if not path.exists():
        return []
    with path.open(newline="") as file:
        return [{name: _number(value) for name, value in row.items()} for row in csv.DictReader(file)]


def _number(text: str) -> Any:
    return text if text.isidentifier() or not text else float(text) if "." in text else int(text)


def keep(row: Row, path: Path) -> None:
    """Add a row to the results."""
    rows = [
        *read_results(path),
        {
            name: f"{row.get(name, ''):.2f}" if isinstance(row.get(name), float) else row.get(name, "")
            for name in COLUMNS
        },
    ]
    rows.sort(key=lambda each: [str(each["method"]), str(each["work"]), int(each["columns"]), int(each["rows"])])
    with files.atomic_file(path) as temporary, temporary.open("w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def print_costs(rows: Sequence[Row]) -> None:
    print_header("method", "work", "columns", "rows", "seconds", "folds", "longest", "rest", "us per row", "MB")
    for row in rows:
        parts = ("" if row[name] == "" else f"{row[name]:.1f}" for name in ("folds", "longest", "rest"))
        each = f"{1e6 * row['seconds'] / row['rows']:.1f}"
        print_row(*(row[name] for name in KEY), f"{row['seconds']:.1f}", *parts, each, f"{row['megabytes']:.0f}")


def print_growth(rows: Sequence[Row]) -> None:
    """Print the exponents, and what a billion rows would take if everything went on as between the greatest sizes."""
    print_header("method", "work", "columns", "measured", "greatest size", "growth", "more per million rows", "at 10^9")
    for (method, work, columns), series in list_series(rows).items():
        for name in MEASURED:
            points = list_points(series, name)
            if points and (work, name) != ("score", "megabytes"):  # a piece of rows, which fills up and stays
                growth = f"n^{find_growth(points):.2f}"
                more, far = find_slope(points) * 1e6, extrapolate(points)
                print_row(method, work, columns, name, f"{points[-1][0]:,}", growth, f"{more:.2f}", f"{far:,.0f}")


def print_machines(rows: Sequence[Row]) -> None:
    """Print the hours that a billion rows would take on some numbers of machines."""
    print_header("method", "work", "columns", *(f"hours on {count} of {CORES} cores" for count in MACHINES))
    for (method, work, columns), series in list_series(rows).items():
        far = {name: extrapolate(points) for name in MEASURED if (points := list_points(series, name))}
        hours = []
        for count in MACHINES:
            if work == "score":
                seconds = far["seconds"] / (count * CORES)
            else:
                seconds = far["rest"] + max(far["folds"] / min(count * CORES, TASKS[method]), far["longest"])
            hours.append(f"{seconds / 3600:.2g}")
        print_row(method, work, columns, *hours)


def list_points(series: Sequence[Row], name: str) -> list[tuple[int, float]]:
    """Return what was measured of one name, by the number of rows."""
    return [(row["rows"], row[name]) for row in series if row[name] != ""]


def find_slope(points: Sequence[tuple[int, float]]) -> float:
    """Return how much one more row costs between the two greatest sizes, at least nothing.

    >>> find_slope([(1, 5.0), (10, 20.0), (20, 40.0)])
    2.0
    """
    (before, less), (after, more) = points[-2:]
    return max((more - less) / (after - before), 0.0)


def extrapolate(points: Sequence[tuple[int, float]]) -> float:
    """Return the cost of a billion rows on the straight line through the two greatest sizes."""
    return points[-1][1] + find_slope(points) * (BILLION - points[-1][0])


def list_series(rows: Sequence[Row]) -> dict[tuple[str, str, int], list[Row]]:
    """Return the rows of every method, work and number of columns that was measured at two sizes or more, by size."""
    series: dict[tuple[str, str, int], list[Row]] = {}
    for row in sorted(rows, key=lambda each: each["rows"]):
        series.setdefault((row["method"], row["work"], row["columns"]), []).append(row)
    return {key: each for key, each in series.items() if len(each) > 1}


def find_growth(points: Sequence[tuple[int, float]]) -> float:
    """Return the exponent of the power of n that fits the three greatest sizes best.

    >>> round(find_growth([(1, 5.0), (10, 20.0), (100, 200.0), (1000, 2000.0)]), 3)
    1.0
    """
    n, value = (np.log(np.maximum(each, 1e-9)) for each in zip(*points[-3:], strict=True))
    return float(np.polyfit(n, value, 1)[0])


def draw(rows: Sequence[Row], folder: Path) -> None:
    """Draw seconds and memory over rows."""
    from matplotlib.figure import Figure

    from angularpu.figures.picture import Picture, save_picture
    from angularpu.figures.style import colour_of

    shown = list_series(rows)

    def paint(figure: Figure) -> None:
        panels = figure.subplots(1, 2)
        for axes, name, label in zip(
            panels, ("seconds", "megabytes"), ("processor seconds", "memory, MB"), strict=True
        ):
            for (method, work, columns), series in shown.items():
                points = [(row["rows"], row[name]) for row in series]
                axes.plot(
                    *zip(*points, strict=True),
                    marker="o",
                    markersize=3,
                    linestyle="-" if work == "fit" else "--",
                    color=colour_of(method),
                    label=f"{work}, {method}, {columns} columns",
                )
            axes.set(xscale="log", xlabel="rows", ylabel=label)
        panels[0].set(yscale="log")
        panels[1].set(ylim=(0, None))
        figure.legend(*panels[0].get_legend_handles_labels(), loc="outside upper center", ncols=2)

    numbers = [[row[name] for name in COLUMNS] for row in rows]
    caption = "Processor time and memory of fit and score over the number of rows."
    save_picture(Picture("growth", caption, (8, 3.6), paint, COLUMNS, numbers), folder)


if __name__ == "__main__":
    main()
