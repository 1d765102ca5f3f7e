"""The ensemble: its members, its weights, its folds, its storage, and what happens when it is killed."""

import json

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.metrics import roc_auc_score

from angularpu import AngularPUClassifier, PUEnsembleClassifier, load
from angularpu.cli.main import main
from angularpu.errors import DataError, ModelError, SettingError
from angularpu.fit.workflow import fit_method
from angularpu.methods.configure import configure
from angularpu.methods.ensemble import FOR_TABLES, FOR_TEXT, FOR_WIDE
from angularpu.methods.member_weights import weigh
from angularpu.model.resumable import fit_into
from angularpu.scenario.sample import make_sample

QUICK = ["angular", "logistic_regression"]


def draw(n=240, columns=4, seed=0):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    s = ((np.arange(n) % 6) == 1).astype(int)
    return rng.normal(size=(n, columns)) + 1.5 * y[:, None], s, y


def sample_of(x, s):
    return make_sample(x, s, scenario="one-sample")


def fit(members=QUICK, seed=0, sample=None, **options):
    method = configure(method="ensemble", options={"members": members, "epochs": 3, **options})
    return fit_method(method, sample or sample_of(*draw()[:2]), seed=seed)


def names(fitted):
    return [member.description["name"] for member in fitted.scorer.members]


def test_the_score_is_the_weighted_sum_of_the_members_fold_means():
    fitted = fit()
    x = fitted.preparation.apply(draw(seed=1)[0])
    by_hand = sum(m.description["weight"] * m.mean.score(x).astype(float) for m in fitted.scorer.members)
    assert fitted.scorer.score(x) == pytest.approx(by_hand, rel=1e-6)
    assert sum(m.description["weight"] for m in fitted.scorer.members) == pytest.approx(1)
    assert [len(m.mean.models) for m in fitted.scorer.members] == [5, 5]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (np.random.default_rng(0).normal(size=(40, 3)), FOR_TABLES),
        (np.random.default_rng(0).normal(size=(40, 101)), FOR_WIDE),
        (sp.random_array((40, 30), density=0.3, format="csr", rng=np.random.default_rng(0)), FOR_TEXT),
        (-sp.random_array((40, 30), density=0.3, format="csr", rng=np.random.default_rng(0)), FOR_TEXT[:3]),
    ],
    ids=["table", "wide", "text", "sparse with negative numbers"],
)
def test_the_members_suit_the_rows(rows, expected):
    sample = sample_of(rows, np.arange(40) % 4 == 0)
    assert names(fit("auto", epochs=1, sample=sample)) == list(expected)


def test_all_members_are_trained_on_the_same_folds():
    method = configure(method="ensemble", options={"members": QUICK, "epochs": 1})
    sample, seen = sample_of(*draw()[:2]), []

    class Spy:
        def __init__(self, member):
            self.member = member

        def __getattr__(self, name):
            return getattr(self.member, name)

        def cross_fit(self, *args, folds, **others):
            seen.append([split.held.tolist() for split in folds.splits])
            return self.member.cross_fit(*args, folds=folds, **others)

    object.__setattr__(method, "candidates", {name: Spy(each) for name, each in method.candidates.items()})
    fit_method(method, sample, seed=0)
    assert seen[0] == seen[1]
    assert sorted(row for held in seen[0] for row in held) == list(range(240))


def test_a_member_that_ranks_at_random_loses_its_weight_and_a_good_one_gains():
    rng = np.random.default_rng(0)
    s = np.arange(4000) < 800
    y = np.arange(4000) < 1600
    sample = sample_of(np.zeros((4000, 1)), s)
    scores = [2 * y + rng.normal(size=4000), rng.normal(size=4000), 2 * y + rng.normal(size=4000)]
    weights = weigh([(each[sample.pos], each[sample.unl]) for each in scores], sample)
    assert weights.weight[1] < 0.15
    assert weights.weight[[0, 2]] == pytest.approx([weights.weight[0]] * 2, rel=0.2)
    assert weights.weight.sum() == pytest.approx(1)


def test_the_denoised_auc_is_nearer_to_the_true_one_than_pu_auc():
    rng = np.random.default_rng(0)
    s, y = np.arange(4000) < 500, np.arange(4000) < 1600
    sample = sample_of(np.zeros((4000, 1)), s)
    scores = [2 * y + rng.normal(size=4000) for _ in range(2)]
    weights = weigh([(each[sample.pos], each[sample.unl]) for each in scores], sample)
    true = roc_auc_score(y, scores[0])
    assert abs(weights.auc[0] - true) < 0.03 < true - weights.pu_auc[0]


def test_with_few_positives_the_weights_are_nearly_equal_and_with_nine_exactly():
    rng = np.random.default_rng(0)
    for n_pos, most in ((9, 0.5), (20, 0.62)):
        y = np.arange(400) < 100
        sample = sample_of(np.zeros((400, 1)), np.arange(400) < n_pos)
        scores = [3 * y + rng.normal(size=400), rng.normal(size=400)]
        weights = weigh([(each[sample.pos], each[sample.unl]) for each in scores], sample)
        assert 0.5 <= weights.weight[0] <= most


def test_one_member_alone_is_a_fold_mean():
    x, s, _ = draw()
    alone = PUEnsembleClassifier(members=["angular"], epochs=4, learning_rate=1e-3).fit(x, s)
    mean = AngularPUClassifier(refit=False, validation="folds", epochs=4, learning_rate=1e-3).fit(x, s)
    assert alone.score_samples(x) == pytest.approx(mean.score_samples(x), rel=1e-6)
    assert alone.threshold_ == pytest.approx(mean.threshold_, rel=1e-5)


