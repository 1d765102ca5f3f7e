"""Cross-fitted scores of several scorers, with the truth beside them, for the trial of better bounds."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from audit_heaps import thin_rows
from scipy.stats import rankdata
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import ComplementNB
from trial_data import Population

from angularpu.fit.out_of_fold import score_out_of_fold
from angularpu.methods.neural import NeuralMethod
from angularpu.scenario.sample import PUSample
from angularpu.train.settings import Settings

DEFAULT, TEDN, ENSEMBLE = "default", "tedn", "ensemble"
RHO = 0.5  # of the scorers of synthetic rows: what two of them have in common beside the class


@dataclass(frozen=True)
class Scored:
    """Scores of the same rows by several scorers: one line for each of them, the share of positives in U beside.

    ``tedn`` stands apart: its scores serve BBE alone, as in the product.
    """

    name: str
    alpha: float
    pos: dict[str, np.ndarray]
    unl: dict[str, np.ndarray]

    @property
    def members(self) -> list[str]:
        """Scorers that may be compared: all but TED^n and the mean."""
        return [name for name in self.pos if name not in (TEDN, ENSEMBLE)]

    def add_mean(self) -> "Scored":
        """Add the mean of the members' scores, each replaced by its rank among P and U, as log-odds."""
        n_pos = len(self.pos[DEFAULT])
        ranks = [rankdata(np.concatenate([self.pos[name], self.unl[name]])) for name in self.members]
        share = (np.array(ranks) - 0.5) / len(ranks[0])
        mean = np.log(share / (1 - share)).mean(axis=0)
        return Scored(
            self.name,
            self.alpha,
            {**self.pos, ENSEMBLE: mean[:n_pos]},
            {**self.unl, ENSEMBLE: mean[n_pos:]},
        )


def draw_gaussians(aparts: tuple, alphas: tuple, *, size: tuple[int, int], draws: int) -> Iterator[Scored]:
    """Yield three scorers of Gaussian classes, which separate them by 1, .9 and .8 of ``apart``."""
    n_pos, n_unl = size
    for i, apart in enumerate(aparts):
        for j, alpha in enumerate(alphas):
            rng = np.random.default_rng([i, j])
            for _ in range(draws):
                y = rng.random(n_unl) < alpha
                scores = {}
                shared = rng.standard_normal(n_pos + n_unl)
                for name, part in ((DEFAULT, 1.0), ("second", 0.9), ("third", 0.8)):
                    noise = np.sqrt(RHO) * shared + np.sqrt(1 - RHO) * rng.standard_normal(n_pos + n_unl)
                    scores[name] = noise + part * apart * np.append(np.ones(n_pos), y)
                pos = {name: score[:n_pos] for name, score in scores.items()}
                unl = {name: score[n_pos:] for name, score in scores.items()}
                yield Scored(f"apart {apart:g}", alpha, pos, unl).add_mean()


def score_population(
    name: str, population: Population, *, rows: int, labelled: int, epochs: int | None, seed: int
) -> tuple:
    """Label positives at random, and return the cross-fitted scores of every scorer and the truth of U."""
    rng = np.random.default_rng(seed)
    kept = np.sort(rng.permutation(len(population.y))[:rows])
    x = population.x.take(kept) if hasattr(population.x, "column_names") else population.x[kept]
    y = population.y[kept]
    sample, _ = Population(x, y).sample(min(labelled, int(y.sum()) // 2), rng=rng)
    return name, _score(sample, epochs=epochs, seed=seed), y[sample.unl]


def _score(sample: PUSample, *, epochs: int | None, seed: int) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    classifiers = {DEFAULT: None, "logistic": LogisticRegression(max_iter=300)}
    if sample.rows.kind == "sparse":
        classifiers = {DEFAULT: None, "naive Bayes": ComplementNB()}  # the default is logistic regression
    else:
        classifiers["extra trees"] = ExtraTreesClassifier(200, min_samples_leaf=3, random_state=0)
    made = {name: score_out_of_fold(sample, classifier=one, seed=seed) for name, one in classifiers.items()}
    scores = {name: (one.score_pos, one.score_unl) for name, one in made.items()}
    # Networks of twenty thousand words take too long for a trial.
    for name in ("angular", TEDN) if sample.rows.kind != "sparse" else ():
        method = NeuralMethod(name, settings=Settings(validation="folds", epochs=epochs))
        held = method.train(sample, method.prepare(sample.rows), seed=seed).held
        scores[name] = held.score_pos, held.score_unl
    return scores


def thin(name: str, scores: dict, y: np.ndarray, *, alphas: tuple) -> Iterator[Scored]:
    """Thin U to every share of positives; the scorers stay those of the whole heap."""
    for alpha in alphas:
        kept = thin_rows(y, alpha, rng=np.random.default_rng(0))
        pos = {scorer: np.asarray(each[0], float) for scorer, each in scores.items()}
        unl = {scorer: np.asarray(each[1], float)[kept] for scorer, each in scores.items()}
        yield Scored(name, float(y[kept].mean()), pos, unl).add_mean()
