"""From a sample to a trained algorithm: selection, folds, resuming."""

import numpy as np
import pytest
import torch

from angularpu.data.assembly import subset
from angularpu.errors import ModelError, SettingError
from angularpu.fit.workflow import fit_method
from angularpu.methods.configure import configure
from angularpu.methods.neural import NeuralMethod
from angularpu.scenario.sample import PUSample, make_sample
from angularpu.train.fitting import SAME_ROWS
from angularpu.train.settings import Settings, choose_device


def method(**settings) -> NeuralMethod:
    return NeuralMethod("angular", settings=Settings(**{"epochs": 4, "learning_rate": 1e-3, "refit": True, **settings}))


class KilledError(Exception):
    """Stands for the moment a process dies."""


def die_after(reports: int):
    left = [reports]

    def report(done: int, total: int, text: str) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise KilledError

    return report


def same(a, b) -> bool:
    tensors = zip(a.scorer.arrays().values(), b.scorer.arrays().values(), strict=True)
    return all((x == y).all() for x, y in tensors) and a.history == b.history and a.decision == b.decision


def test_with_many_positives_a_tenth_is_held_out_and_the_best_epoch_is_kept(many):
    fitted = fit_method(method(), many, seed=0)
    aucs = [entry["pu_auc"] for entry in fitted.history]
    assert fitted.best_epoch == 1 + max(k for k, auc in enumerate(aucs) if auc == max(aucs))
    assert fitted.held.source == "held out"
    assert (len(fitted.held.score_pos), len(fitted.held.score_unl)) == (100, 150)
    assert SAME_ROWS in fitted.notes


def test_with_few_positives_every_row_is_scored_by_a_model_that_did_not_see_it(few):
    fitted = fit_method(method(), few, seed=0)
    assert fitted.held.source == "cross-fitted"
    assert (len(fitted.held.score_pos), len(fitted.held.score_unl)) == (40, 120)
    stages = {entry["stage"] for entry in fitted.history}
    assert stages == {*(f"fold {k} of 5" for k in range(1, 6)), "all rows"}


def test_cross_fitted_scores_stand_in_the_order_of_the_rows(few):
    fitted = fit_method(method(epochs=20), few, seed=0)
    own = fitted.score(few.rows)
    assert np.corrcoef(own[few.unl], fitted.held.score_unl)[0, 1] > 0.9
    assert np.corrcoef(own[few.unl], np.roll(fitted.held.score_unl, 1))[0, 1] < 0.5


def test_the_folds_agree_on_the_epoch_with_the_best_mean_auc(few):
    fitted = fit_method(method(), few, seed=0)
    by_epoch = [
        np.mean([entry["pu_auc"] for entry in fitted.history if "pu_auc" in entry and entry["epoch"] == k])
        for k in range(1, 5)
    ]
    assert fitted.best_epoch == 1 + max(k for k, auc in enumerate(by_epoch) if auc == max(by_epoch))
    assert sum(entry["stage"] == "all rows" for entry in fitted.history) == fitted.best_epoch


def test_the_last_epoch_is_kept_with_a_tenth_held_out_for_the_threshold(many):
    fitted = fit_method(method(selection="last", patience=1, learning_rate=0.05), many, seed=0)
    aucs = [entry["pu_auc"] for entry in fitted.history]
    assert fitted.best_epoch == len(aucs) == 4
    assert max(aucs) > aucs[-1], "this trial should be one in which another epoch would have been chosen"
    assert fitted.held.source == "held out"
    assert (len(fitted.held.score_pos), len(fitted.held.score_unl)) == (100, 150)
    assert SAME_ROWS not in fitted.notes
    for numbers, scores in zip(fitted.held_rows, (fitted.held.score_pos, fitted.held.score_unl), strict=True):
        assert fitted.score(subset(many.rows, numbers)).tobytes() == scores.tobytes()


def test_the_last_epoch_is_held_out_by_the_rows_that_any_other_rule_holds_out(many):
    chosen, last = (fit_method(method(selection=rule), many, seed=3).held_rows for rule in ("pu-auc", "last"))
    assert all((one == other).all() for one, other in zip(chosen, last, strict=True))


def test_the_last_epoch_is_cross_fitted_where_folds_are_used(few):
    fitted = fit_method(method(selection="last"), few, seed=0)
    assert fitted.held.source == "cross-fitted"
    assert (len(fitted.held.score_pos), len(fitted.held.score_unl)) == (40, 120)
    assert fitted.best_epoch == 4
    assert len(fitted.history) == 6 * 4
    assert SAME_ROWS not in fitted.notes


