"""How often the check of the labelling assumption speaks up: without cause, and with.

    python benchmarks/scar_check.py [--draws 100] [--classifier logistic|boosting] [--quick] [--json]

Ten-dimensional Gaussians of unit variance, 500 labelled positives and 2000 unlabelled rows of which 600 are positive,
negatives around the origin and positives 2.83 away, along the first column. "Kinds" are halves of the positives that
lie 2 to either side along the second column. Then scikit-learn's digits: 300 of the 891 even ones are labelled, each
digit is a kind. Scores are out of fold; the truth only draws the labels.

A simple form of a published test runs beside the check: the labelled rows and the top alpha n_U unlabelled ones, with
BBE's alpha, count as all positives, and the largest difference of a column's means is compared with that of artificial
labels among them.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
from command_line import make_parser, parse, print_header, print_row
from sklearn.datasets import load_digits
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression

from angularpu.decide.scar import check_scar
from angularpu.decide.scar_tests import LEVEL
from angularpu.fit.out_of_fold import score_out_of_fold
from angularpu.priors.bbe import estimate_bbe
from angularpu.scenario.labelling import label_at_random, label_by_score, label_by_subclass
from angularpu.scenario.sample import make_sample

N_POS, N_UNL, D, ALPHA, APART = 500, 2000, 10, 0.3, 2.83
ARTIFICIAL = 100
COLUMNS = ("alone", "alpha_stated", "artificial_labels", "power_said", "power_said_with_alpha")
FIRST_SEED = 1000  # the check's tolerance was settled on draws from seed 0 on
CLASSIFIERS = {
    "logistic": lambda: LogisticRegression(max_iter=1000),
    "boosting": lambda: HistGradientBoostingClassifier(random_state=0),
}
DIGITS = {
    "digits, SCAR": {0: 1, 2: 1, 4: 1, 6: 1, 8: 1},
    "digits, 0 and 6 weigh 4 to 1": {0: 4, 2: 1, 4: 1, 6: 4, 8: 1},
    "digits, 8 weighs 1 to 4": {0: 4, 2: 4, 4: 4, 6: 4, 8: 1},
}

Draw = Callable[[np.random.Generator], tuple[np.ndarray, np.ndarray]]


@dataclass(frozen=True)
class Case:
    """One way of drawing rows and labels."""

    name: str
    apart: tuple[float, float] = (APART, APART)  # of either kind from the negatives
    kinds: bool = False
    steepness: float = 0.0  # of labelling by score
    factor: float = 1.0  # of labelling by kind
    stated: float = ALPHA


CASES = (
    Case("SCAR"),
    Case("SCAR, two kinds", kinds=True),
    Case("SAR by score, steepness 1", steepness=1.0),
    Case("SAR by score, steepness 3", steepness=3.0),
    Case("SAR by kind, 2 to 1", kinds=True, factor=2.0),
    Case("SAR by kind, 3 to 1", kinds=True, factor=3.0),
    Case("SAR by kind, 3 to 1, half as far apart", apart=(APART / 2, APART / 2), kinds=True, factor=3.0),
    Case("SCAR, half as far apart", apart=(APART / 2, APART / 2)),
    Case("SCAR, classes alike", apart=(0.0, 0.0)),
    Case("SCAR, one kind half as far apart", apart=(APART, APART / 2), kinds=True),
    Case("SCAR, alpha stated as .4", stated=0.4),
)


def draw_gaussians(rng: np.random.Generator, case: Case) -> tuple[np.ndarray, np.ndarray]:
    x = rng.standard_normal((N_POS + N_UNL, D))
    positives = np.arange(N_POS + round(ALPHA * N_UNL))
    kind = np.arange(len(x)) % 2
    x[positives, 0] += np.take(case.apart, kind[positives])
    if case.kinds:
        x[positives, 1] += 4 * kind[positives] - 2
    if case.steepness:
        labelled = label_by_score(positives, N_POS, features=x, steepness=case.steepness, rng=rng)
    elif case.factor != 1:
        labelled = label_by_subclass(positives, N_POS, subclass=kind, weights={0: case.factor, 1: 1.0}, rng=rng)
    else:
        labelled = label_at_random(positives, N_POS, rng=rng)
    return x / x.std(axis=0), np.isin(np.arange(len(x)), labelled)


def draw_digits(rng: np.random.Generator, weights: dict[int, float]) -> tuple[np.ndarray, np.ndarray]:
    x, digit = load_digits(return_X_y=True)
    labelled = label_by_subclass(np.flatnonzero(digit % 2 == 0), 300, subclass=digit, weights=weights, rng=rng)
    return x / 16, np.isin(np.arange(len(x)), labelled)


def list_draws() -> Iterator[tuple[str, Draw, float]]:
    for case in CASES:
        yield case.name, partial(draw_gaussians, case=case), case.stated
    for name, weights in DIGITS.items():
        yield name, partial(draw_digits, weights=weights), (891 - 300) / (1797 - 300)


def compare_artificially(score: np.ndarray, x: np.ndarray, s: np.ndarray, rng: np.random.Generator) -> float:
    """Take the top unlabelled rows for the unlabelled positives and compare with labels dealt among them at random."""
    top = round(estimate_bbe(score[s], score[~s]).alpha * np.count_nonzero(~s))
    taken = s | (score >= np.sort(score[~s])[-max(top, 2)])
    varied = x[taken].std(axis=0) > 0
    z, labels = x[taken][:, varied] / x[taken].std(axis=0)[varied], s[taken]

    def difference(labels: np.ndarray) -> float:
        return float(np.abs(z[labels].mean(axis=0) - z[~labels].mean(axis=0)).max())

    artificial = [difference(rng.permutation(labels)) for _ in range(ARTIFICIAL)]
    return (1 + np.count_nonzero(np.array(artificial) >= difference(labels))) / (ARTIFICIAL + 1)


def run(name: str, draw: Draw, stated: float, *, classifier: str, draws: int) -> dict:
    seen = []
    for seed in range(FIRST_SEED, FIRST_SEED + draws):
        rng = np.random.default_rng(seed)
        x, s = draw(rng)
        sample = make_sample(x, s, scenario="one-sample")
        scores = score_out_of_fold(sample, classifier=CLASSIFIERS[classifier](), seed=seed)
        score = np.empty(len(s))
        score[s], score[~s] = scores.score_pos, scores.score_unl
        alone, told = (
            check_scar(score[s], score[~s], x[s], x[~s], alpha=alpha, rng=np.random.default_rng([seed, 1]))
            for alpha in (None, stated)
        )
        artificial = compare_artificially(score, x, s, rng) < LEVEL
        seen.append([not alone.holds, not told.holds, artificial, alone.power, told.power])
    return {"case": name, **dict(zip(COLUMNS, np.mean(seen, axis=0).round(3).tolist(), strict=True))}


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--draws", type=int)
    parser.add_argument("--classifier", choices=CLASSIFIERS)
    arguments = parse(parser, full={"draws": 100, "classifier": "logistic"}, quick={"draws": 1})
    results = []
    if not arguments.json:
        print_header("case", *(column.replace("_", " ") for column in COLUMNS))
    for name, draw, stated in list_draws():
        results.append(run(name, draw, stated, classifier=arguments.classifier, draws=arguments.draws))
        if not arguments.json:
            print_row(*results[-1].values())
    if arguments.json:
        print(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
