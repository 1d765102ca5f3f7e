"""Any method of the table as a scikit-learn classifier."""

import inspect
import warnings
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from torch import nn

from angularpu.decide.prior_setting import Prior
from angularpu.errors import SettingError
from angularpu.estimators.base import PUEstimator
from angularpu.estimators.parameters import describe_parameters
from angularpu.methods.configure import choose_default
from angularpu.methods.fitted import Fitted
from angularpu.methods.presets import PRESET, FromPreset, is_given
from angularpu.methods.table import METHODS
from angularpu.scenario.sample import Scenario
from angularpu.scenario.split import Validation
from angularpu.train.selection_names import Selection

DEPRECATED: Final = "deprecated"
OWN = ("method", "options", "algorithm")  # parameters of this class alone that are no options of a method


class PUClassifier(PUEstimator):
    """Find the positives among unlabelled rows by the method of your choice.

    Every parameter is keyword-only. ``angularpu methods`` lists the methods; each also has a class of its own, such as
    ``NNPUClassifier``, whose parameters name all its options.

    Options, from ``encoder`` to ``base``, are "preset" unless they are given: what the preset has, or else the method's
    own default, which is stated here.

    Parameters
    ----------
    method : str, default="ensemble"
        Name of the method; where it is not given, the preset's, and without a preset the ensemble.
    preset : str, default="default"
        "default" has the method's own options; a preset of the method, such as "nnpu-paper", its source's schedule.
    prior : float in (0, 1) or str, default="bbe"
        The share of positives in the population, or the estimator that finds it; methods that need a prior are trained
        with it, and the threshold, the precision and the probabilities rest on it.
    threshold : str, default="auto"
        Rule that chooses the threshold; see :class:`angularpu.AngularPUClassifier`.
    scenario : {"one-sample", "two-sample"}, default="one-sample"
        How the labels came about.
    encoder : str or nn.Module, default="mlp"
        Network of a method that trains one; of an ensemble, of every member that does, as with all that follows up to
        ``device``.
    epochs : int, optional
    batch_size : int, default=128
    learning_rate : float, default=1e-4
    selection : {"pu-auc", "proxy-accuracy", "pu-risk", "last"}, default="pu-auc"
        Which epoch is kept.
    validation : {"auto", "hold-out", "folds"}, default="auto"
        What is held out to choose epoch and threshold; see :class:`angularpu.AngularPUClassifier`. An ensemble always
        holds out every row once and does not take it.
    device : str, default="auto"
    base : scikit-learn classifier, optional
        What a classical method stands around; by default boosted trees, or logistic regression for sparse rows.
    options : mapping of str to object, optional
        Any other option of the method, of its encoder or of its training.
    random_state : int, RandomState or None, default=0
    verbose : bool, default=False
        Show a progress bar.
    algorithm : str, default="deprecated"
        The old name of ``method``.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> y = np.repeat([1, 0], 200)
    >>> X = rng.normal(size=(400, 5)) + 2.0 * y[:, None]
    >>> s = y * (rng.random(400) < 0.3)
    >>> PUClassifier(method="bagging", options={"rounds": 3}, prior=0.5).fit(X, s).predict(X[[0, -1]])
    array([1, 0])
    """

    def __init__(
        self,
        *,
        method: str = PRESET,
        preset: str = "default",
        prior: Prior = "bbe",
        threshold: str = "auto",
        scenario: Scenario = "one-sample",
        encoder: str | nn.Module = PRESET,
        epochs: int | FromPreset | None = PRESET,
        batch_size: int | FromPreset = PRESET,
        learning_rate: float | FromPreset = PRESET,
        selection: Selection | FromPreset = PRESET,
        validation: Validation | FromPreset = PRESET,
        device: str = PRESET,
        base: Any = PRESET,
        options: Mapping[str, Any] | None = None,
        random_state: int | np.random.RandomState | None = 0,
        verbose: bool = False,
        algorithm: str = DEPRECATED,
    ) -> None:
        self.method = method
        self.preset = preset
        self.prior = prior
        self.threshold = threshold
        self.scenario = scenario
        self.encoder = encoder
        self.epochs = epochs
        self.batch_size = batch_size
        self.learning_rate = learning_rate
        self.selection = selection
        self.validation = validation
        self.device = device
        self.base = base
        self.options = options
        self.random_state = random_state
        self.verbose = verbose
        self.algorithm = algorithm

    def _method_name(self) -> str | None:
        if self.algorithm == DEPRECATED:
            return choose_default(self.method if is_given(self.method) else None, self.preset)
        if is_given(self.method):
            raise SettingError("method and algorithm, its old name, are both given; leave algorithm out")
        warnings.warn(f"algorithm is now called method; write method={self.algorithm!r}", FutureWarning, stacklevel=4)
        return self.algorithm

    def _reads_sparse(self) -> bool:
        card = METHODS.get(self.method) if isinstance(self.method, str) else None
        return card is None or card.reads_sparse  # an unknown method is refused by fit

    def _options(self) -> dict[str, Any]:
        named = {name: value for name, value in super()._options().items() if name not in OWN and is_given(value)}
        others = dict(self.options or {})
        twice = sorted(set(named) & set(others))
        if twice:
            raise SettingError(f"{twice[0]} is given twice, as a parameter and in options; leave one of them out")
        return {**named, **others}

    @classmethod
    def _mismatch(cls, fitted: Fitted) -> None:
        return None  # it takes every method and every option

    @classmethod
    def _describe(cls, fitted: Fitted) -> dict[str, Any]:
        parameters, others = describe_parameters(fitted, inspect.signature(cls).parameters)
        return {**parameters, "options": others or None}
