"""A saved model as the classifier that saved it."""

from pathlib import Path

from torch import nn

from angularpu.errors import ModelError
from angularpu.estimators import named
from angularpu.estimators.angular import AngularPUClassifier
from angularpu.estimators.any import PUClassifier
from angularpu.estimators.base import PUEstimator
from angularpu.methods.fitted import Fitted
from angularpu.methods.table import METHODS, find_method
from angularpu.model.directory import read_model


def load(directory: str | Path, *, encoder: nn.Module | None = None, trusted: bool = False) -> PUEstimator:
    """Read a model directory and return the classifier, ready to score.

    It has the class that saved the model. A model of the command line has the method's own class, such as
    ``NNPUClassifier``. Its parameters describe the model, so that ``fit`` on the same rows gives it again; only objects
    that a directory cannot hold (``base``, ``clean``) and the file of ``weights``, with ``frozen_blocks``, must be
    passed once more.

    Parameters
    ----------
    directory : str or Path
    encoder : nn.Module, optional
        The network that was passed to fit, when it was the user's own: only its tensors are in the directory.
    trusted : bool, default=False
        Read a classical model of an earlier version too, whose classifier could end the process if it was forged. It
        is not needed for any other model.
    """
    fitted = read_model(directory, encoder=encoder, trusted=trusted)
    return _find_class(fitted)._from_fitted(fitted, encoder=encoder)


def _find_class(fitted: Fitted) -> type[PUEstimator]:
    name = fitted.estimator
    if name == PUClassifier.__name__:
        return PUClassifier
    if name is None and AngularPUClassifier._mismatch(fitted) is None:  # the geometry ablation's presets are its own
        return AngularPUClassifier
    name = name or find_method(fitted.method).class_name
    if name not in {card.class_name for card in METHODS.values()}:
        raise ModelError(
            f"the model was saved by a class {name!r}, which this version does not have; "
            "load it with PUClassifier.load, which takes every method"
        )
    found: type[PUEstimator] = getattr(named, name)
    return found
