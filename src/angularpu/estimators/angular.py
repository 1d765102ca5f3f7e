"""AngularPU as a scikit-learn classifier."""

from typing import Literal

import numpy as np
from torch import nn

from angularpu.decide.prior_setting import Prior
from angularpu.errors import SettingError
from angularpu.estimators.base import NeuralEstimator
from angularpu.methods.fitted import Fitted
from angularpu.methods.presets import PRESET, FromPreset, find_preset
from angularpu.methods.table import find_method
from angularpu.nets.names import Precision
from angularpu.scenario.sample import Scenario
from angularpu.scenario.split import Validation
from angularpu.train.selection_names import Selection
from angularpu.train.settings import Decay, Optimiser


class AngularPUClassifier(NeuralEstimator):
    """Find the positives among unlabelled rows, given some known positives and no negatives.

    Every parameter is keyword-only. The options of the method, from ``encoder`` to ``device``, are "preset" unless they
    are given: what the preset has, or else the default that is stated here. One that is given wins over the preset,
    whatever its value.

    Parameters
    ----------
    preset : str, default="default"
        "default", "paper" (the published schedule) or a row of the paper's geometry ablation such as "COS-WGH-M0.5" or
        "L2-WGH-R1.0"; see ``angularpu.PRESETS``.
    threshold : str, default="auto"
        Rule that chooses the threshold without negatives: "pu-f1", "recall=0.95", "precision=0.9", "prior=0.3",
        "proxy-accuracy", "lee-liu" ...; see docs/deciding.md. "auto" is "pu-f1", and "lee-liu" when fewer than ten
        positives are labelled and no prior is given.
    prior : float in (0, 1) or str, default="bbe"
        The share of positives in the population, or the estimator that finds it ("bbe", "dedpul", "tice", ...). The
        threshold, the expected precision and the probabilities rest on it; the training does not.
    scenario : {"one-sample", "two-sample"}, default="one-sample"
        "one-sample": some positives of one population got labelled. "two-sample": the positives were collected
        apart and the unlabelled rows alone represent the population.
    encoder : {"linear", "mlp", "cnn13", "vgg11_bn", "vgg16"} or nn.Module, default="mlp"
        Network from rows to R^d; "mlp" has two hidden layers of 256.
    d : int, default=128
        Dimension of the embedding.
    dropout : float, default=0.2
        Before the encoder's last layer.
    weights : str, optional
        File with ImageNet weights for a VGG, .safetensors or .pth.
    frozen_blocks : int, default=0
        How many of a VGG's five blocks keep these weights; their maps are computed once, and the rest is trained.
    maps_dir : str, optional
        Directory where these maps are kept for other fits of the same rows.
    precision : {"float32", "bfloat16"}, default="float32"
        In which numbers the encoder multiplies while it is trained; weights, losses and scores are float32 in any case.
    kappa : float, default=3.0
        Scale of the score.
    logit : {"cosine", "margin"}, default="cosine"
        Logit of an unlabelled row: kappa c or a (c - m).
    margin : float, "learnable" or "softplus", default="learnable"
        Margin m: fixed, trained within [-1, 1], or trained as a softplus.
    sharpness : float or "learnable", default=10.0
        Sharpness a of the weights and the margin logit.
    weight : {"prototype", "boundary"} or None, default="prototype"
        Which unlabelled rows count more.
    detach_weight : bool, default=False
        Whether the weights are constants to the gradient.
    positives : {"unbiased", "batch"}, default="unbiased"
        How a batch's positives stand for all of them.
    positive_loss : {"alignment", "logistic"}, default="alignment"
        -kappa c, or the logistic loss of the logit.
    lambda_ : float, default=0.5
        Strength of the dispersion term.
    t : float, default=2.0
        Temperature of the dispersion term.
    dispersion_on : {"unlabelled", "all"}, default="unlabelled"
        Which rows are spread over the sphere.
    epochs : int, optional
        Passes over the rows at most; by default 15, and up to 100 for small data, so that 1500 updates are made.
    batch_size : int, default=128
    learning_rate : float, default=1e-4
    weight_decay : float, default=0.0
        Times the weights, added to the gradient.
    optimizer : {"adam", "sgd"}, default="adam"
    decay : {"none", "cosine"}, default="none"
        Keep the learning rate, or lower it to zero along a cosine.
    patience : int, optional
        Epochs without a better held-out PU-AUC before training ends; by default a fifth of ``epochs``, at least 5.
    selection : {"pu-auc", "proxy-accuracy", "pu-risk", "last"}, default="pu-auc"
        Which epoch is kept: the best by a measure of held-out positives and unlabelled rows, or the last.
    validation : {"auto", "hold-out", "folds"}, default="auto"
        What is held out to choose epoch and threshold: a tenth of the rows, or every row in turn in five folds. "auto":
        folds with fewer than 10,000 labelled positives, with ``refit=True`` fewer than 1000.
    refit : bool, default=False
        False: after folds, score by the mean of the folds' models. True: train one more model, on all rows, and score
        by it alone.
    device : str, default="auto"
    random_state : int, RandomState or None, default=0
        The one seed; equal seeds give equal models.
    verbose : bool, default=False
        Show a progress bar.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The two labels as given: unlabelled, positive.
    threshold_ : float
        A row is predicted positive when its score is above it.
    decision_ : Decision
        The rule used, its estimated recall with a 90 % interval, and notes.
    history_ : list of dict
        Objective, terms and held-out PU-AUC by epoch.
    best_epoch_ : int
        The epoch that was kept, counted from 1.
    notes_ : tuple of str
        What was dropped, imputed or decided on the way.
    fitted_ : Fitted
        The whole chain, as it is saved.
    n_features_in_ : int
        Columns seen in fit (for images: channels).
    feature_names_in_ : ndarray of str
        Their names, when X had any.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> y = np.repeat([1, 0], 200)
    >>> X = rng.normal(size=(400, 5)) + 2.0 * y[:, None]
    >>> s = y * (rng.random(400) < 0.3)
    >>> model = AngularPUClassifier(epochs=5).fit(X, s)
    >>> model.predict(X[:3])
    array([1, 1, 1])
    """

    _methods = ("angular", "euclidean")  # the latter by the presets of the geometry ablation

    def __init__(
        self,
        *,
        preset: str = "default",
        threshold: str = "auto",
        prior: Prior = "bbe",
        scenario: Scenario = "one-sample",
        encoder: str | nn.Module = PRESET,
        d: int | FromPreset = PRESET,
        dropout: float | FromPreset = PRESET,
        weights: str | None = PRESET,
        frozen_blocks: int | FromPreset = PRESET,
        maps_dir: str | None = PRESET,
        precision: Precision | FromPreset = PRESET,
        kappa: float | FromPreset = PRESET,
        logit: Literal["cosine", "margin"] | FromPreset = PRESET,
        margin: float | Literal["learnable", "softplus"] | FromPreset = PRESET,
        sharpness: float | Literal["learnable"] | FromPreset = PRESET,
        weight: Literal["prototype", "boundary"] | FromPreset | None = PRESET,
        detach_weight: bool | FromPreset = PRESET,
        positives: Literal["unbiased", "batch"] | FromPreset = PRESET,
        positive_loss: Literal["alignment", "logistic"] | FromPreset = PRESET,
        lambda_: float | FromPreset = PRESET,
        t: float | FromPreset = PRESET,
        dispersion_on: Literal["unlabelled", "all"] | FromPreset = PRESET,
        epochs: int | FromPreset | None = PRESET,
        batch_size: int | FromPreset = PRESET,
        learning_rate: float | FromPreset = PRESET,
        weight_decay: float | FromPreset = PRESET,
        optimizer: Optimiser | FromPreset = PRESET,
        decay: Decay | FromPreset = PRESET,
        patience: int | FromPreset | None = PRESET,
        selection: Selection | FromPreset = PRESET,
        validation: Validation | FromPreset = PRESET,
        refit: bool | FromPreset = PRESET,
        device: str = PRESET,
        random_state: int | np.random.RandomState | None = 0,
        verbose: bool = False,
    ) -> None:
        self.preset = preset
        self.threshold = threshold
        self.prior = prior
        self.scenario = scenario
        self.encoder = encoder
        self.d = d
        self.dropout = dropout
        self.weights = weights
        self.frozen_blocks = frozen_blocks
        self.maps_dir = maps_dir
        self.precision = precision
        self.kappa = kappa
        self.logit = logit
        self.margin = margin
        self.sharpness = sharpness
        self.weight = weight
        self.detach_weight = detach_weight
        self.positives = positives
        self.positive_loss = positive_loss
        self.lambda_ = lambda_
        self.t = t
        self.dispersion_on = dispersion_on
        self.epochs = epochs
        self.batch_size = batch_size
        self.learning_rate = learning_rate
        self.weight_decay = weight_decay
        self.optimizer = optimizer
        self.decay = decay
        self.patience = patience
        self.selection = selection
        self.validation = validation
        self.refit = refit
        self.device = device
        self.random_state = random_state
        self.verbose = verbose

    def _method_name(self) -> str:
        method = find_preset(self.preset).method
        if method not in self._methods:
            raise SettingError(
                f"preset {self.preset!r} is one of {method!r}, which {type(self).__name__} is not; "
                f"pass it to {find_method(method).class_name}"
            )
        return method

    @classmethod
    def _mismatch(cls, fitted: Fitted) -> str | None:
        """Return why a model cannot be one of this class, or None if it can."""
        reason = super()._mismatch(fitted)
        if reason is None and find_preset(fitted.preset).method != fitted.method:
            # The preset alone tells its two methods apart: fitting again would take the other one.
            return f"this model of {fitted.method!r} has the preset {fitted.preset!r}, which is one of another method"
        return reason
