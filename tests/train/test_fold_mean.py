"""The mean of the folds' models: its scale, its spread, its storage, and what a fit makes of it."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from sklearn.metrics import roc_auc_score

from angularpu import AngularPUClassifier, NNPUClassifier, load
from angularpu.errors import SettingError
from angularpu.estimators.parameters import describe_parameters
from angularpu.fit.workflow import fit_method
from angularpu.methods.configure import configure
from angularpu.methods.neural import NeuralMethod
from angularpu.methods.presets import PRESETS
from angularpu.train import cross_fitting, stages
from angularpu.train.fold_mean import FoldMean, Scale, fit_scale
from angularpu.train.scoring import NeuralScorer
from angularpu.train.settings import Settings
from angularpu.train.spread import fit_spread


def method(name="angular", **settings) -> NeuralMethod:
    return NeuralMethod(name, settings=Settings(**{"epochs": 4, "learning_rate": 1e-3, "refit": False, **settings}))


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(0)
    y = np.repeat([1, 0], 200)
    return rng.normal(size=(400, 5)) + 1.5 * y[:, None], y * (rng.random(400) < 0.5)


class Fixed:
    """A model whose score is its first column times a number."""

    def __init__(self, factor: float) -> None:
        self.factor = factor

    def score(self, x):
        return (self.factor * x[:, 0]).astype(np.float32)


def test_the_score_is_the_mean_of_all_models_on_the_common_scale():
    mean = FoldMean((Fixed(1.0), Fixed(10.0)), (Scale(2.0, 0.5), Scale(0.2, -0.5)))
    x = np.array([[0.0], [0.3], [-1.0]], np.float32)
    by_hand = [(8 * np.tanh((2 * v + 0.5) / 8) + 8 * np.tanh((2 * v - 0.5) / 8)) / 2 for v in (0.0, 0.3, -1.0)]
    assert mean.score(x) == pytest.approx(by_hand, rel=1e-6)


def test_no_single_model_counts_for_more_than_eight_log_odds():
    assert np.abs(Scale(1e6, 0.0).apply(np.array([-1.0, 1.0]))) == pytest.approx([8, 8])


def test_the_scale_does_not_depend_on_the_units_of_the_score():
    rng = np.random.default_rng(0)
    pos, unl = (rng.normal(m, 1, n).astype(np.float32) for m, n in ((1, 60), (0, 300)))
    plain, stretched = fit_scale(pos, unl), fit_scale(100 * pos + 7, 100 * unl + 7)
    assert stretched.apply(100 * pos + 7) == pytest.approx(plain.apply(pos), abs=1e-3)


def test_the_scale_is_centred_where_labelled_and_unlabelled_rows_are_equally_likely():
    rng = np.random.default_rng(0)
    scale = fit_scale(*(rng.normal(m, 1, 20_000).astype(np.float32) for m in (1, -1)))
    assert scale.apply(np.array([0.0])) == pytest.approx([0], abs=0.05)
    assert scale.slope == pytest.approx(2, rel=0.05)


@pytest.mark.parametrize("pos", [np.array([-2, -1], np.float32), np.array([0, 0], np.float32)])
def test_a_model_that_ranks_no_better_than_chance_has_next_to_no_vote(pos):
    scale = fit_scale(pos, np.zeros(5, np.float32) if pos[0] == 0 else np.array([0, 1, 2], np.float32))
    assert 0 < scale.slope < 1e-5


def test_the_spread_of_a_mean_is_narrower_by_the_noise_that_averaging_takes_out():
    rng = np.random.default_rng(0)
    signal, noise = rng.normal(size=5000), rng.normal(size=(5, 5000))
    score = signal + noise
    learnt = np.ones((5, 5000), bool)
    learnt[np.arange(5000) % 5, np.arange(5000)] = False
    fresh = (rng.normal(size=5000) * np.sqrt(2)).astype(np.float32)
    moved = fit_spread(score, learnt_from=learnt).apply(fresh)
    assert moved.std() / fresh.std() == pytest.approx(np.sqrt((1 + 1 / 4) / 2), rel=0.03)
    assert (np.diff(moved[np.argsort(fresh)]) >= 0).all()


def test_rows_are_scored_by_the_models_of_all_folds_and_none_is_trained_on_all_rows(few):
    fitted = fit_method(method(), few, seed=0)
    assert isinstance(fitted.scorer, FoldMean)
    assert {entry["stage"] for entry in fitted.history} == {f"fold {k} of 5" for k in range(1, 6)}
    assert fitted.held.source == "cross-fitted"
    assert (len(fitted.held.score_pos), len(fitted.held.score_unl)) == (40, 120)
    assert fitted.held.margin is None


def test_each_fold_keeps_the_epoch_that_is_best_on_its_own_rows(few):
    fitted = fit_method(method(epochs=6, patience=6, learning_rate=0.03), few, seed=0)
    best = []
    for fold in range(1, 6):
        aucs = [entry["pu_auc"] for entry in fitted.history if entry["stage"] == f"fold {fold} of 5"]
        best.append(1 + max(k for k, auc in enumerate(aucs) if auc == max(aucs)))
    assert fitted.best_epoch == round(np.median(best))
    assert len(set(best)) > 1, "this trial should be one in which folds disagree"


@pytest.mark.parametrize("kind", [AngularPUClassifier, NNPUClassifier])
def test_a_saved_mean_scores_alike_when_it_is_read(rows, tmp_path, kind):
    model = kind(refit=False, epochs=10, prior=0.5, validation="folds").fit(*rows)
    model.save(tmp_path / "model")
    again = load(tmp_path / "model")
    assert again.get_params()["refit"] == "preset"  # the default
    assert again.score_samples(rows[0]).tobytes() == model.score_samples(rows[0]).tobytes()
    assert again.transform(rows[0]).tobytes() == model.transform(rows[0]).tobytes()


def test_trainings_side_by_side_end_in_the_same_bytes_as_one_after_the_other(few, monkeypatch):
    alone = fit_method(method(), few, seed=0)
    monkeypatch.setattr(stages, "WORTH_A_PROCESS", 0.0)
    monkeypatch.setattr(torch, "get_num_threads", lambda: 2)
    told = []
    beside = fit_method(method(), few, seed=0, report=lambda *words: told.append(words))
    assert [text for *_, text in told] == [f"fold {k} of 5 done" for k in range(1, 6)]
    assert beside.score(few.rows).tobytes() == alone.score(few.rows).tobytes()
    assert beside.history == alone.history


@pytest.mark.parametrize("rule", ["margin", "bayes-vmf,d=128,scale=3"])
def test_a_mean_has_no_cosines_to_cut_by_and_one_network_has(rows, rule):
    with pytest.raises(SettingError, match=r"which this model does not have; fit the method angular with refit=True"):
        AngularPUClassifier(threshold=rule).fit(*rows)
    for single in ({"refit": True}, {"validation": "hold-out"}):
        model = AngularPUClassifier(threshold=rule, epochs=3, **single).fit(*rows)
        assert model.decision_.rule.startswith(rule)


def test_a_mean_that_was_fitted_refuses_a_rule_about_cosines_too(rows):
    model = AngularPUClassifier(epochs=2).fit(*rows)
    with pytest.raises(SettingError, match="bayes-vmf is for the cosines of a single AngularPU network"):
        model.decide("bayes-vmf,d=128,scale=3")


def test_networks_are_scored_by_their_mean_unless_one_is_asked_for(rows):
    model = AngularPUClassifier(epochs=2)
    assert isinstance(model.fit(*rows).fitted_.scorer, FoldMean)
    assert isinstance(model.set_params(refit=True).fit(*rows).fitted_.scorer, NeuralScorer)
    assert isinstance(NNPUClassifier(epochs=2, prior=0.5).fit(*rows).fitted_.scorer, FoldMean)


@pytest.mark.parametrize("name", [name for name, preset in PRESETS.items() if "published" in preset.summary.lower()])
def test_a_published_schedule_gives_one_network(name):
    assert configure(name, options={}).settings.refit


def test_a_model_from_before_fold_means_is_fitted_again_as_one_network(rows):
    fitted = AngularPUClassifier(epochs=2, refit=True).fit(*rows).fitted_
    settings = {name: value for name, value in fitted.settings.items() if name != "refit"}
    parameters, _ = describe_parameters(replace(fitted, settings=settings), {"refit"})
    assert parameters == {"refit": True}


def test_the_mean_ranks_well_on_two_gaussians(rows):
    x, s = rows
    y = np.repeat([1, 0], 200)
    model = AngularPUClassifier(refit=False, validation="folds", epochs=20).fit(x, s)
    assert roc_auc_score(y, model.score_samples(x)) > 0.9


def test_where_unlabelled_rows_are_many_every_model_learns_from_a_draw_of_its_own(few, monkeypatch):
    monkeypatch.setattr(cross_fitting, "MOST_UNLABELLED", 40)
    monkeypatch.setattr(cross_fitting, "PER_POSITIVE", 1)
    seen = []
    run_all = stages.Trainer.run_all

    def look(trainer, planned):
        seen.extend((stage.task, stage.schedule) for stage in planned)
        return run_all(trainer, planned)

    monkeypatch.setattr(stages.Trainer, "run_all", look)
    fit_method(method(), few, seed=0)
    assert [len(task.unl) for task, _ in seen] == [40] * 5
    assert len({tuple(task.unl.tolist()) for task, _ in seen}) == 5
    assert all(not set(task.unl.tolist()) & set(task.held_unl.tolist()) for task, _ in seen)
    assert sum(len(task.held_unl) for task, _ in seen) == 120
