"""The page of methods quotes the committed results."""

import re
from pathlib import Path

import numpy as np

from angularpu_bench.report.names import name_dataset, name_method
from angularpu_bench.report.results import read_results

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "methods" / "README.md").read_text(encoding="utf-8")


def test_the_page_of_methods_lists_those_below_naive_with_the_numbers_of_the_main_experiment():
    main = read_results(ROOT / "experiments" / "results").where(spec="main")
    datasets = main.distinct("dataset")

    def mean(method, dataset):
        return main.where(label=method, dataset=dataset).values("auc").mean()

    expected = {}
    for method in main.distinct("method"):  # the row as published is no method of its own
        differences = {dataset: mean(method, dataset) - mean("naive", dataset) for dataset in datasets}
        average, worst = np.mean(list(differences.values())), min(differences, key=differences.get)
        if average < 0:
            below = sum(difference < 0 for difference in differences.values())
            expected[average] = (
                f"| {name_method(method)} | `{method}` | {below} of {len(datasets)} | {average:+.4f} "
                f"| {differences[worst]:+.4f}, {name_dataset(worst)} |"
            )
    assert re.findall(r"^\| .* of 11 .*$", PAGE, re.M) == [expected[average] for average in sorted(expected)]
