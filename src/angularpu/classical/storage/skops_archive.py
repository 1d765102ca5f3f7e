"""Classifiers as earlier versions stored them: archives of skops, which only whoever made them should read.

skops reads a list of types and nothing else, but takes their numbers as they come. A forged archive can end the
process, fill the memory or start as many processes as it likes.
"""

from typing import Any
from zipfile import BadZipFile

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
"""What earlier versions wrote beyond skops's own list."""


def load_archive(data: bytes) -> dict[str, Any]:
    """Turn an archive into fitted scikit-learn objects; ask the user first whether it is to be trusted.

    Parameters
    ----------
    data : bytes

    Raises
    ------
    ModelError
        When skops is not installed, the bytes are damaged, or hold a type that earlier versions never wrote.
    """
    try:
        import skops.io
        from skops.io.exceptions import UntrustedTypesFoundException
    except ImportError:
        raise ModelError(
            "this model was saved by an earlier version, with skops, which is not installed; pip install skops"
        ) from None
    try:
        parts = skops.io.loads(data, trusted=list(TRUSTED))
    except UntrustedTypesFoundException as error:
        raise ModelError(f"the file holds types that are not stored by this package: {_flatten(error)}") from error
    except (BadZipFile, KeyError, TypeError, ValueError, AttributeError, ImportError, RecursionError) as error:
        raise ModelError(f"the classifier cannot be read ({_flatten(error)}); copy or fit the model again") from error
    if not isinstance(parts, dict):
        raise ModelError(f"the file holds a {type(parts).__name__}, not a model's parts; copy or fit the model again")
    return parts


def _flatten(error: Exception) -> str:
    """Return an error's first line."""
    return str(error).split("\n", 1)[0].rstrip(".")
