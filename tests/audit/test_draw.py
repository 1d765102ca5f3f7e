"""Strata, how many rows are drawn from each, and the draw itself."""

import numpy as np
import pytest

from angularpu.audit.draw import draw_rows
from angularpu.audit.strata import allocate, stratify
from angularpu.errors import DataError, SettingError


def make_scores(n=2000, seed=0):
    score = np.random.default_rng(seed).normal(size=n).astype(np.float32)
    return score, 1 / (1 + np.exp(-3 * score.astype(float)))


def variance(size, n, p, *, weight):
    return float(np.sum(weight * size**2 * p * (1 - p) / n))


def test_the_cut_is_a_boundary_and_no_stratum_reaches_over_another():
    score, chance = make_scores()
    strata = stratify(score, chance, cut=0.7, n=80)
    lows, highs = ([f(score[strata.member == h]) for h in range(len(strata.size))] for f in (np.min, np.max))
    assert (np.array(highs[:-1]) < np.array(lows[1:])).all()
    assert all(high <= 0.7 or low > 0.7 for low, high in zip(lows, highs, strict=True))
    assert strata.n.sum() == 80
    assert strata.size.sum() == 2000


def test_no_exchange_of_answers_between_strata_lowers_the_criterion():
    score, chance = make_scores()
    strata = stratify(score, chance, cut=0.7, n=200)
    p = np.clip(chance, 0.05, 0.95)
    above = score > 0.7
    v, v_above = (float(part.mean() * (1 - part.mean())) for part in (p, p[above]))
    in_stratum = [strata.member == h for h in range(len(strata.size))]
    deviation = np.array([np.sqrt(p * (1 - p))[rows].mean() for rows in in_stratum])
    is_above = np.array([above[rows].all() for rows in in_stratum])
    n, n_above = len(p), int(above.sum())

    def criterion(answers):
        part = (strata.size * deviation) ** 2 / answers
        return part.sum() / (n**2 * v) + part[is_above].sum() / (n * n_above * v_above)

    least = criterion(strata.n)
    for one in range(len(strata.n)):
        for other in range(len(strata.n)):
            moved = strata.n.copy()
            moved[one] += 3
            moved[other] -= 3
            assert one == other or criterion(moved) > least


def test_answers_are_dealt_by_mass_two_at_least_and_no_more_than_rows():
    assert allocate(np.array([3.0, 1.0]), np.array([90, 90]), n=40).tolist() == [30, 10]
    assert allocate(np.array([1000.0, 1.0]), np.array([90, 90]), n=40).tolist() == [38, 2]
    assert allocate(np.array([1000.0, 1.0]), np.array([5, 90]), n=40).tolist() == [5, 35]
    assert allocate(np.array([1.0, 1.0]), np.array([5, 6]), n=11).tolist() == [5, 6]


def test_equal_scores_stay_together():
    score = np.repeat(np.array([0, 1, 2], np.float32), [500, 300, 200])
    strata = stratify(score, np.full(1000, 0.5), cut=1.5, n=100)
    assert all(len(set(strata.member[score == value])) == 1 for value in (0, 1, 2))
    assert (strata.size > 0).all()


def test_every_row_of_a_stratum_is_drawn_equally_often():
    score, chance = make_scores(300)
    drawn = np.zeros(300)
    for seed in range(400):
        audit = draw_rows(score, chance, cut=0.7, n=60, seed=seed)
        drawn[audit.row] += 1
    expected = np.zeros(300)
    expected[audit.row] = 400 * audit.probability
    chance_of = np.bincount(audit.stratum) / audit.size
    z = (drawn - 400 * chance_of[audit.member]) / np.sqrt(400 * chance_of * (1 - chance_of) + 1e-9)[audit.member]
    assert np.abs(z).max() < 4.5
    assert z.std() < 1.15


def test_equal_seeds_draw_equal_rows_and_others_do_not():
    score, chance = make_scores()
    one, same, other = (draw_rows(score, chance, cut=0.7, n=50, seed=seed) for seed in (3, 3, 4))
    assert one.row.tolist() == same.row.tolist()
    assert one.row.tolist() != other.row.tolist()
    assert len(set(one.row.tolist())) == 50


def test_the_weights_of_the_drawn_rows_add_up_to_the_heap():
    score, chance = make_scores()
    audit = draw_rows(score, chance, cut=0.7, n=50, seed=0)
    assert (1 / audit.probability).sum() == pytest.approx(2000)


def test_rows_above_every_cut_are_counted_by_stratum():
    score, chance = make_scores()
    audit = draw_rows(score, chance, cut=0.7, n=50, seed=0)
    for place in (0, 17, 250, len(audit.cut) - 1):
        counted = [np.count_nonzero(score[audit.member == h] > audit.cut[place]) for h in range(len(audit.size))]
        assert audit.above[:, place].tolist() == counted
    assert 0.7 in audit.cut
    assert not set(audit.cut.tolist()) & set(score.astype(float).tolist())


def test_another_models_scores_leave_the_draw_as_it_was():
    score, chance = make_scores()
    audit = draw_rows(score, chance, cut=0.7, n=50, seed=0)
    carried = audit.carry(-score, model="other")
    assert carried.row.tolist() == audit.row.tolist()
    assert carried.probability.tolist() == audit.probability.tolist()
    assert (carried.score == -audit.score).all()
    counted = [np.count_nonzero(-score[audit.member == h] > carried.cut[99]) for h in range(len(audit.size))]
    assert carried.above[:, 99].tolist() == counted


def test_too_few_too_many_and_no_numbers_are_refused():
    score, chance = make_scores(100)
    for n in (9, 101):
        with pytest.raises(SettingError, match="n must lie between 10 and"):
            draw_rows(score, chance, cut=0.7, n=n, seed=0)
    with pytest.raises(DataError, match="no number"):
        draw_rows(np.append(score, np.float32(np.nan)), np.append(chance, 0.5), cut=0.7, n=20, seed=0)
