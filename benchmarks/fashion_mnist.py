"""AngularPU with default settings on Fashion-MNIST: tops against the rest, 1000 labelled, one-sample, no prior given.

    python benchmarks/fashion_mnist.py --data DIR [--seeds 5] [--json]

DIR holds fashion-mnist/*.gz in the official IDX format. The truth labels 1000 tops and scores the test set, no more.
"""

import argparse
import json
import time
from pathlib import Path

import numpy as np

from angularpu import AngularPUClassifier, Truth, evaluate
from angularpu.data.sources import as_rows
from angularpu.scenario.one_sample import one_sample
from angularpu_bench.catalogue.mnist import load_fashion_mnist

TOPS = (0, 2, 4, 6)
LABELLED = 1000
METRICS = ("auc", "ap", "f1", "best_f1", "precision", "recall")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    x, labels, x_test, labels_test = load_fashion_mnist(arguments.data / "fashion-mnist")
    truth, test_truth = (Truth(np.isin(part, TOPS).astype(np.int8)) for part in (labels, labels_test))
    runs = []
    for seed in range(arguments.seeds):
        start = time.perf_counter()
        sample, _ = one_sample(as_rows(x), truth, n_labelled=LABELLED, rng=np.random.default_rng(seed))
        model = AngularPUClassifier(random_state=seed).fit(sample)
        measured = evaluate(test_truth, model.score_samples(x_test), threshold=model.threshold_)
        runs.append({"seed": seed, "best_epoch": model.best_epoch_, "seconds": time.perf_counter() - start, **measured})
        if not arguments.json:
            line = "  ".join(f"{name} {measured[name]:.4f}" for name in METRICS)
            print(f"seed {seed}  {line}  best epoch {model.best_epoch_}  {runs[-1]['seconds']:.0f} s", flush=True)
    if arguments.json:
        print(json.dumps(runs, indent=1))
        return
    print("mean    " + "  ".join(f"{name} {np.mean([run[name] for run in runs]):.4f}" for name in METRICS))


if __name__ == "__main__":
    main()
