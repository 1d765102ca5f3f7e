"""What each estimator of the share of positives costs, and how far it is off, as `angularpu prior` runs it.

    python benchmarks/prior_cost.py [--rows 5000] [--columns 10] [--apart 2.83 1.42] [--alpha .1 .3 .5 .7] [--quick]

Two Gaussian classes that differ in the first column; a tenth of the rows are labelled positives. Seconds are of the
processor, on one thread, with the interval; scores that several estimators share are counted with the first of them.
"""

import json
import time
from collections import defaultdict

import numpy as np
import torch
from command_line import make_parser, parse, print_header, print_row

from angularpu import make_sample
from angularpu.fit import estimate_priors
from angularpu.priors import ESTIMATORS
from angularpu.scenario import PUSample


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--rows", type=int)
    parser.add_argument("--columns", type=int)
    parser.add_argument("--apart", type=float, nargs="+")
    parser.add_argument("--alpha", type=float, nargs="+")
    arguments = parse(
        parser,
        full={"rows": 5000, "columns": 10, "apart": [2.83, 1.42], "alpha": [0.1, 0.3, 0.5, 0.7]},
        quick={"rows": 300, "columns": 3, "apart": [2.83], "alpha": [0.3]},
    )
    torch.set_num_threads(1)
    seconds: dict[str, list[float]] = defaultdict(list)
    errors: dict[tuple[str, float], list[float]] = defaultdict(list)
    for apart in arguments.apart:
        for seed, alpha in enumerate(arguments.alpha):
            sample = draw(arguments.rows, arguments.columns, apart=apart, alpha=alpha, seed=seed)
            for name, (found, cost) in measure(sample).items():
                seconds[name].append(cost)
                errors[name, apart].append(abs(found - alpha))
    rows = [
        {"estimator": name, "seconds": np.mean(seconds[name])}
        | {f"error, {apart} apart": np.mean(errors[name, apart]) for apart in arguments.apart}
        for name in ESTIMATORS
    ]
    if arguments.json:
        print(json.dumps(rows))
        return
    print_header(*rows[0])
    for row in rows:
        print_row(*(value if isinstance(value, str) else f"{value:.3f}" for value in row.values()))
    print_row("all", f"{sum(row['seconds'] for row in rows):.3f}", *[""] * len(arguments.apart))


def draw(n: int, columns: int, *, apart: float, alpha: float, seed: int) -> PUSample:
    """Draw the rows of two classes; the first tenth are labelled positives."""
    rng = np.random.default_rng(seed)
    n_pos = n // 10
    x = rng.normal(size=(n, columns)).astype(np.float32)
    x[: n_pos + round(alpha * (n - n_pos)), 0] += apart
    return make_sample(x, np.arange(n) < n_pos, scenario="one-sample")


def measure(sample: PUSample) -> dict[str, tuple[float, float]]:
    """Return every estimator's alpha and its seconds; the time between two reports is that of an estimator."""
    starts: list[float] = []
    names = list(ESTIMATORS)
    found = estimate_priors(sample, names, report=lambda done, most, name: starts.append(time.process_time()))
    ends = [*starts[1:], time.process_time()]
    return {name: (each.alpha, end - start) for name, each, start, end in zip(names, found, starts, ends, strict=True)}


if __name__ == "__main__":
    main()
