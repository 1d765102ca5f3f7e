"""Points for the two figures that show single rows: how scores are distributed, and where embeddings lie."""

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from angularpu import files
from angularpu.decide.default import decide_again
from angularpu_bench.run.measure import Scored
from angularpu_bench.run.projection import spread
from angularpu_bench.run.store import Store
from angularpu_bench.spec.grid import Cell

SCORE_COLUMNS = ("dataset", "panel", "group", "score", "threshold")
EMBEDDING_COLUMNS = ("dataset", "panel", "group", "x", "y")
# The ablation's rows that show what the regulariser does.
PANELS = {"no-regulariser": "before", "full": "after"}
Groups = dict[str, NDArray[Any]]


def write_points(cells: Sequence[Cell], *, store: Store, folder: Path) -> tuple[int, int]:
    """Write ``scores.csv`` and ``embeddings.csv`` of the finished cells of one seed.

    Scores are those of every cell that is no variant; embeddings are those of the ablation's full model and of the one
    without the regulariser. A file that would be empty is left as it is.

    Parameters
    ----------
    cells : sequence of Cell
        Of one or several specs; only those with the lowest seed are shown.
    store : Store
    folder : Path
        Where the tables of results stand.

    Returns
    -------
    int, int
        How many points of each kind were written.
    """
    shown = [cell for cell in cells if cell.seed == min(other.seed for other in cells) and store.is_finished(cell)]
    scores = [row for cell in shown if not cell.variant for row in _list_scores(cell, store)]
    pictured = sorted(
        (cell for cell in shown if cell.variant in PANELS), key=lambda cell: list(PANELS).index(cell.variant)
    )
    embeddings = [row for cell in pictured for row in _list_embeddings(cell, store)]
    for name, columns, rows in (
        ("scores.csv", SCORE_COLUMNS, scores),
        ("embeddings.csv", EMBEDDING_COLUMNS, embeddings),
    ):
        if rows:
            folder.mkdir(parents=True, exist_ok=True)
            with files.atomic_file(folder / name) as temporary, temporary.open("w", newline="") as file:
                csv.writer(file, lineterminator="\n").writerows([columns, *rows])
    return len(scores), len(embeddings)


def _list_scores(cell: Cell, store: Store) -> Iterator[tuple[str, ...]]:
    record, arrays = store.read(cell), store.read_scores(cell)
    scored = Scored.restore(arrays, record["scored"])
    decision, _ = decide_again(cell.threshold, scored.held, **record["told"])
    for group, values in _group(scored.held.score_pos, scored.held.score_unl, y=scored.y_unl).items():
        for value in values[spread(len(values))]:
            yield cell.dataset, cell.method, group, f"{value:.5g}", f"{decision.threshold:.5g}"


def _list_embeddings(cell: Cell, store: Store) -> Iterator[tuple[str, ...]]:
    arrays = store.read_scores(cell)
    groups = _group(arrays["xy_pos"], arrays["xy_unl"], y=arrays["y_unl"][arrays["rows_unl"]])
    for group, values in groups.items():
        for x, y in values:
            yield cell.dataset, PANELS[cell.variant], group, f"{x:.4g}", f"{y:.4g}"


def _group(pos: NDArray[Any], unl: NDArray[Any], *, y: NDArray[np.int8]) -> Groups:
    groups = {"negative": unl[y == 0], "hidden positive": unl[y == 1], "labelled positive": pos}
    return {name: values for name, values in groups.items() if len(values)}
