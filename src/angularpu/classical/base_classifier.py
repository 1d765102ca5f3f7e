"""The scikit-learn classifier inside: which one by default, what it must be able to do, how it scores a row."""

from typing import Any, Literal

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.special import logit
from sklearn.base import clone
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import has_fit_parameter

from angularpu.classical.levels import coarsen
from angularpu.classical.threads import few_threads
from angularpu.data.rows import Kind
from angularpu.errors import SettingError

Matrix = Any  # float32 array of shape (n, d), or SciPy CSR matrix of that shape
Need = Literal["probabilities", "weights"]

SMALLEST = float(np.finfo(np.float64).eps)  # a probability of 0 or 1 has no finite logit
LARGEST_SEED = 2**31
ROWS_IN_LEAF = 20  # scikit-learn's own least number of rows in a leaf
LEAVES = 20


def default_base(kind: Kind, *, n: int) -> Any:
    """Return the classifier that is used when none is passed: boosted trees, or logistic regression for sparse rows.

    Parameters
    ----------
    kind : {"dense", "sparse", "image", "frame"}
        Everything but sparse rows comes prepared as a dense matrix.
    n : int
        Rows to be fitted. Below 400 a leaf may hold fewer than scikit-learn's 20 rows, with which 39 rows would
        never be split at all.

    Examples
    --------
    >>> default_base("dense", n=100)
    HistGradientBoostingClassifier(min_samples_leaf=5)
    >>> default_base("sparse", n=100)
    LogisticRegression(max_iter=1000)
    """
    if kind == "sparse":
        return LogisticRegression(max_iter=1000)
    return HistGradientBoostingClassifier(min_samples_leaf=count_rows_in_leaf(n))


def count_rows_in_leaf(n: int) -> int:
    """Return the least number of rows in a leaf of boosted trees: scikit-learn's 20, or fewer below 400 rows.

    >>> count_rows_in_leaf(100), count_rows_in_leaf(1000)
    (5, 20)
    """
    return int(np.clip(n // LEAVES, 1, ROWS_IN_LEAF))


def draw_seed(rng: np.random.Generator) -> int:
    """Return a random_state as scikit-learn takes it."""
    return int(rng.integers(LARGEST_SEED))


def check_base(base: Any, *needs: Need) -> None:
    """Refuse a classifier that cannot score rows, or give probabilities or take row weights where these are needed."""
    name = type(base).__name__
    if base is None:
        return
    if not hasattr(base, "predict_proba") and not hasattr(base, "decision_function"):
        raise SettingError(f"{name} has neither predict_proba nor decision_function; pass a classifier that has one")
    if "probabilities" in needs and not hasattr(base, "predict_proba"):
        raise SettingError(
            f"this method needs probabilities and {name} has no predict_proba; wrap it in CalibratedClassifierCV"
        )
    if "weights" in needs and _name_weights(base) is None:
        raise SettingError(
            f"this method weights rows and {name}.fit takes no sample_weight; pass a classifier that does"
        )


def fit_base(
    base: Any, x: Matrix, y: NDArray[np.int8], *, rng: np.random.Generator, weight: NDArray[np.float64] | None = None
) -> Any:
    """Fit a clone of ``base``, or of the default, with every random_state in it drawn from ``rng``.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> x, y = np.array([[0.0], [1.0]]), np.array([0, 1], np.int8)
    >>> fit_base(DecisionTreeClassifier(), x, y, rng=np.random.default_rng(0)).predict([[0.9]])
    array([1], dtype=int8)
    """
    model = clone(base) if base is not None else default_base("sparse" if sp.issparse(x) else "dense", n=x.shape[0])
    seeded = [name for name in sorted(model.get_params()) if name.split("__")[-1] == "random_state"]
    model.set_params(**{name: draw_seed(rng) for name in seeded})
    if weight is None:
        with few_threads(x):
            return model.fit(x, y)
    if isinstance(model, HistGradientBoostingClassifier):
        x = coarsen(x)  # saves hours where there are many rows
    with few_threads(x):
        return model.fit(x, y, **{str(_name_weights(model)): weight})


def compute_probability(model: Any, x: Matrix) -> NDArray[np.float64]:
    """Return a fitted classifier's probability of class 1.

    Returns
    -------
    float64 array of shape (n,), in [0, 1]
    """
    with few_threads(x):
        probability: NDArray[np.float64] = np.asarray(model.predict_proba(x)[:, 1], np.float64)
    return probability


def compute_log_odds(model: Any, x: Matrix) -> NDArray[np.float64]:
    """Return a fitted classifier's log-odds of class 1, or its decision values when it has no probabilities.

    Returns
    -------
    float64 array of shape (n,)
        Finite: probabilities are cut where they could not be told from 0 and 1, at log-odds of 36.
    """
    if hasattr(model, "predict_proba"):
        return to_log_odds(compute_probability(model, x))
    decision: NDArray[np.float64] = np.asarray(model.decision_function(x), np.float64)
    return decision


def to_log_odds(probability: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return log(p/(1 - p)), finite for 0 and 1 too.

    >>> to_log_odds(np.array([0.5, 0.75, 1.0])).round(3)
    array([ 0.   ,  1.099, 36.044])
    """
    odds: NDArray[np.float64] = logit(np.clip(probability, SMALLEST, 1 - SMALLEST))
    return odds


def _name_weights(base: Any) -> str | None:
    """Name the argument of ``fit`` that takes row weights; a pipeline hands them to its last step."""
    if isinstance(base, Pipeline):
        name, last = base.steps[-1]
        inner = _name_weights(last)
        return None if inner is None else f"{name}__{inner}"
    return "sample_weight" if has_fit_parameter(base, "sample_weight") else None
