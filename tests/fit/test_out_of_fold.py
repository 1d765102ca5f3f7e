"""The default classifier for vectors, on rows whose mixture is known."""

import numpy as np
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier

from angularpu.fit.out_of_fold import OutOfFold, score_out_of_fold
from angularpu.priors.bbe import estimate_bbe
from angularpu.scenario.sample import PUSample, make_sample

N_POS, N_UNL, HIDDEN = 500, 2500, 600


def draw(seed: int) -> PUSample:
    x = np.random.default_rng(seed).standard_normal((N_POS + N_UNL, 10))
    x[: N_POS + HIDDEN, 0] += 2.83
    return make_sample(x, np.arange(len(x)) < N_POS, scenario="two-sample")


def log_loss(made: OutOfFold) -> float:
    """Tell how badly labelled and unlabelled rows are told apart: no true class is needed."""
    return float(np.mean(np.logaddexp(0, np.append(-made.score_pos, made.score_unl))))


@pytest.mark.parametrize("seed", [0, 1])
def test_small_trees_tell_labels_better_than_large_ones_and_alpha_too(seed):
    sample = draw(seed)
    ours = score_out_of_fold(sample, seed=seed)
    deep = score_out_of_fold(sample, classifier=HistGradientBoostingClassifier(random_state=seed), seed=seed)
    assert log_loss(ours) < log_loss(deep)
    estimates = [estimate_bbe(made.score_pos, made.score_unl).alpha for made in (ours, deep)]
    assert HIDDEN / N_UNL - 0.03 < estimates[0] < estimates[1]
