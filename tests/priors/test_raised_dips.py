import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from angularpu.priors.raised_dips import raise_dips


def raise_by_votes(values):
    """Keep all levels and their votes in a table, as the paper's code does, with votes in fifths."""
    votes, raised = {}, []
    for value in values:
        raised.append(max([value, *votes]))
        votes = {level: count + (5 if level <= value else -1) for level, count in votes.items()}
        votes = {level: count for level, count in votes.items() if count > 0}
        votes.setdefault(value, 5)
    return raised


@given(st.lists(st.integers(0, 6), min_size=1, max_size=80), st.sampled_from([0.0, 0.2, 1.0]))
def test_it_agrees_with_a_table_of_votes(steps, rise):
    values = np.round(np.array(steps) + rise * np.arange(len(steps)))
    assert raise_dips(values).tolist() == raise_by_votes(values)


def test_what_rises_is_left_alone():
    values = np.sort(np.random.default_rng(0).uniform(size=50))
    assert (raise_dips(values) == values).all()


def test_a_level_that_nothing_confirms_is_forgotten():
    assert raise_dips(np.array([0.0, 9.0] + [1.0] * 20)).tolist() == [0.0] + [9.0] * 6 + [1.0] * 15
