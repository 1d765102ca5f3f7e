"""An update on sparse text: rows that stay sparse in the first layer against the same rows made dense.

    python benchmarks/sparse_layer.py [--columns 25636] [--words 100] [--updates 30] [--quick] [--json]

AngularPU and nnPU with the MLP 256-256-128, batches of 128 labelled and 128 unlabelled rows, fused Adam, one thread.
The rows are drawn: words come with chances that fall as 1/rank, as they do in text. Both forms take turns, update by
update, from the same weights on the same batches. An update is all that the loop does: rows taken, loss, gradient,
step; "dense" takes and scales the rows batch by batch, as the package did before. Seconds are of the processor. The
last column is the largest difference between the two scores of any of the rows after all updates.
"""

import json
import time

import numpy as np
import scipy.sparse as sp
import torch
from command_line import make_parser, parse, print_header, print_row
from torch.optim import Adam

from angularpu.algorithms.angular import Angular
from angularpu.algorithms.base import Algorithm, PUBatch
from angularpu.algorithms.nnpu import NNPU
from angularpu.data.prepare.sparse import SparsePreparation, fit_sparse
from angularpu.data.sources import SparseRows, as_rows
from angularpu.nets.mlp import MLP
from angularpu.nets.sparse_linear import lay_out_by_column
from angularpu.train.prepared_rows import PreparedByBatch, PreparedRows, PreparedSparse
from angularpu.train.scoring import score_rows

ROWS, HALF, WARM_UP = 4096, 128, 3
METHODS = {"angular": Angular, "nnpu": lambda encoder: NNPU(encoder, alpha=0.3)}


def draw_text(columns: int, *, words: int) -> SparseRows:
    """Draw rows of so many words each, some of them more than once; every column has one word more."""
    rng = np.random.default_rng(0)
    chance = 1 / np.arange(1, columns + 1)
    drawn = rng.permutation(columns)[rng.choice(columns, ROWS * words, p=chance / chance.sum())]
    column = np.concatenate([drawn, np.arange(columns)])
    row = np.concatenate([np.repeat(np.arange(ROWS), words), rng.integers(ROWS, size=columns)])
    return as_rows(sp.csr_matrix((np.ones(len(row), np.float32), (row, column)), (ROWS, columns)))


class Contender:
    """One method on one form of the rows."""

    def __init__(self, method: str, prepared: PreparedRows, *, columns: int, by_column: bool) -> None:
        torch.manual_seed(0)
        encoder = MLP((columns,), dropout=0.0)
        if by_column:
            lay_out_by_column(encoder)
        self.algorithm: Algorithm = METHODS[method](encoder)
        self.prepared, self.optimizer = prepared, Adam(self.algorithm.parameters(), lr=1e-4, fused=True)
        self.seconds: list[float] = []

    def update(self, index: torch.Tensor) -> None:
        """Take one timed step."""
        start = time.process_time()
        batch = PUBatch(
            x=self.prepared.gather(index),
            n_pos=HALF,
            index=index,
            positive_weight=1 / HALF,
            progress=0.0,
            generator=torch.default_generator,
            phase="train",
        )
        self.algorithm.update(batch, [self.optimizer])
        self.seconds.append(time.process_time() - start)


def compare(method: str, rows: SparseRows, preparation: SparsePreparation, *, updates: int) -> dict[str, object]:
    """Let both forms take turns and return their times."""
    columns = preparation.out_shape[0]
    dense = Contender(method, PreparedByBatch(rows, preparation), columns=columns, by_column=False)
    sparse = Contender(method, PreparedSparse(rows, preparation), columns=columns, by_column=True)
    rng = np.random.default_rng(1)
    for _ in range(WARM_UP + updates):
        index = torch.from_numpy(rng.choice(ROWS, 2 * HALF, replace=False))
        dense.update(index)
        sparse.update(index)
    slow, fast = np.array(dense.seconds[WARM_UP:]), np.array(sparse.seconds[WARM_UP:])
    low, middle, high = np.quantile(slow / fast, [0.1, 0.5, 0.9])
    scores = [score_rows(each.algorithm, each.prepared, np.arange(ROWS)) for each in (dense, sparse)]
    return {
        "method": method,
        "columns": columns,
        "dense_ms": 1e3 * float(np.median(slow)),
        "sparse_ms": 1e3 * float(np.median(fast)),
        "ratio": float(middle),
        "ratio_10": float(low),
        "ratio_90": float(high),
        "difference": float(np.abs(scores[0] - scores[1]).max()),
    }


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--columns", type=int)
    parser.add_argument("--words", type=int)
    parser.add_argument("--updates", type=int)
    options = parse(
        parser,
        full={"columns": 25_636, "words": 100, "updates": 30},
        quick={"columns": 400, "words": 10, "updates": 3},
    )
    torch.set_num_threads(1)
    rows = draw_text(options.columns, words=options.words)
    preparation = fit_sparse(rows)
    table = [compare(method, rows, preparation, updates=options.updates) for method in METHODS]
    if options.json:
        print(json.dumps(table, indent=1))
        return
    print_header("method", "columns", "dense, ms", "sparse, ms", "dense / sparse", "a tenth below, above", "difference")
    for row in table:
        times = (f"{row['dense_ms']:.1f}", f"{row['sparse_ms']:.1f}", f"{row['ratio']:.1f}")
        spread = f"{row['ratio_10']:.1f}, {row['ratio_90']:.1f}"
        print_row(row["method"], row["columns"], *times, spread, f"{row['difference']:.1e}")


if __name__ == "__main__":
    main()
