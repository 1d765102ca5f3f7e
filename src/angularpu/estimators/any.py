"""Any method of the table as a scikit-learn classifier."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from torch import nn

from angularpu.decide.prior_setting import Prior
from angularpu.errors import SettingError
from angularpu.estimators.base import PUEstimator
from angularpu.methods.configure import configure
from angularpu.methods.protocol import Method
from angularpu.scenario.sample import Scenario
from angularpu.scenario.split import Validation
from angularpu.train.selection_names import Selection

FACE = ("algorithm", "preset", "threshold", "prior", "scenario", "options", "random_state", "verbose")


class PUClassifier(PUEstimator):
    """Find the positives among unlabelled rows by the method of your choice.

    Every parameter is keyword-only. ``angularpu methods`` lists the methods; each also has a class of its own, such as
    ``NNPUClassifier``, whose parameters name all its options.

    Parameters
    ----------
    algorithm : str, default="angular"
        Id of the method.
    preset : str, default="default"
        "default" has the method's own options; a preset of the method, such as "nnpu-paper", its source's schedule.
    prior : float in (0, 1) or str, default="bbe"
        The share of positives in the population, or the estimator that finds it; methods that need a prior are trained
        with it, and the threshold, the precision and the probabilities rest on it.
    threshold : str, default="auto"
        Rule that chooses the cut; see :class:`angularpu.AngularPUClassifier`.
    scenario : {"one-sample", "two-sample"}, default="one-sample"
        How the labels came about.
    encoder : str or nn.Module, default="mlp"
        Network of a method that trains one.
    epochs : int, optional
    batch_size : int, default=128
    learning_rate : float, default=1e-4
    selection : {"pu-auc", "proxy-accuracy", "pu-risk", "last"}, default="pu-auc"
        Which epoch is kept.
    validation : {"auto", "hold-out", "folds"}, default="auto"
        What is held out to choose epoch and threshold; see :class:`angularpu.AngularPUClassifier`.
    device : str, default="auto"
    base : scikit-learn classifier, optional
        What a classical method stands around; by default boosted trees, or logistic regression for sparse rows.
    options : mapping of str to object, optional
        Any other option of the method, of its encoder or of its training.
    random_state : int, RandomState or None, default=0
    verbose : bool, default=False
        Show a progress bar.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> y = np.repeat([1, 0], 200)
    >>> X = rng.normal(size=(400, 5)) + 2.0 * y[:, None]
    >>> s = y * (rng.random(400) < 0.3)
    >>> PUClassifier(algorithm="bagging", options={"rounds": 3}, prior=0.5).fit(X, s).predict(X[[0, -1]])
    array([1, 0])
    """

    def __init__(
        self,
        *,
        algorithm: str = "angular",
        preset: str = "default",
        prior: Prior = "bbe",
        threshold: str = "auto",
        scenario: Scenario = "one-sample",
        encoder: str | nn.Module = "mlp",
        epochs: int | None = None,
        batch_size: int = 128,
        learning_rate: float = 1e-4,
        selection: Selection = "pu-auc",
        validation: Validation = "auto",
        device: str = "auto",
        base: Any = None,
        options: Mapping[str, Any] | None = None,
        random_state: int | np.random.RandomState | None = 0,
        verbose: bool = False,
    ) -> None:
        self.algorithm = algorithm
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

    def _method(self) -> Method:
        named = {name: value for name, value in self.changed_options().items() if name not in FACE}
        twice = sorted(set(named) & set(self.options or {}))
        if twice:
            raise SettingError(f"{twice[0]} stands both among the parameters and in options; leave one of them out")
        return configure(
            self.preset,
            method=self.algorithm,
            threshold=self.threshold,
            prior=self.prior,
            options={**named, **(self.options or {})},
        )
