"""How long one row takes: by onnxruntime from an exported file, by torch's bare network, and by the library.

    python benchmarks/onnx_row.py [--columns 30] [--calls 3000] [--quick] [--json]

One thread. The three take turns in blocks of calls; the figure is the least mean of a block, of the processor's time in
this process, which other programs do not lengthen. onnxruntime's figure holds everything: preparation, network or
members, probability, decision. torch's is the network (of an ensemble, its first) on a row that is prepared already.
"""

import json
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import onnxruntime
import torch
from command_line import make_parser, parse, print_header, print_row

from angularpu import AngularPUClassifier, PUEnsembleClassifier
from angularpu.data.sources import as_rows
from angularpu.export.file import build_onnx
from angularpu.methods.neural import list_algorithms

MODELS = {
    "one network (MLP 256-256-128)": lambda: AngularPUClassifier(validation="hold-out", epochs=2),
    "ensemble of four methods, five folds each": lambda: PUEnsembleClassifier(epochs=2),
}
BLOCKS = 10


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--columns", type=int)
    parser.add_argument("--calls", type=int)
    arguments = parse(parser, full={"columns": 30, "calls": 3000}, quick={"columns": 4, "calls": 20})
    torch.set_num_threads(1)
    rows = [{"model": name, **measure(make(), arguments)} for name, make in MODELS.items()]
    if arguments.json:
        print(json.dumps(rows))
        return
    print_header("model", "onnxruntime, microseconds", "torch, network alone", "ratio", "library", "ratio", "MB")
    for row in rows:
        own, bare, library = (row[name] for name in ("onnxruntime", "torch", "library"))
        figures = (own, bare, bare / own, library, library / own, row["size"])
        print_row(row["model"], *(f"{figure:.1f}" for figure in figures))


def measure(model: Any, arguments: Any) -> dict[str, float]:
    """Fit a model, export it, and time one row three ways."""
    rng = np.random.default_rng(0)
    y = np.arange(600) < 200
    x = rng.normal(size=(600, arguments.columns)) + y[:, None]
    model.fit(x, y & (rng.random(600) < 0.5))
    content, row = build_onnx(model.fitted_), x[:1]
    session = onnxruntime.InferenceSession(content, _use_one_thread())
    scorer = getattr(model.fitted_.scorer, "members", [model.fitted_.scorer])[0]
    algorithm = list_algorithms(getattr(scorer, "mean", scorer))[0]
    prepared, rows = torch.from_numpy(model.fitted_.preparation.apply(row)), as_rows(row)

    def run_torch() -> None:
        with torch.inference_mode():
            algorithm.score(prepared)

    ways = {
        "onnxruntime": (lambda: session.run(None, {"X": row}), arguments.calls),
        "torch": (run_torch, arguments.calls),
        "library": (lambda: model.fitted_.score(rows), max(2, arguments.calls // 100)),
    }
    return {**_take_turns(ways), "size": len(content) / 1e6}


def _use_one_thread() -> Any:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return options


def _take_turns(ways: dict[str, tuple[Callable[[], object], int]]) -> dict[str, float]:
    """Return the microseconds of a call, by name: the least mean of a block."""
    least = dict.fromkeys(ways, np.inf)
    for _ in range(BLOCKS):
        for name, (run, calls) in ways.items():
            started = time.process_time()
            for _ in range(calls):
                run()
            least[name] = min(least[name], (time.process_time() - started) / calls * 1e6)
    return least


if __name__ == "__main__":
    main()
