"""What a user passes as X and y, checked as scikit-learn checks it, made into rows and labels."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.utils import assert_all_finite, check_consistent_length, column_or_1d
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import validate_data

from angularpu.data.rows import Rows
from angularpu.data.sources import as_rows
from angularpu.errors import DataError
from angularpu.scenario.labels import encode_labels, has_missing


def read_rows(estimator: BaseEstimator, X: Any, *, reset: bool) -> Rows:
    """Return X as rows; ``reset`` remembers its columns, otherwise they are compared with the remembered ones."""
    if hasattr(X, "detach"):  # a torch tensor
        X = X.detach().cpu().numpy()
    if hasattr(X, "column_names") or hasattr(X, "columns") or isinstance(X, np.memmap):
        # Frames hold more than numbers, and a memory map is not read before a batch needs it: our own checks follow.
        validate_data(estimator, X, reset=reset, skip_check_array=True)
        return as_rows(X)
    X = validate_data(
        estimator,
        X,
        reset=reset,
        accept_sparse="csr",
        allow_nd=True,
        ensure_all_finite="allow-nan",
        ensure_min_samples=2 if reset else 1,
    )
    return as_rows(X)


def read_labels(estimator: BaseEstimator, y: ArrayLike | None, n: int) -> tuple[NDArray[np.int8], tuple[Any, Any]]:
    """Return the label indicator s of n rows, and the user's own two labels, the unlabelled one first."""
    if y is None:
        raise DataError(
            f"{type(estimator).__name__} requires y to be passed, but the target y is None: pass 1 for labelled "
            "positives and 0 for unlabelled rows"
        )
    labels = column_or_1d(y, warn=True)
    check_consistent_length(labels, np.empty(n))
    if has_missing(labels):
        s, classes = encode_labels(labels)
        return s, (classes[0], classes[1])
    assert_all_finite(labels, input_name="y")
    check_classification_targets(labels)
    kind = type_of_target(labels, input_name="y", raise_unknown=True)
    if kind != "binary":
        raise DataError(f"Only binary classification is supported. The type of the target is {kind}.")
    s, classes = encode_labels(labels)
    return s, (classes[0], classes[1])
