"""Every method on Fashion-MNIST under one budget: tops against the rest, 1000 labelled, one-sample.

    python benchmarks/methods.py --data DIR [--seeds 3] [--jobs 2] [--only nnpu vpu] [--table]

DIR holds fashion-mnist/*.gz in the official IDX format. Networks: MLP, 10 epochs at most, batch 128, Adam at 1e-4,
epoch by held-out PU-AUC; two-stage methods share the epochs among their phases. Classical methods stand around one
boosting of 30 rounds. The true prior is given to methods that need one, and to nothing else: the threshold is PU-F1
with BBE. Results are kept in benchmarks/results/methods.csv, one row a cell; a second run makes what is missing.
``--table`` prints them.
"""

import argparse
import csv
import multiprocessing
import os
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

os.environ["OMP_NUM_THREADS"] = "1"  # before NumPy and torch: several processes compute side by side

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier

from angularpu import METHODS, Truth, evaluate, files
from angularpu.data.sources import as_rows
from angularpu.fit.workflow import fit_method
from angularpu.methods.configure import configure
from angularpu.scenario.one_sample import one_sample
from angularpu.scenario.oracle import supervised_sample
from angularpu_bench.catalogue.mnist import load_fashion_mnist

TOPS = (0, 2, 4, 6)
LABELLED = 1000
EPOCHS = 10
ROUNDS = 30
RESULTS = Path(__file__).parent / "results" / "methods.csv"
COLUMNS = ("method", "seed", "epochs", "auc", "ap", "f1", "best_f1", "alpha", "seconds", "seconds_per_epoch")


def run_cell(method: str, seed: int, data: Path) -> dict[str, object]:
    """Fit one method on one draw of labels and measure it on the test set."""
    x, labels, x_test, labels_test = load_fashion_mnist(data / "fashion-mnist")
    truth, test_truth = (Truth(np.isin(part, TOPS).astype(np.int8)) for part in (labels, labels_test))
    sample, truth = one_sample(as_rows(x), truth, n_labelled=LABELLED, rng=np.random.default_rng(seed))
    card = METHODS[method]
    if card.oracle:
        sample = supervised_sample(sample, truth)
    options = {"epochs": EPOCHS, "device": "cpu"} if card.is_neural else {"base": boosting()}
    prior = float(truth.y.mean()) if "prior" in card.needs else "bbe"
    chosen = configure(method=method, threshold="pu-f1,prior=bbe", prior=prior, options=options)
    start = time.perf_counter()
    fitted = fit_method(chosen, sample, seed=seed)
    seconds = time.perf_counter() - start
    measured = evaluate(test_truth, fitted.score(as_rows(x_test)), threshold=fitted.decision.threshold)
    epochs = len(fitted.history)
    return {
        "method": method,
        "seed": seed,
        "epochs": epochs,
        **{name: round(measured[name], 5) for name in ("auc", "ap", "f1", "best_f1")},
        "alpha": round(fitted.decision.alpha or 0, 4),
        "seconds": round(seconds, 1),
        "seconds_per_epoch": round(seconds / epochs, 2) if epochs else "",
    }


def boosting() -> HistGradientBoostingClassifier:
    """Make the one classifier that every classical method stands around."""
    return HistGradientBoostingClassifier(max_iter=ROUNDS)


def read() -> list[dict[str, str]]:
    """Return the rows there are."""
    if not RESULTS.exists():
        return []
    with RESULTS.open(newline="") as file:
        return list(csv.DictReader(file))


def write(rows: list[dict[str, object]]) -> None:
    """Replace the results, in the order of the table of methods."""
    order = list(METHODS)
    rows = sorted(rows, key=lambda row: (order.index(str(row["method"])), int(str(row["seed"]))))
    RESULTS.parent.mkdir(exist_ok=True)
    with files.atomic_file(RESULTS) as temporary, temporary.open("w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def print_table() -> None:
    """Print means and deviations over the seeds as Markdown."""
    print("| method | id | seeds | AUC | AP | F1 (PU-F1, BBE) | best F1 | alpha | s/epoch | s |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    rows = read()
    for method, card in METHODS.items():
        own = [row for row in rows if row["method"] == method]
        if not own:
            continue
        values = {name: np.array([float(row[name] or "nan") for row in own]) for name in COLUMNS[3:]}
        spread = {name: f"{v.mean():.4f} ± {v.std(ddof=1) if len(v) > 1 else 0:.4f}" for name, v in values.items()}
        per_epoch = "" if np.isnan(values["seconds_per_epoch"]).any() else f"{values['seconds_per_epoch'].mean():.1f}"
        print(
            f"| {card.title} | `{method}` | {len(own)} | {spread['auc']} | {spread['ap']} | {spread['f1']} "
            f"| {values['best_f1'].mean():.4f} | {values['alpha'].mean():.3f} | {per_epoch} "
            f"| {values['seconds'].mean():.0f} |"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", nargs="+", default=list(METHODS), choices=list(METHODS))
    parser.add_argument("--table", action="store_true")
    arguments = parser.parse_args()
    if not arguments.table:
        rows: list[dict[str, object]] = list(read())
        done = {(row["method"], int(str(row["seed"]))) for row in rows}
        cells = [(m, s) for s in range(arguments.seeds) for m in arguments.only if (m, s) not in done]
        start = time.perf_counter()
        with ProcessPoolExecutor(arguments.jobs, multiprocessing.get_context("spawn")) as pool:
            futures = {pool.submit(run_cell, *cell, arguments.data): cell for cell in cells}
            for future in as_completed(futures):
                row = future.result()
                write(rows := [*rows, row])
                print(*(f"{name} {row[name]}" for name in COLUMNS), sep="  ", flush=True)
        print(f"{len(cells)} cells in {time.perf_counter() - start:.0f} s")
    print_table()


if __name__ == "__main__":
    main()
