"""Cuts, probabilities and a verdict on the labels, by the answers of an audit."""

import numpy as np
import pytest

from angularpu.audit.answers import Answers
from angularpu.audit.choice import decide_audited
from angularpu.audit.curve import Correction, correct_curve, draw_base, fit_correction
from angularpu.audit.labelling import check_answers
from angularpu.decide.calibrate import Calibration, fit_calibration
from angularpu.errors import DataError, SettingError


def decide(answers, held, rule="pu-f1", prior=0.6):
    return decide_audited(rule, held, answers, prior=prior, alpha=None)


def test_figures_are_those_of_the_answers_and_the_prior_is_audited(heaps):
    answers, held = heaps(0.2).audit(n=200, n_known=200)
    decision, _, report = decide(answers, held)
    assert decision.prior_source == "audited"
    assert decision.rule == "pu-f1"
    assert abs(decision.alpha - 0.2) < 0.05
    assert decision.prior == pytest.approx((200 + decision.alpha * 4000) / 4200)
    assert report.found.alpha.value == pytest.approx(decision.alpha)
    assert (decision.recall, decision.precision) == (report.found.recall.value, report.found.precision.value)
    assert decision.precision_low < decision.precision < decision.precision_high


def test_the_report_says_how_far_p_and_u_were_off(heaps):
    answers, held = heaps(0.2).audit(n=200, n_known=200)
    report = decide(answers, held, prior=0.6)[2]
    assert report.before.alpha == pytest.approx((0.6 * 4200 - 200) / 4000)
    assert report.before.found.alpha.high < report.before.alpha
    assert report.before.found.precision.high < report.before.precision


def test_the_corrected_cut_comes_near_the_best_one(heaps):
    heap = heaps(0.1)
    answers, held = heap.audit(n=200)
    y, score, _ = heap.draw()

    def f1(cut):
        return 2 * y[score > cut].sum() / ((score > cut).sum() + y.sum())

    decision, _, report = decide(answers, held, prior=0.7)
    best = max(f1(cut) for cut in np.linspace(0, 4, 200))
    assert f1(decision.threshold) > 0.95 * best
    assert f1(decision.threshold) > f1(report.before.threshold)


@pytest.mark.parametrize(("rule", "least"), [("recall=0.9", 0.8), ("precision=0.8", 0.6)])
def test_rules_aim_at_corrected_figures(heaps, rule, least):
    heap = heaps(0.3)
    answers, held = heap.audit(n=300)
    y, score, _ = heap.draw()
    decision, *_ = decide(answers, held, rule)
    above = score > decision.threshold
    reached = y[above].mean() if rule.startswith("precision") else y[above].sum() / y.sum()
    assert least < reached < least + 0.3
    assert decision.rule == rule


@pytest.mark.parametrize("rule", ["auto", "lee-liu", "proxy-accuracy", "pu-f1,target=unlabelled"])
def test_every_other_rule_chooses_too(heaps, rule):
    answers, held = heaps(0.3).audit(n=100, n_known=200)
    decision, curve, _ = decide(answers, held, rule)
    assert 0 < decision.threshold < 3
    assert (np.diff(curve.probability) >= 0).all()


def test_probabilities_follow_the_answers_and_stay_with_the_pu_curve_where_they_are_few(heaps):
    heap = heaps(0.1)
    _, score, held = heap.draw()
    said = fit_calibration(held, 0.6, target="unlabelled")
    errors = []
    for n in (10, 50, 400):
        answers, _ = heap.audit(n=n)
        base = draw_base(held, said=0.6, found=0.1, n=n)
        found = correct_curve(base, fit_correction(answers, base), known_ratio=0.0).apply(score)
        errors.append(abs(float(found.mean()) - 0.1))
    assert abs(float(said.apply(score).mean()) - 0.1) > 0.4
    assert errors[2] < 0.03
    assert errors[1] < 0.1
    few, many = (float(draw_base(held, said=0.6, found=0.1, n=n).apply(score).mean()) for n in (10, 400))
    assert few == pytest.approx((4 * 0.6 + 10 * 0.1) / 14, abs=0.01)
    assert many == pytest.approx((4 * 0.6 + 400 * 0.1) / 404, abs=0.01)


def test_answers_that_agree_leave_the_curve_as_it_is(heaps):
    heap = heaps(0.4)
    _, _, held = heap.draw()
    base = fit_calibration(held, 0.4, target="unlabelled")
    correction = fit_correction(heap.audit(n=2000, said=0.4)[0], base)
    assert abs(correction.shift) < 0.5
    assert 0.7 < correction.stretch < 1.5


def test_the_populations_probability_counts_known_positives_by_hand():
    base = Calibration(np.array([0.0, 1.0]), np.array([0.2, 0.6]))
    found = correct_curve(base, Correction(0.0, 1.0), known_ratio=0.5)
    assert found.probability == pytest.approx([(0.1 + 0.2) / 1.1, (0.3 + 0.6) / 1.3])


def test_labels_that_fell_at_random_are_seldom_refuted(heaps):
    heap = heaps(0.3)
    refuted = [not check_answers(*heap.audit(n=100, seed=seed)).holds for seed in range(60)]
    assert sum(refuted) <= 3


def test_labels_of_the_clear_cases_alone_are_refuted(heaps):
    check = check_answers(*heaps(0.3, known_at=4.0).audit(n=100))
    assert not check.holds
    assert check.statistic > 0.75
    assert "outranks" in check.warning()


def test_too_few_confirmed_positives_refute_nothing(heaps):
    answers, held = heaps(0.3).audit(n=20)
    check = check_answers(Answers(answers.audit, np.zeros(20, np.int8)), held)
    assert (check.p_value, check.power) == (1.0, 0.0)
    assert "too few" in check.notes[0]


def test_answers_of_another_models_audit_are_refused(heaps):
    answers, _ = heaps(0.3).audit(n=50)
    with pytest.raises(DataError, match="drawn with another model"):
        decide(answers, heaps(0.4).draw()[2])


def test_a_rule_with_a_prior_of_its_own_is_refused(heaps):
    answers, held = heaps(0.3).audit(n=50)
    with pytest.raises(SettingError, match="names a prior, which the audit replaces"):
        decide(answers, held, "pu-f1,prior=0.3")


def test_blank_and_unsure_answers_are_noted(heaps):
    answers, held = heaps(0.3).audit(n=50)
    y = answers.y.copy()
    y[:3], y[3:5] = -2, -1
    decision, _, report = decide(Answers(answers.audit, y), held)
    assert (report.blank, report.unsure) == (3, 2)
    assert any(note.startswith("3 of 50 drawn rows") for note in decision.notes)
    assert any("unsure answers, 2" in note for note in decision.notes)
    assert report.found.alpha.at_least < report.found.alpha.value < report.found.alpha.at_most
