"""Whether labelled positives look like a random draw of the positives (SCAR: selected completely at random)."""

import dataclasses

import numpy as np

from angularpu.checks import check_share
from angularpu.decide.scar_tests import LEVEL, ScarCheck, compare_kinds, compare_share
from angularpu.errors import DataError
from angularpu.metrics.cuts import Score
from angularpu.priors.bbe import LEAST_ROWS
from angularpu.priors.inputs import Matrix, check_groups, check_matrices
from angularpu.priors.likeness import note_likeness


def check_scar(
    score_pos: Score,
    score_unl: Score,
    x_pos: Matrix,
    x_unl: Matrix,
    *,
    rng: np.random.Generator,
    alpha: float | None = None,
) -> ScarCheck:
    """Test whether labels fell on the positives at random, as far as the rows and a known share can tell.

    P and U alone never refute SCAR: rows unlike P may always be negative. So kinds of positive are compared with one
    another (:func:`~angularpu.decide.scar_tests.compare_kinds`), on the assumption that the rows with the highest
    scores are positive in each. If alpha is known, P and U are also compared with alpha
    (:func:`~angularpu.decide.scar_tests.compare_share`); then the test with the smaller p-value is returned, and that
    p-value is doubled.

    Parameters
    ----------
    score_pos, score_unl : float arrays of shape (n_pos,) and (n_unl,), at least 13 each
        Scores of rows the classifier was not trained on.
    x_pos, x_unl : float arrays of shape (n_pos, d) and (n_unl, d)
        The same rows: columns of comparable scale, or embeddings.
    rng : numpy.random.Generator
    alpha : float in (0, 1), optional
        Share of positives among the unlabelled rows if it is known from elsewhere; never an estimate from these scores.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> x_pos, x_unl = rng.normal(3, 1, (200, 2)), np.append(rng.normal(3, 1, (200, 2)), rng.normal(0, 1, (400, 2)), 0)
    >>> check_scar(x_pos.sum(1), x_unl.sum(1), x_pos, x_unl, rng=rng).holds
    True
    """
    pos, unl = check_groups(score_pos, score_unl)
    rows_pos, rows_unl = check_matrices(x_pos, x_unl)
    if len(rows_pos) != len(pos) or len(rows_unl) != len(unl):
        raise DataError(
            f"every row needs its score, got {len(rows_pos)} and {len(rows_unl)} rows with {len(pos)} and {len(unl)} "
            "scores; pass the rows that were scored"
        )
    if min(len(pos), len(unl)) < LEAST_ROWS:
        raise DataError(
            f"checking how labels fell takes {LEAST_ROWS} labelled positives and as many unlabelled rows, got "
            f"{len(pos)} and {len(unl)}; collect more, or skip the check"
        )
    notes = note_likeness(pos, unl)
    if alpha is None:
        check = compare_kinds(pos, unl, rows_pos, rows_unl, rng=rng)
        return dataclasses.replace(check, notes=notes + check.notes)
    check_share("alpha", alpha, advice="leave it out when the share is not known")
    both = (
        compare_kinds(pos, unl, rows_pos, rows_unl, rng=rng, level=LEVEL / 2),
        compare_share(pos, unl, alpha=alpha, rng=rng, level=LEVEL / 2),
    )
    worse = min(both, key=lambda check: check.p_value)
    return dataclasses.replace(
        worse, p_value=min(1.0, 2 * worse.p_value), notes=notes + tuple(note for check in both for note in check.notes)
    )
