"""Other trees in the ensemble: with fewer unlabelled rows, boosting as it was before, a random forest beside them."""

from collections.abc import Iterator

import numpy as np
from idea_draw import Draw, Voice, cross_fit

from angularpu.methods.configure import configure, make_member
from angularpu.methods.ensemble import FOR_TABLES, EnsembleMethod
from angularpu.scenario.split import Split
from angularpu.train.cross_fitted import Folds
from angularpu.train.fold_mean import average

FORESTS = "extra trees, 5 a positive"
BEFORE = "boosting before"
USUAL, WITH_FOREST, HALVES = "usual members", "with a random forest", "100 trees of either kind"
WHOLE = {"leaves": 15, "columns": 1.0, "per_positive": 1e9}  # all unlabelled rows, all columns


def score_trees(draw: Draw) -> Iterator[tuple[str, np.ndarray]]:
    """Yield the test scores of the ensemble, of it with other trees, and of boosting by itself."""
    ensemble = configure(method="ensemble", options=draw.network)
    assert isinstance(ensemble, EnsembleMethod)
    members = list(ensemble.choose_members(draw.sample.rows, draw.preparation))
    for name in members:
        draw.hear(name, cross_fit(draw, name))
    yield "the ensemble", draw.mix(members)
    draw.voices[FORESTS] = hear_thinned(draw, "extra_trees", per_positive=5)
    yield FORESTS, draw.mix(replace(members, "extra_trees", FORESTS))
    if "gradient_boosting" not in members:
        return
    whole = configure(method="gradient_boosting", options=WHOLE)
    assert not isinstance(whole, EnsembleMethod)
    draw.hear(BEFORE, whole.cross_fit(draw.sample, draw.preparation, folds=draw.folds, seed=draw.seed))
    yield BEFORE, draw.mix(replace(members, "gradient_boosting", BEFORE))
    yield "boosting alone", draw.voices["gradient_boosting"].test
    yield "boosting alone before", draw.voices[BEFORE].test


def score_forests(draw: Draw) -> Iterator[tuple[str, np.ndarray]]:
    """Yield the test scores of the ensemble, with a random forest too, and with half the trees of either kind."""
    for name in (*FOR_TABLES, "random_forest"):
        draw.hear(name, cross_fit(draw, name))
    yield USUAL, draw.mix(FOR_TABLES)
    yield WITH_FOREST, draw.mix([*FOR_TABLES, "random_forest"])
    for name in ("extra_trees", "random_forest"):
        halved = configure(method=name, options={"trees": 100})
        assert not isinstance(halved, EnsembleMethod)
        draw.hear(name, halved.cross_fit(draw.sample, draw.preparation, folds=draw.folds, seed=draw.seed))
    yield HALVES, draw.mix([*FOR_TABLES, "random_forest"])


def hear_thinned(draw: Draw, name: str, *, per_positive: int) -> Voice:
    """Cross-fit a member with a limit on its unlabelled rows, another draw of them for every fold."""
    rng = np.random.default_rng([draw.seed, per_positive])
    thinned = [thin(split, draw.sample.s, per_positive=per_positive, rng=rng) for split in draw.folds.splits]
    member = make_member(name, draw.network, prior="bbe")
    folds = Folds(thinned, draw.folds.held, draw.folds.seen)
    mean, scores = average(member.cross_fit(draw.sample, draw.preparation, folds=folds, seed=draw.seed))
    return Voice(scores.join(draw.folds), mean.score(draw.x_test))


def thin(split: Split, s: np.ndarray, *, per_positive: int, rng: np.random.Generator) -> Split:
    """Keep the labelled positives of the rows to learn from, and a draw of the others."""
    train, held = split
    pos, unl = train[s[train] == 1], train[s[train] == 0]
    count = min(len(unl), per_positive * len(pos))
    return Split(np.sort(np.concatenate([pos, rng.choice(unl, count, replace=False)])), held)


def replace(members: list[str], old: str, new: str) -> list[str]:
    """Return the members with another in the place of one of them."""
    return [new if name == old else name for name in members]