def test_the_last_epoch_is_kept_on_all_rows_where_too_few_positives_could_be_held_out(few):
    fitted = fit_method(method(selection="last", validation="hold-out"), few, seed=0)
    assert fitted.held.source == "training"
    assert [entry["stage"] for entry in fitted.history] == ["all rows"] * 4
    assert "no validation: 40 labelled positives are too few to hold 30 of them out" in fitted.notes[0]
    assert fitted.held_rows == (pytest.approx(few.pos), pytest.approx(few.unl))


@pytest.mark.parametrize("preset", ["paper", "COS-WGH-M0.5", "L2-WGH-Rlearn"])
def test_the_papers_presets_hold_a_tenth_out_and_keep_the_last_epoch(many, preset):
    fitted = fit_method(configure(preset, options={"learning_rate": 0.05}), many, seed=0)
    assert fitted.best_epoch == len(fitted.history) == 15
    assert fitted.held.source == "held out"
    assert (len(fitted.held.score_pos), len(fitted.held.score_unl)) == (100, 150)


def test_patience_ends_training_when_the_auc_no_longer_rises(many):
    fitted = fit_method(method(epochs=30, patience=1, learning_rate=0.05), many, seed=0)
    assert fitted.best_epoch + 1 == len(fitted.history) < 30


@pytest.mark.parametrize(("n_pos", "n_unl"), [(1, 1), (1, 5), (2, 2), (5, 1), (3, 200)])
def test_tiny_samples_train_without_a_nan(few, n_pos, n_unl):
    index = np.concatenate([few.pos[:n_pos], few.unl[:n_unl]])
    fitted = fit_method(method(), few.take(index), seed=0)
    assert np.isfinite(fitted.score(few.rows)).all()


@pytest.mark.parametrize("size", ["few", "many"])
@pytest.mark.parametrize("reports", [0, 1, 3, 6, 9])
def test_a_run_that_died_is_resumed_and_ends_as_if_it_had_not(request, tmp_path, size, reports):
    sample: PUSample = request.getfixturevalue(size)
    whole = fit_method(method(epochs=3), sample, seed=0)
    part = tmp_path / "part"
    try:
        fit_method(method(epochs=3), sample, seed=0, checkpoint_dir=part, report=die_after(reports))
    except KilledError:
        torch.manual_seed(99)  # a new process would not have the old generator either
    resumed = fit_method(method(epochs=3), sample, seed=0, checkpoint_dir=part)
    assert same(resumed, whole)


def test_resuming_does_not_train_again_what_was_trained(many, tmp_path):
    with pytest.raises(KilledError):
        fit_method(method(), many, seed=0, checkpoint_dir=tmp_path / "part", report=die_after(2))
    epochs = []
    fit_method(method(), many, seed=0, checkpoint_dir=tmp_path / "part", report=lambda done, *_: epochs.append(done))
    assert epochs == [4]


def test_a_checkpoint_of_other_settings_is_refused(many, tmp_path):
    with pytest.raises(KilledError):
        fit_method(method(), many, seed=0, checkpoint_dir=tmp_path / "part", report=die_after(0))
    with pytest.raises(ModelError, match="other data or settings"):
        fit_method(method(), many, seed=1, checkpoint_dir=tmp_path / "part")


def test_a_damaged_checkpoint_is_refused(many, tmp_path):
    with pytest.raises(KilledError):
        fit_method(method(), many, seed=0, checkpoint_dir=tmp_path / "part", report=die_after(0))
    path = tmp_path / "part" / "training.safetensors"
    path.write_bytes(path.read_bytes()[:-10])
    with pytest.raises(ModelError, match="not a checkpoint"):
        fit_method(method(), many, seed=0, checkpoint_dir=tmp_path / "part")


def test_training_that_diverges_says_so():
    x = np.random.default_rng(0).normal(size=(60, 3))
    sample = make_sample(x, np.arange(60) < 20, scenario="one-sample")
    settings = Settings(epochs=30, learning_rate=1e30, selection="last", validation="hold-out")
    diverging = NeuralMethod("euclidean", settings=settings)
    with pytest.raises(SettingError, match=r"training diverged in epoch .* smaller learning_rate"):
        fit_method(diverging, sample, seed=0)


def test_an_unknown_device_is_a_clear_error():
    with pytest.raises(SettingError, match="cannot be used here"):
        choose_device("cuda:77")


def test_auto_takes_a_device_that_exists():
    assert choose_device("auto").type in {"cpu", "cuda", "mps"}


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("epochs", 0),
        ("epochs", 2.5),
        ("epochs", "5"),
        ("batch_size", 1),
        ("batch_size", 32.5),
        ("learning_rate", 0.0),
        ("learning_rate", "fast"),
        ("weight_decay", -1.0),
        ("patience", 0),
        ("patience", 1.5),
        ("selection", "best"),
    ],
)
def test_settings_that_make_no_sense_are_refused(setting, value):
    with pytest.raises(SettingError, match=setting):
        Settings(**{setting: value})
