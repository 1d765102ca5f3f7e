import pickle

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score

from angularpu.errors import SettingError
from angularpu.metrics.evaluation import evaluate
from angularpu.metrics.pu_evaluation import evaluate_pu
from angularpu.metrics.scorers import make_pu_scorer, pu_auc_scorer
from angularpu.scenario.proportions import Proportions
from angularpu.scenario.sample import Truth
from angularpu.scenario.split import PUStratifiedKFold


def draw_rows(seed=0, n=4000, prior=0.4, labelled=0.25):
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < prior).astype(np.int8)
    return rng.normal(1.2 * y[:, None], 1, (n, 3)), y, (y == 1) & (rng.random(n) < labelled)


class FirstColumn:
    """A classifier that is fitted already and scores by the first column less one half."""

    def decision_function(self, X):
        return X[:, 0] - 0.5


class FirstColumnChance:
    def predict_proba(self, X):
        return np.column_stack([1 - X[:, 0], X[:, 0]])


@pytest.mark.parametrize("target", ["population", "unlabelled"])
@pytest.mark.parametrize("scenario", ["one-sample", "two-sample"])
def test_a_scorer_gives_the_metric_of_the_rows_it_is_called_with(scenario, target):
    x, _, s = draw_rows()
    score = x[:, 0] - 0.5
    shares = Proportions.from_prior(0.4, n_pos=s.sum(), n_unl=(~s).sum(), scenario=scenario)
    expected = evaluate_pu(score[s], score[~s], threshold=0, shares=shares, target=target)
    for metric in ("accuracy", "ap", "auc", "f1", "precision", "proxy_accuracy", "recall"):
        scorer = make_pu_scorer(metric, prior=0.4, scenario=scenario, target=target)
        assert scorer(FirstColumn(), x, s) == expected[metric]


def test_a_classifier_without_decision_function_is_cut_at_one_half():
    x, _, s = draw_rows()
    x = 1 / (1 + np.exp(0.5 - x))
    scorer = make_pu_scorer("f1", prior=0.4, scenario="one-sample")
    assert scorer(FirstColumnChance(), x, s) == scorer(FirstColumn(), x, s)


@pytest.mark.parametrize("classifier", [LogisticRegression(), RandomForestClassifier(20, max_depth=4, random_state=0)])
def test_cross_validation_without_negatives_estimates_the_true_auc(classifier):
    x, _, s = draw_rows()
    scorer = make_pu_scorer("auc", prior=0.4, scenario="one-sample")
    found = cross_val_score(classifier, x, s, scoring=scorer, cv=PUStratifiedKFold(4))
    fresh, y_fresh, _ = draw_rows(seed=1)
    score = classifier.fit(x, s).predict_proba(fresh)[:, 1]
    true = evaluate(Truth(y_fresh), score, threshold=0.5)["auc"]
    assert len(found) == 4
    assert found.mean() == pytest.approx(true, abs=4 * 0.015)
    naive = cross_val_score(classifier, x, s, scoring=pu_auc_scorer, cv=PUStratifiedKFold(4))
    assert naive.mean() < true - 4 * 0.015


def test_a_grid_search_takes_scorer_and_folds():
    x, _, s = draw_rows(n=600)
    labels = np.where(s, "ill", "?")
    scorer = make_pu_scorer("proxy_accuracy", prior=0.4, scenario="one-sample")
    weights = {"class_weight": [None, {"?": 1, "ill": 4}]}
    search = GridSearchCV(LogisticRegression(), weights, scoring=scorer, cv=PUStratifiedKFold(3)).fit(x, labels)
    # Unweighted, a row must be more likely labelled than not; hardly any is, and all positives are missed.
    assert search.best_params_ == {"class_weight": {"?": 1, "ill": 4}}


def test_a_scorer_travels_to_worker_processes():
    scorer = make_pu_scorer("f1", prior=0.4, scenario="two-sample")
    assert pickle.loads(pickle.dumps(scorer)) == scorer


def test_settings_that_make_no_scorer_are_refused():
    with pytest.raises(SettingError, match="metric"):
        make_pu_scorer("mcc", prior=0.4, scenario="one-sample")
    with pytest.raises(SettingError, match="prior"):
        make_pu_scorer("f1", prior=1.0, scenario="one-sample")
    with pytest.raises(SettingError, match="scenario"):
        make_pu_scorer("f1", prior=0.4, scenario="one")
    with pytest.raises(SettingError, match="target"):
        make_pu_scorer("f1", prior=0.4, scenario="one-sample", target="test")


def test_a_prior_below_the_labelled_share_is_refused_in_one_sample():
    x, _, s = draw_rows()
    with pytest.raises(SettingError, match="labelled positive already"):
        make_pu_scorer("auc", prior=0.05, scenario="one-sample")(FirstColumn(), x, s)


@pytest.mark.parametrize("values", [(0, 1), (-1, 1), ("?", "ill")])
def test_pu_folds_hold_every_row_out_once_for_any_two_labels(values):
    _, _, s = draw_rows(n=500)
    labels = np.where(s, values[1], values[0])
    splitter = PUStratifiedKFold(4)
    splits = list(splitter.split(np.zeros((500, 1)), labels))
    counts = [int(s[held].sum()) for _, held in splits]
    assert len(splits) == splitter.get_n_splits() == 4
    assert max(counts) - min(counts) <= 1
    np.testing.assert_array_equal(np.sort(np.concatenate([held for _, held in splits])), np.arange(500))
    again = list(splitter.split(np.zeros((500, 1)), s))
    assert all(np.array_equal(one.held, other.held) for one, other in zip(splits, again, strict=True))
    assert not np.array_equal(splits[0].held, next(PUStratifiedKFold(4, 1).split(None, s)).held)


def test_pu_folds_refuse_what_scikit_learn_only_warns_of():
    s = np.arange(20) < 3
    with pytest.warns(UserWarning, match="least populated"):
        splits = list(StratifiedKFold(5).split(np.zeros((20, 1)), s))
    assert min(s[held].sum() for _, held in splits) == 0
    with pytest.raises(SettingError, match="3 labelled positives"):
        next(PUStratifiedKFold(5).split(np.zeros((20, 1)), s))
