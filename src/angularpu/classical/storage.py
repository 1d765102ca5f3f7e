"""Fitted scikit-learn objects as bytes and back, by skops, which unlike pickle never runs what it reads.

Only the types that skops trusts and those of TRUSTED are written and read, so a classifier of the user's own fits and
scores but cannot be saved.
"""

from collections.abc import Mapping
from typing import Any
from zipfile import BadZipFile

import skops.io
from skops.io.exceptions import UntrustedTypesFoundException

from angularpu.classical.archive import make_reproducible
from angularpu.classical.tree_bounds import refuse_invalid_trees
from angularpu.errors import ModelError

TRUSTED = (
    "sklearn.calibration._CalibratedClassifier",
    "sklearn.calibration._SigmoidCalibration",
    "sklearn.ensemble._hist_gradient_boosting.predictor.TreePredictor",
    "sklearn.neural_network._stochastic_optimizers.AdamOptimizer",
    "sklearn.neural_network._stochastic_optimizers.SGDOptimizer",
    "sklearn.tree._tree.Tree",
    "sklearn.utils._bunch.Bunch",
)
"""What the estimators of tests/classical/test_storage.py need beyond skops's own list.

skops leaves the trees out because scikit-learn follows their node numbers unchecked; tree_bounds checks them.
"""

ADVICE = "the model fits and scores; to save it, pass another classifier of scikit-learn as base"


def dump_parts(parts: Mapping[str, Any]) -> bytes:
    """Turn fitted scikit-learn objects into bytes that depend on nothing but the objects.

    Parameters
    ----------
    parts : mapping of str to fitted scikit-learn object

    Raises
    ------
    ModelError
        When a type in them is not scikit-learn's own.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> model = LogisticRegression().fit([[0.0], [1.0]], [0, 1])
    >>> load_parts(dump_parts({"classifier": model}))["classifier"].predict([[0.9]])
    array([1])
    """
    try:
        written = make_reproducible(skops.io.dumps(dict(parts)))
    except (TypeError, ValueError, AttributeError, RecursionError) as error:
        raise ModelError(f"the classifier cannot be stored safely ({_flatten(error)}); {ADVICE}") from error
    untrusted = [name for name in skops.io.get_untrusted_types(data=written) if name not in TRUSTED]
    if untrusted:
        raise ModelError(f"types that cannot be stored safely: {', '.join(untrusted)}; {ADVICE}")
    refuse_invalid_trees(parts)
    return written


def load_parts(data: bytes) -> dict[str, Any]:
    """Turn the bytes of ``dump_parts`` back into fitted scikit-learn objects, refusing every type not on the list.

    Parameters
    ----------
    data : bytes

    Raises
    ------
    ModelError
        When the bytes are damaged, or hold a type or a tree that may not be trusted.
    """
    try:
        parts = skops.io.loads(data, trusted=list(TRUSTED))
    except UntrustedTypesFoundException as error:
        raise ModelError(f"the file holds types that are not stored by this package: {_flatten(error)}") from error
    except (BadZipFile, KeyError, TypeError, ValueError, AttributeError, ImportError, RecursionError) as error:
        raise ModelError(f"the classifier cannot be read ({_flatten(error)}); copy or fit the model again") from error
    if not isinstance(parts, dict):
        raise ModelError(f"the file holds a {type(parts).__name__}, not a model's parts; copy or fit the model again")
    refuse_invalid_trees(parts)
    return parts


def _flatten(error: Exception) -> str:
    """Return an error's first line."""
    return str(error).split("\n", 1)[0].rstrip(".")
