"""How AngularPU fares with few positives, and when it is trained to the end: scikit-learn's digits, even against odd.

    python benchmarks/digits.py [--seeds 3] [--json]

1297 training rows, one-sample, AUC on 500 other rows. The truth labels some rows and scores the others, no more.
"""

import argparse
import json

import numpy as np
from sklearn.datasets import load_digits

from angularpu.data.sources import as_rows
from angularpu.fit.workflow import fit_method
from angularpu.methods.neural import EncoderChoice, NeuralMethod
from angularpu.metrics.ranking import auc
from angularpu.scenario.one_sample import one_sample
from angularpu.scenario.sample import Truth
from angularpu.train.settings import Settings

TRAIN = 1297
LABELLED = (20, 100, 400)
LAST = Settings(selection="last")
METHODS = {
    "default": NeuralMethod("angular"),
    "last": NeuralMethod("angular", settings=LAST),
    "last, lambda 0": NeuralMethod("angular", options={"lambda_": 0.0}, settings=LAST),
    "linear": NeuralMethod("angular", encoder=EncoderChoice("linear")),
    "naive": NeuralMethod("naive"),
    "euclidean": NeuralMethod("euclidean"),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    x, digit = load_digits(return_X_y=True)
    y = (digit % 2 == 0).astype(np.int8)
    order = np.random.default_rng(0).permutation(len(y))
    train, test = order[:TRAIN], order[TRAIN:]
    results = []
    for n in LABELLED:
        for name, method in METHODS.items():
            aucs = []
            for seed in range(arguments.seeds):
                rng = np.random.default_rng(seed)
                sample, _ = one_sample(as_rows(x[train]), Truth(y[train]), n_labelled=n, rng=rng)
                score = fit_method(method, sample, seed=seed).score(as_rows(x[test]))
                aucs.append(auc(score[y[test] == 1], score[y[test] == 0]))
            results.append({"labelled": n, "method": name, "aucs": aucs})
            if not arguments.json:
                each = " ".join(f"{value:.3f}" for value in aucs)
                print(f"{n:4d} labelled  {name:15s} mean AUC {np.mean(aucs):.3f}  ({each})", flush=True)
    if arguments.json:
        print(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
