"""AngularPU with default settings on Fashion-MNIST: tops against the rest, 1000 labelled, one-sample, no prior given.

    python benchmarks/fashion_mnist.py --data DIR [--seeds 5] [--json]
    python benchmarks/fashion_mnist.py --quick

DIR holds fashion-mnist/*.gz in the official IDX format. The truth labels 1000 tops and measures the scores of the test
set, no more.
"""

import json
import time
from pathlib import Path

import numpy as np
from command_line import make_parser, parse, print_header, print_row
from small_files import data_directory, write_fashion

from angularpu import AngularPUClassifier, Truth, evaluate
from angularpu.data.sources import as_rows
from angularpu.scenario.one_sample import one_sample
from angularpu_bench.catalogue.mnist import load_fashion_mnist

TOPS = (0, 2, 4, 6)
METRICS = ("auc", "ap", "f1", "best_f1", "precision", "recall")


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--seeds", type=int)
    arguments = parse(parser, full={"seeds": 5, "labelled": 1000}, quick={"seeds": 1, "labelled": 40})
    with data_directory(arguments, write_fashion) as directory:
        x, labels, x_test, labels_test = load_fashion_mnist(directory / "fashion-mnist")
    truth, test_truth = (Truth(np.isin(part, TOPS).astype(np.int8)) for part in (labels, labels_test))
    runs = []
    if not arguments.json:
        print_header("seed", *METRICS, "epoch kept", "seconds")
    for seed in range(arguments.seeds):
        start = time.perf_counter()
        sample, _ = one_sample(as_rows(x), truth, n_labelled=arguments.labelled, rng=np.random.default_rng(seed))
        model = AngularPUClassifier(validation="hold-out", random_state=seed).fit(sample)
        measured = evaluate(test_truth, model.score_samples(x_test), threshold=model.threshold_)
        runs.append({"seed": seed, "best_epoch": model.best_epoch_, "seconds": time.perf_counter() - start, **measured})
        if not arguments.json:
            numbers = [f"{measured[name]:.4f}" for name in METRICS]
            print_row(seed, *numbers, model.best_epoch_, f"{runs[-1]['seconds']:.0f}")
    if arguments.json:
        print(json.dumps(runs, indent=1))
        return
    print_row("**mean**", *(f"{np.mean([run[name] for run in runs]):.4f}" for name in METRICS), "", "")


if __name__ == "__main__":
    main()