def test_it_ranks_better_than_its_worst_member_and_hardly_worse_than_its_best():
    x, s, _ = draw(600)
    fitted = fit(["angular", "extra_trees", "logistic_regression"], sample=sample_of(x, s), epochs=10)
    new, _, y = draw(600, seed=1)
    prepared = fitted.preparation.apply(new)
    each = [roc_auc_score(y, member.mean.score(prepared)) for member in fitted.scorer.members]
    assert roc_auc_score(y, fitted.scorer.score(prepared)) > max(min(each), max(each) - 0.005)


@pytest.mark.parametrize("members", [QUICK, "auto"])
def test_a_saved_ensemble_scores_embeds_and_decides_alike_when_it_is_read(tmp_path, members):
    x, s, _ = draw()
    model = PUEnsembleClassifier(members=members, epochs=2).fit(x, s)
    model.save(tmp_path / "model")
    again = load(tmp_path / "model")
    assert isinstance(again, PUEnsembleClassifier)
    assert again.get_params()["members"] == ("preset" if members == "auto" else members)
    assert again.get_params()["epochs"] == 2
    assert again.score_samples(x).tobytes() == model.score_samples(x).tobytes()
    assert again.transform(x).tobytes() == model.transform(x).tobytes()
    assert again.decide("recall=0.9").threshold_ == model.decide("recall=0.9").threshold_


class KilledError(Exception):
    """Stands for the moment a process dies."""


@pytest.mark.parametrize("reports", [1, 4, 6, 8])
def test_a_killed_fit_resumes_at_its_fold_and_ends_with_the_same_bytes(tmp_path, monkeypatch, reports):
    method = configure(method="ensemble", options={"members": ["logistic_regression", "angular"], "epochs": 1})
    sample = sample_of(*draw()[:2])
    fit_into(method, sample, directory=tmp_path / "whole", seed=0)
    left = [reports]

    def report(*_):
        left[0] -= 1
        if left[0] < 0:
            raise KilledError

    with pytest.raises(KilledError):
        fit_into(method, sample, directory=tmp_path / "killed", seed=0, report=report)
    from angularpu.classical.logistic_regression import LogisticRegression

    fits = []
    learn = LogisticRegression._learn
    monkeypatch.setattr(LogisticRegression, "_learn", lambda *args: fits.append(1) or learn(*args))
    fit_into(method, sample, directory=tmp_path / "killed", seed=0)
    assert len(fits) <= max(0, 5 - reports)
    for file in ("model.json", "model.safetensors"):
        assert (tmp_path / "killed" / file).read_bytes() == (tmp_path / "whole" / file).read_bytes()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"members": ["angular", "angular"]}, "members must differ"),
        ({"members": []}, "members must be names of methods"),
        ({"members": ["angula"]}, "method 'angula' is unknown; did you mean 'angular'"),
        ({"members": ["ensemble"]}, "ensemble cannot be a member"),
        ({"members": ["oracle_pn"]}, "oracle_pn cannot be a member"),
        ({"validation": "hold-out"}, "option 'validation' is unknown"),
    ],
)
def test_what_cannot_be_an_ensemble_is_refused(options, message):
    with pytest.raises(SettingError, match=message):
        configure(method="ensemble", options=options)


def test_members_can_be_written_as_one_text():
    assert configure(method="ensemble", options={"members": "angular, nnpu"}).options == {
        "members": ["angular", "nnpu"]
    }


def test_a_member_that_needs_a_prior_makes_the_ensemble_need_one():
    assert configure(method="ensemble", options={"members": ["angular", "nnpu"]}).needs_prior
    assert not configure(method="ensemble", options={}).needs_prior


def test_one_positive_is_too_few():
    x, _, _ = draw()
    with pytest.raises(DataError, match="two labelled positives"):
        fit(sample=sample_of(x, np.arange(240) == 0))


def test_an_ensemble_without_a_network_has_no_embedding():
    fitted = fit(["logistic_regression"])
    x = fitted.preparation.apply(draw()[0])
    with pytest.raises(SettingError, match="no member of this ensemble has a network"):
        fitted.scorer.embed(x)


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("parts", "0", "weight"), 2.0),
        (("parts", "0", "method"), "ensemble"),
        (("parts", "0", "method"), "logistic_regression"),
        (("parts", "1", "encoder"), {"encoder": "mlp", "d": 10**7, "dropout": 0.0}),
        (("parts", "0", "encoder", "d"), 10**7),
        (("parts", "1", "parts"), {}),
        (("parts",), {}),
        (("parts",), {"1": {}}),
        (("parts", "one"), None),  # a copy of the first member under no number
    ],
)
def test_an_ensemble_with_a_changed_field_is_refused_in_one_sentence(tmp_path, place, value):
    from angularpu.model.description import write_description

    PUEnsembleClassifier(members=QUICK, epochs=1).fit(*draw()[:2]).save(tmp_path / "m")
    description = json.loads((tmp_path / "m/model.json").read_text())
    description["checksums"].pop("model.json")
    inside = description
    for name in place[:-1]:
        inside = inside[name]
    inside[place[-1]] = inside["0"] if value is None else value
    write_description(tmp_path / "m", description)
    with pytest.raises(ModelError):
        load(tmp_path / "m")
    assert main(["info", str(tmp_path / "m")]) in {0, 2}  # it reads the JSON alone


def test_networks_are_trained_at_3e_4_unless_a_preset_or_the_user_says_otherwise():
    def rate(member, **options):
        return configure(method="ensemble", options={"members": [member], **options}).candidates[member].settings

    assert rate("angular").learning_rate == 3e-4
    assert rate("nnpu-paper").learning_rate == 1e-5
    assert rate("angular", learning_rate=1e-2).learning_rate == 1e-2
