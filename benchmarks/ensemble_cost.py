"""What the ensemble costs, beside one AngularPU network: to fit, to keep, to score.

    python benchmarks/ensemble_cost.py [--rows 5000] [--columns 30] [--repeats 3] [--quick] [--json]

Two Gaussian classes, a third of the positives labelled. Each model is fitted on one thread; the network is AngularPU's
with a tenth held out, trained once. Seconds are of the processor. Beside each figure stands its ratio to the network's.
"""

import json
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from command_line import make_parser, parse, print_header, print_row
from sklearn.metrics import roc_auc_score

from angularpu import AngularPUClassifier, PUEnsembleClassifier

Drawn = tuple[Any, Any, Any]  # rows, labels, true classes
MODELS = {
    "one network": partial(AngularPUClassifier, validation="hold-out"),
    "AngularPU, mean of five folds": partial(PUEnsembleClassifier, members=["angular"]),
    "ensemble": PUEnsembleClassifier,
}


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--rows", type=int)
    parser.add_argument("--columns", type=int)
    parser.add_argument("--repeats", type=int)
    arguments = parse(
        parser,
        full={"rows": 5000, "columns": 30, "repeats": 3, "epochs": None},
        quick={"rows": 600, "columns": 4, "repeats": 1, "epochs": 2},
    )
    torch.set_num_threads(1)
    train = draw(arguments.rows, arguments.columns, seed=0)
    new = draw(arguments.rows, arguments.columns, seed=1)
    measured = {
        name: measure(make(epochs=arguments.epochs), train, new, repeats=arguments.repeats)
        for name, make in MODELS.items()
    }
    first = measured["one network"]
    rows = [
        {"model": name, **figures, **{f"{key} ratio": figures[key] / first[key] for key in ("fit", "size", "scoring")}}
        for name, figures in measured.items()
    ]
    if arguments.json:
        print(json.dumps(rows))
        return
    print_header("model", "AUC", "seconds to fit", "ratio", "MB on disk", "ratio", "seconds per million rows", "ratio")
    for row in rows:
        print_row(
            row["model"],
            f"{row['auc']:.4f}",
            f"{row['fit']:.1f}",
            f"{row['fit ratio']:.1f}",
            f"{row['size']:.1f}",
            f"{row['size ratio']:.1f}",
            f"{row['scoring']:.1f}",
            f"{row['scoring ratio']:.1f}",
        )


def draw(n: int, columns: int, *, seed: int) -> Drawn:
    """Draw two Gaussian classes 1.4 apart in every fifth column, and label a third of the positives."""
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.3).astype(int)
    x = rng.normal(size=(n, columns))
    x[:, ::5] += 1.4 * y[:, None]
    return x, y * (rng.random(n) < 1 / 3), y


def measure(model: Any, train: Drawn, new: Drawn, *, repeats: int) -> dict[str, float]:
    """Fit a model once, save it, and score new rows several times."""
    x, s, _ = train
    started = time.process_time()
    model.fit(x, s)
    fit = time.process_time() - started
    started = time.process_time()
    for _ in range(repeats):
        score = model.score_samples(new[0])
    scoring = (time.process_time() - started) / repeats / len(new[0]) * 1e6
    with tempfile.TemporaryDirectory() as folder:
        model.save(Path(folder) / "model")
        size = sum(path.stat().st_size for path in (Path(folder) / "model").iterdir()) / 1e6
    return {"auc": float(roc_auc_score(new[2], score)), "fit": fit, "size": size, "scoring": scoring}


if __name__ == "__main__":
    main()
