"""How AngularPU fares with few positives, and when it is trained to the end: scikit-learn's digits, even against odd.

    python benchmarks/digits.py [--seeds 3] [--quick] [--json]

1297 training rows, one-sample, AUC on 500 other rows. The truth labels some rows and measures the others, no more.
"""

import json

import numpy as np
from command_line import make_parser, parse, print_header, print_row
from sklearn.datasets import load_digits

from angularpu.data.sources import as_rows
from angularpu.fit.workflow import fit_method
from angularpu.methods.encoder_choice import EncoderChoice
from angularpu.methods.neural import NeuralMethod
from angularpu.metrics.ranking import auc
from angularpu.scenario.one_sample import one_sample
from angularpu.scenario.sample import Truth
from angularpu.train.settings import Settings

FULL = {"seeds": 3, "labelled": (20, 100, 400), "train": 1297, "epochs": None}
QUICK = {"seeds": 1, "labelled": (20,), "train": 200, "epochs": 2}


def list_methods(epochs: int | None) -> dict[str, NeuralMethod]:
    best, last = Settings(epochs=epochs, refit=True), Settings(epochs=epochs, refit=True, selection="last")
    return {
        "default": NeuralMethod("angular", settings=best),
        "last": NeuralMethod("angular", settings=last),
        "last, lambda 0": NeuralMethod("angular", options={"lambda_": 0.0}, settings=last),
        "linear": NeuralMethod("angular", encoder=EncoderChoice("linear"), settings=best),
        "naive": NeuralMethod("naive", settings=best),
        "euclidean": NeuralMethod("euclidean", settings=best),
    }


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--seeds", type=int)
    arguments = parse(parser, full=FULL, quick=QUICK)
    x, digit = load_digits(return_X_y=True)
    y = (digit % 2 == 0).astype(np.int8)
    order = np.random.default_rng(0).permutation(len(y))
    train, test = order[: arguments.train], order[FULL["train"] :]
    results = []
    if not arguments.json:
        print_header("labelled", "method", "mean AUC", "AUC of each seed")
    for n in arguments.labelled:
        for name, method in list_methods(arguments.epochs).items():
            aucs = []
            for seed in range(arguments.seeds):
                rng = np.random.default_rng(seed)
                sample, _ = one_sample(as_rows(x[train]), Truth(y[train]), n_labelled=n, rng=rng)
                score = fit_method(method, sample, seed=seed).score(as_rows(x[test]))
                aucs.append(auc(score[y[test] == 1], score[y[test] == 0]))
            results.append({"labelled": n, "method": name, "aucs": aucs})
            if not arguments.json:
                print_row(n, name, f"{np.mean(aucs):.3f}", " ".join(f"{value:.3f}" for value in aucs))
    if arguments.json:
        print(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
