"""What every PU classifier here can do once its method is known."""

import inspect
import warnings
from collections.abc import Container
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin
from sklearn.utils import Tags, check_random_state
from sklearn.utils.validation import check_is_fitted
from torch import nn

from angularpu.decide.decision import Decision
from angularpu.errors import DataError, LabellingWarning, ModelError, SettingError
from angularpu.estimators.inputs import read_labels, read_rows
from angularpu.fit.workflow import fit_method
from angularpu.methods.configure import configure
from angularpu.methods.fitted import Fitted
from angularpu.methods.protocol import Method
from angularpu.model import directory as model_directory
from angularpu.progress import show_progress
from angularpu.scenario.labels import warn_reversed
from angularpu.scenario.sample import PUSample


class PUEstimator(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Fit, score, decide, save and load, around the method that a subclass names."""

    fitted_: Fitted
    _methods: ClassVar[tuple[str, ...]] = ()  # what load takes; empty: every method

    def fit(self, X: Any, y: ArrayLike | None = None, *, checkpoint_dir: str | Path | None = None) -> Self:
        """Learn from known positives and unlabelled rows.

        Parameters
        ----------
        X : array, sparse matrix, frame, images of shape (n, C, H, W), or a PUSample
        y : array-like of shape (n,)
            The label indicator s: 1 labelled positive, 0 or -1 unlabelled; of any other two values the greater one is
            the labelled one. Not given with a PUSample.
        checkpoint_dir : path, optional
            Saved to after every epoch; a run found there with the same data and settings is gone on from.

        Returns
        -------
        self
        """
        sample, classes = self._read_sample(X, y)
        with show_progress(shown=self.verbose) as report:
            self.fitted_ = fit_method(
                self._method(),
                sample,
                seed=self._seed(),
                classes=classes,
                checkpoint_dir=None if checkpoint_dir is None else Path(checkpoint_dir),
                report=report,
            )
        if self.fitted_.labelling and self.fitted_.labelling["warning"]:
            warnings.warn(self.fitted_.labelling["warning"], LabellingWarning, stacklevel=2)
        return self

    def score_samples(self, X: Any) -> NDArray[np.float32]:
        """Return the raw scores, of shape (n,); higher is more positive."""
        check_is_fitted(self)
        return self.fitted_.score(read_rows(self, X, reset=False))

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Return score minus threshold, of shape (n,): above 0 where a row is predicted positive."""
        return self.score_samples(X).astype(np.float64) - self.threshold_

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the label of each row: positive where the score lies above the threshold, strictly."""
        above = self.decision_function(X) > 0
        labels: NDArray[Any] = self.classes_[above.astype(np.intp)]
        return labels

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the chance that each row is positive in the second column, never falling as the score rises.

        It is the posterior of the population, estimated from held-out positives and unlabelled rows. It need not be one
        half at the threshold, which a rule of its own has chosen: docs/deciding.md says where the two part. With fewer
        than ten labelled positives and no prior it is sigma(score - threshold), and ``fitted_.calibration`` is None.
        """
        score = self.score_samples(X)
        positive = self.fitted_.probability(score)
        return np.column_stack([1 - positive, positive])

    def save(self, directory: str | Path, *, overwrite: bool = False) -> None:
        """Write the fitted model as safetensors and JSON."""
        check_is_fitted(self)
        model_directory.save(self.fitted_, Path(directory), overwrite=overwrite)

    @classmethod
    def load(cls, directory: str | Path, *, encoder: nn.Module | None = None) -> Self:
        """Read a model directory; ``encoder`` is needed when the model was fitted with a network of the user's own."""
        fitted = model_directory.load(Path(directory), encoder=encoder)
        if cls._methods and fitted.method not in cls._methods:
            raise ModelError(
                f"{directory} is a model of {fitted.method!r}, which {cls.__name__} is not; "
                "load it with PUClassifier, which takes every method"
            )
        own = inspect.signature(cls).parameters
        options = {**fitted.options, **fitted.settings, **fitted.encoder}
        options.pop("base", None)  # kept in words only, and no classifier is made of words
        options |= {"algorithm": fitted.method, "options": _list_others(fitted, own) or None, "preset": fitted.preset}
        options |= {"threshold": fitted.threshold, "prior": fitted.prior}
        options |= {"scenario": fitted.held.scenario, "random_state": fitted.seed}
        if encoder is not None:
            options["encoder"] = encoder
        model = cls(**{name: value for name, value in options.items() if name in own})
        model.fitted_ = fitted
        if isinstance(fitted.columns, tuple):
            model.n_features_in_ = len(fitted.columns)
            model.feature_names_in_ = np.asarray(fitted.columns, dtype=object)
        else:
            model.n_features_in_ = fitted.columns
        return model

    @property
    def classes_(self) -> NDArray[Any]:
        """The two labels as given: unlabelled, positive."""
        return np.asarray(self.fitted_.classes)

    @property
    def decision_(self) -> Decision:
        """The rule used, its threshold, its estimated recall and precision with 90 % intervals, and notes."""
        return self.fitted_.decision

    @property
    def threshold_(self) -> float:
        """A row is predicted positive when its score is above it."""
        return self.fitted_.decision.threshold

    @property
    def history_(self) -> list[dict[str, Any]]:
        """Objective, terms and held-out PU-AUC by epoch."""
        return self.fitted_.history

    @property
    def best_epoch_(self) -> int:
        """The epoch that was kept, counted from 1."""
        return self.fitted_.best_epoch

    @property
    def notes_(self) -> tuple[str, ...]:
        """What was dropped, imputed or decided on the way."""
        return self.fitted_.notes

    def changed_options(self) -> dict[str, Any]:
        """Return the parameters that differ from their defaults."""
        defaults = {name: p.default for name, p in inspect.signature(type(self)).parameters.items()}
        return {
            name: value
            for name, value in self.get_params(deep=False).items()
            if value is not defaults[name] and value != defaults[name]
        }

    def _method(self) -> Method:
        raise NotImplementedError

    def _read_sample(self, X: Any, y: ArrayLike | None) -> tuple[PUSample, tuple[Any, Any]]:
        if isinstance(X, PUSample):
            if y is not None:
                raise DataError("a PUSample has its own labels; pass y=None with it")
            self.n_features_in_ = X.rows.shape[0]
            return X, (0, 1)
        rows = read_rows(self, X, reset=True)
        s, classes = read_labels(self, y, len(rows))
        reversed_ = warn_reversed(s, classes)
        if reversed_:
            warnings.warn(f"{reversed_}: y = (y == {classes[0]!r})", LabellingWarning, stacklevel=3)
        return PUSample(rows, s, self.scenario), classes

    def _seed(self) -> int:
        if isinstance(self.random_state, int | np.integer) and not isinstance(self.random_state, bool):
            if self.random_state < 0:
                raise SettingError(f"random_state must be at least 0, got {self.random_state}")
            return int(self.random_state)
        return int(check_random_state(self.random_state).randint(2**31 - 1))

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "fitted_")

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        # Labelled or not: a third label has no meaning in PU learning.
        tags.classifier_tags.multi_class = False
        # Missing values are imputed with an indicator, and sparse rows are never made dense as a whole.
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        return tags


def _list_others(fitted: Fitted, own: Container[str]) -> dict[str, Any]:
    """Return the options that are neither parameters of their own nor what the model's preset has anyway."""
    plain = configure(fitted.preset, method=fitted.method, options={})
    usual = {**plain.options, **plain.describe()["settings"], **plain.describe()["encoder"]}
    chosen = {**fitted.options, **fitted.settings, **fitted.encoder}
    return {
        name: value for name, value in chosen.items() if name not in own and (name not in usual or usual[name] != value)
    }


class NeuralEstimator(TransformerMixin, PUEstimator):  # type: ignore[misc]
    """What a classifier with a network can do besides: embed."""

    def transform(self, X: Any) -> NDArray[np.float32]:
        """Return the embeddings, of shape (n, d)."""
        check_is_fitted(self)
        return self.fitted_.embed(read_rows(self, X, reset=False))

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        # Embeddings come from a float32 network, whatever X is.
        tags.transformer_tags.preserves_dtype = ["float32"]
        return tags
