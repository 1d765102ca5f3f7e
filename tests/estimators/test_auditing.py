"""Audits from Python: draw, answer, decide."""

import numpy as np
import pytest

from angularpu import AngularPUClassifier, draw_audit, load, make_sample, read_audit
from angularpu.audit import answer, write_audit
from angularpu.errors import DataError


@pytest.fixture(scope="module")
def fitted():
    """A classifier of two Gaussian classes, its rows, labels and true classes."""
    rng = np.random.default_rng(0)
    y = np.repeat([1, 0], [200, 400])
    x = rng.normal(size=(600, 3)) + 2 * y[:, None]
    s = y * (rng.random(600) < 0.3)
    return AngularPUClassifier(epochs=2, encoder="linear", random_state=0).fit(x, s), x, s, y


def test_answers_decide_and_the_first_classifier_stays_as_it_is(fitted):
    model, x, s, y = fitted
    before = model.decision_
    audit = draw_audit(model, x, s, n=50)
    assert not s[audit.number - 1].any()
    answers = answer(audit, y[audit.number - 1].tolist())
    audited = model.decide("pu-f1", audit=answers)
    assert audited.decision_.prior_source == "audited"
    assert model.decision_ is before
    truth = y[s == 0].mean()
    assert audited.fitted_.audit["found"]["alpha"]["low"] <= truth <= audited.fitted_.audit["found"]["alpha"]["high"]
    assert audited.decide("pu-f1").decision_ == model.decide("pu-f1").decision_


def test_a_sample_and_its_rows_with_labels_draw_the_same(fitted):
    model, x, s, _ = fitted
    one, other = draw_audit(model, x, s, n=30), draw_audit(model, make_sample(x, s, scenario="one-sample"), n=30)
    assert one.number.tolist() == other.number.tolist()
    assert one.data == other.data


def test_an_audited_classifier_is_saved_and_loaded(fitted, tmp_path):
    model, x, s, y = fitted
    audit = draw_audit(model, x, s, n=50)
    audited = model.decide("recall=0.9", audit=answer(audit, y[audit.number - 1].tolist()))
    audited.save(tmp_path / "model")
    again = load(tmp_path / "model")
    assert again.decision_ == audited.decision_
    assert again.fitted_.audit == audited.fitted_.audit
    assert (again.predict_proba(x) == audited.predict_proba(x)).all()


def test_the_file_of_an_audit_is_read_in_python_too(fitted, tmp_path):
    model, x, s, _ = fitted
    audit = draw_audit(model, x, s, n=30)
    path = tmp_path / "audit.csv"
    write_audit(audit, path)
    path.write_text(path.read_text().replace(',"",', ",yes,"))
    answers = read_audit(path)
    assert answers.count(1) == 30
    assert model.decide("auto", audit=answers).decision_.alpha > 0.9


def test_labels_left_out_by_mistake_are_noticed(fitted):
    model, x, _, _ = fitted
    with pytest.raises(DataError, match="known positives are among them"):
        draw_audit(model, x, n=30)
