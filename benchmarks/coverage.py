"""How often the 90 % intervals hold the truth: 200 draws of two ten-dimensional Gaussians.

    python benchmarks/coverage.py [--seeds 200] [--alpha-seeds 50] [--separation 2.83] [--quick] [--json]

--seeds is the number of draws, --alpha-seeds how many of them also bootstrap alpha, 40 resamples each. Negatives lie
around the origin, positives --separation away along the first column, unit variance. The score is a logistic regression
of P against U, fitted once for every alpha on a sample of its own: a projection, whose true recall and precision are
known in closed form. Scenario one-sample, target population, prior given; alpha's own interval is BBE's and DEDPUL's
bootstrap on the same scores. An entry of the table is the coverage and, in brackets, the mean of estimate minus truth.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from command_line import make_parser, parse, print_header, print_row
from scipy.stats import norm
from sklearn.linear_model import LogisticRegression

from angularpu.decide.held_out import HeldOut
from angularpu.decide.rules import parse_rule
from angularpu.priors.bbe import estimate_bbe
from angularpu.priors.bootstrap import bootstrap_alpha
from angularpu.priors.dedpul import estimate_dedpul
from angularpu.scenario.proportions import Proportions

FULL = {
    "seeds": 200,
    "alpha_seeds": 50,
    "separation": 2.83,
    "sizes": ((1000, 4000), (200, 800)),  # positives and unlabelled rows
    "alphas": (0.1, 0.3, 0.5, 0.7),
    "resamples": 40,
}
QUICK = {"seeds": 3, "alpha_seeds": 1, "sizes": ((100, 400),), "alphas": (0.3,), "resamples": 4}
RULES = ("recall=0.9", "pu-f1", "lee-liu")
BARRED = ("recall=0.9", "pu-f1")
ESTIMATORS: dict[str, Callable] = {"bbe": estimate_bbe, "dedpul": estimate_dedpul}
D = 10
LEAST, MOST = 0.85, 0.97


@dataclass(frozen=True)
class Projection:
    """Scores w x + b of the two Gaussians: normal with deviation |w|, positives shifted by w_1 times the separation."""

    spread: float
    shift: float
    offset: float

    def draw(self, y: np.ndarray, *, rng: np.random.Generator) -> np.ndarray:
        """Draw one score for every true class."""
        return self.offset + self.spread * rng.standard_normal(len(y)) + self.shift * y

    def above(self, threshold: float, *, y: int) -> float:
        """Return the share of a class above the threshold."""
        return float(norm.sf((threshold - self.offset - self.shift * y) / self.spread))


def fit_projection(alpha: float, *, separation: float, n_pos: int, n_unl: int) -> Projection:
    rng = np.random.default_rng(10**6)
    x = rng.standard_normal((n_pos + n_unl, D))
    x[: n_pos + round(alpha * n_unl), 0] += separation
    model = LogisticRegression().fit(x, np.arange(len(x)) < n_pos)
    weights = model.coef_[0]
    return Projection(float(np.linalg.norm(weights)), float(weights[0] * separation), float(model.intercept_[0]))


def measure(
    alpha: float, *, size: tuple[int, int], separation: float, draws: int, alpha_draws: int, resamples: int
) -> Iterator[dict]:
    """Yield one row for every interval: how often it holds the truth, how wide it is, where its middle lies."""
    n_pos, n_unl = size
    scores = fit_projection(alpha, separation=separation, n_pos=n_pos, n_unl=n_unl)
    prior = Proportions(n_pos, n_unl, "one-sample", alpha).prior
    seen: dict[str, list[tuple[float, float, float, float]]] = {}
    for draw in range(draws):
        rng = np.random.default_rng(draw)
        pos = scores.draw(np.ones(n_pos), rng=rng)
        unl = scores.draw(rng.random(n_unl) < alpha, rng=rng)
        held = HeldOut(pos, unl, n_pos, n_unl, "one-sample", "held out")
        for rule in RULES:
            decision = parse_rule(f"{rule},prior={prior!r}").choose(held)
            recall = scores.above(decision.threshold, y=1)
            precision = prior * recall / (prior * recall + (1 - prior) * scores.above(decision.threshold, y=0))
            seen.setdefault(f"recall of {rule}", []).append(
                (decision.recall_low, decision.recall_high, recall, decision.recall)
            )
            seen.setdefault(f"precision of {rule}", []).append(
                (decision.precision_low, decision.precision_high, precision, decision.precision)
            )
        for name, estimate in ESTIMATORS.items() if draw < alpha_draws else ():
            low, high = bootstrap_alpha(estimate, pos, unl, draws=resamples, rng=rng)
            seen.setdefault(f"alpha by {name}", []).append((low, high, alpha, estimate(pos, unl).alpha))
    for interval, found in seen.items():
        low, high, truth, value = np.array(found).T
        yield {
            "interval": interval,
            "n_pos": n_pos,
            "n_unl": n_unl,
            "alpha": alpha,
            "coverage": float(np.mean((low <= truth) & (truth <= high))),
            "width": float(np.mean(high - low)),
            "bias": float(np.mean(value - truth)),
        }


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--seeds", type=int)
    parser.add_argument("--alpha-seeds", type=int)
    parser.add_argument("--separation", type=float)
    arguments = parse(parser, full=FULL, quick=QUICK)
    rows = [
        row
        for size in arguments.sizes
        for alpha in arguments.alphas
        for row in measure(
            alpha,
            size=size,
            separation=arguments.separation,
            draws=arguments.seeds,
            alpha_draws=arguments.alpha_seeds,
            resamples=arguments.resamples,
        )
    ]
    if arguments.json:
        print(json.dumps(rows, indent=1))
    else:
        show(rows)


def show(rows: list[dict]) -> None:
    """Print coverage (mean of estimate minus truth) for every interval and size, one column for each alpha."""
    alphas = dict.fromkeys(row["alpha"] for row in rows)
    print_header("interval", "n_P / n_U", *(f"alpha {alpha}" for alpha in alphas), "within the limit")
    for n_pos, n_unl in dict.fromkeys((row["n_pos"], row["n_unl"]) for row in rows):
        for interval in dict.fromkeys(row["interval"] for row in rows):
            chosen = [row for row in rows if (row["interval"], row["n_pos"]) == (interval, n_pos)]
            held = all(LEAST <= row["coverage"] <= MOST for row in chosen)
            barred = interval.split(" of ")[-1] in BARRED
            bar = ("yes" if held else "NO") if barred else "-"
            entries = [f"{row['coverage']:.3f} ({row['bias']:+.3f})" for row in chosen]
            print_row(interval, f"{n_pos} / {n_unl}", *entries, bar)


if __name__ == "__main__":
    main()
