"""Scoring rows in memory: ours against bare torch, onnxruntime and other libraries, in turns.

    python benchmarks/scores_in_memory.py [--rows 20000] [--turns 5] [--quick] [--json] [--save]

Rows of 784 numbers, MLP 784-256-256-128, one thread, processor time; a ratio is of rows per second. Bare torch runs the
network in inference mode over prepared rows, in our chunks of 256 and in chunks of 1024, which save work but let a
single row wait longer. onnxruntime runs our exported network and all that stands around it. The other libraries score
with networks of that size, untrained but for a few rows; pulearn's is a classifier around scikit-learn's.
"""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from command_line import parse
from epochs import COLUMNS, SHARE, make_network
from turns import Ratio, compare, find_rivals, make_turns_parser, take_turns, tell

from angularpu import AngularPUClassifier

FIT_ROWS = 600
Ways = dict[str, Callable[[], object]]


def run_bare(network: Any, x: torch.Tensor, size: int) -> torch.Tensor:
    with torch.inference_mode():
        return torch.cat([network.score(x[start : start + size]) for start in range(0, len(x), size)])


def make_onnxruntime(model: Any, x: np.ndarray, *_: Any) -> Callable[[], object]:
    import onnxruntime

    from angularpu.export.file import build_onnx

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(build_onnx(model.fitted_), options)
    wide = x.astype(np.float64)
    return lambda: [session.run(None, {"X": wide[start : start + 1024]}) for start in range(0, len(x), 1024)]


def make_sklearn(_: Any, x: np.ndarray, few: np.ndarray, s: np.ndarray) -> Callable[[], object]:
    from sklearn.neural_network import MLPClassifier

    net = MLPClassifier((256, 256, 128), max_iter=2).fit(few, s)
    return lambda: net.predict_proba(x)


def make_skorch(_: Any, x: np.ndarray, few: np.ndarray, s: np.ndarray) -> Callable[[], object]:
    from skorch import NeuralNetBinaryClassifier

    flat = torch.nn.Sequential(make_network(), torch.nn.Flatten(0))
    net = NeuralNetBinaryClassifier(flat, max_epochs=1, train_split=None, verbose=0).fit(few, s.astype(np.float32))
    return lambda: net.predict_proba(x)


def make_pu_toolbox(_: Any, x: np.ndarray, few: np.ndarray, s: np.ndarray) -> Callable[[], object]:
    from pu_toolbox.estimators.risk.nnpu import NonNegativePUClassifier

    net = NonNegativePUClassifier(make_network(), class_prior=SHARE, max_epochs=1, device="cpu").fit(few, s.astype(int))
    return lambda: net.decision_function(x)


def make_pulearn(_: Any, x: np.ndarray, few: np.ndarray, s: np.ndarray) -> Callable[[], object]:
    from pulearn import ElkanotoPuClassifier
    from sklearn.neural_network import MLPClassifier

    net = ElkanotoPuClassifier(MLPClassifier((256, 256, 128), max_iter=2)).fit(few, s.astype(int))
    return lambda: net.predict_proba(x)


RIVALS = {
    "onnxruntime": ("onnxruntime", make_onnxruntime),
    "scikit-learn's MLPClassifier": ("sklearn", make_sklearn),
    "skorch": ("skorch", make_skorch),
    "pu-toolbox": ("pu_toolbox", make_pu_toolbox),
    "pulearn": ("pulearn", make_pulearn),
}


def measure(rows: int, *, turns: int) -> tuple[list[Ratio], dict[str, list[float]]]:
    rng = np.random.default_rng(0)
    few, x = (rng.normal(size=(n, COLUMNS)).astype(np.float32) for n in (FIT_ROWS, rows))
    s = np.arange(FIT_ROWS) < 200
    model = AngularPUClassifier(validation="hold-out", epochs=1).fit(few, s)
    prepared = model.fitted_.preparation.apply(x)
    scorer, tensor = model.fitted_.scorer, torch.from_numpy(prepared)
    ways: Ways = {
        "ours": lambda: scorer.score(prepared),
        "ours with preparation": lambda: model.score_samples(x),
        "torch, chunks of 256": lambda: run_bare(scorer.algorithm, tensor, 256),
        "torch, chunks of 1024": lambda: run_bare(scorer.algorithm, tensor, 1024),
    }
    found = find_rivals(*(module for module, _ in RIVALS.values()))
    ways |= {name: make(model, x, few, s) for name, (module, make) in RIVALS.items() if module in found}
    seconds = take_turns(ways, turns)
    ratios = []
    for name in list(ways)[2:]:
        bare = name.startswith("torch")
        ours = "ours" if bare else "ours with preparation"
        bar = "at least 0.95" if bare else ""
        pair = ("AngularPU", seconds[ours]), (name, seconds[name])
        ratios.append(compare("scores in memory", *pair, bar=bar, inverse=True))
    return ratios, seconds


def main() -> None:
    arguments = parse(make_turns_parser(__doc__), full={"rows": 20_000, "turns": 5}, quick={"rows": 512, "turns": 2})
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    ratios, seconds = measure(arguments.rows, turns=arguments.turns)
    text = ", ".join(f"{name} {arguments.rows / min(each):,.0f}" for name, each in seconds.items())
    tell(arguments, ratios, {"seconds": seconds}, f"rows a second: {text}")


if __name__ == "__main__":
    main()
