"""What every PU classifier here can do once its method is known."""

import copy
import inspect
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn import get_config
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin
from sklearn.utils import Tags, check_random_state
from sklearn.utils.validation import check_is_fitted
from torch import nn

from angularpu.audit.answers import Answers
from angularpu.decide.decision import Decision
from angularpu.errors import BoundWarning, DataError, LabellingWarning, ModelError, SettingError
from angularpu.estimators.inputs import read_labels, read_rows
from angularpu.estimators.parameters import SHARED, describe_parameters
from angularpu.fit.workflow import fit_method
from angularpu.methods.abbreviation import LONGEST, abbreviate
from angularpu.methods.configure import configure
from angularpu.methods.fitted import Fitted
from angularpu.methods.protocol import Method
from angularpu.model import directory as model_directory
from angularpu.progress import show_progress
from angularpu.scenario.labels import warn_reversed
from angularpu.scenario.reviews import encode_reviews
from angularpu.scenario.sample import PUSample


class PUEstimator(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Fit, score, decide, save and load, around the method that a subclass names."""

    fitted_: Fitted
    _methods: ClassVar[tuple[str, ...]] = ()  # the methods that it may be of; empty: every one

    def fit(
        self,
        X: Any,
        y: ArrayLike | None = None,
        *,
        reviews: ArrayLike | None = None,
        checkpoint_dir: str | Path | None = None,
    ) -> Self:
        """Learn from known positives and unlabelled rows.

        Parameters
        ----------
        X : array, sparse matrix, frame, images of shape (n, C, H, W), or a PUSample
        y : array-like of shape (n,)
            The label indicator s: 1 labelled positive, 0 or -1 unlabelled; of any other two values the greater one is
            the labelled one. Not given with a PUSample.
        reviews : array-like of str, shape (n,), optional
            What a person said about unlabelled rows: "positive", "negative", "unsure" or an empty text. Learning uses
            it; estimates of recall and of the share of positives do not, since rows are reviewed by choice.
        checkpoint_dir : path, optional
            Saved to after every epoch; an unfinished run with the same data and settings is resumed from there.

        Returns
        -------
        self
        """
        sample, classes = self._read_sample(X, y, reviews)
        with show_progress(shown=self.verbose) as report:
            fitted = fit_method(
                self._method(),
                sample,
                seed=self._seed(),
                classes=classes,
                checkpoint_dir=None if checkpoint_dir is None else Path(checkpoint_dir),
                report=report,
            )
        self.fitted_ = replace(fitted, estimator=self._public_name())
        if isinstance(X, PUSample):  # scikit-learn, which remembers the columns of other rows, has not seen these
            self._remember_columns()
        if self.fitted_.labelling and self.fitted_.labelling["warning"]:
            warnings.warn(self.fitted_.labelling["warning"], LabellingWarning, stacklevel=2)
        if self.fitted_.decision.refused:
            warnings.warn(self.fitted_.decision.refused, BoundWarning, stacklevel=2)
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
        Where the prior was estimated it is an upper bound; ``notes_`` says so, and docs/bounds.md why.
        """
        score = self.score_samples(X)
        positive = self.fitted_.probability(score)
        return np.column_stack([1 - positive, positive])

    def save(self, directory: str | Path, *, overwrite: bool = False) -> None:
        """Write the fitted model as safetensors and JSON."""
        check_is_fitted(self)
        model_directory.save(self.fitted_, Path(directory), overwrite=overwrite)

    @classmethod
    def load(cls, directory: str | Path, *, encoder: nn.Module | None = None, trusted: bool = False) -> Self:
        """Read a model directory; ``encoder`` is needed when the model was fitted with a network of the user's own.

        :func:`angularpu.load` does the same and finds the class by itself, and says what ``trusted`` is.
        """
        fitted = model_directory.read_model(directory, encoder=encoder, trusted=trusted)
        return cls._from_fitted(fitted, encoder=encoder)

    def decide(self, rule: str, *, audit: Answers | None = None) -> Self:
        """Return a copy that cuts by another rule; nothing is trained, and this classifier stays as it is.

        Parameters
        ----------
        rule : str
            As the parameter ``threshold`` takes it.
        audit : Answers, optional
            Answers about rows that :func:`angularpu.draw_audit` drew with this classifier; all figures of ``decision_``
            and the probabilities then rest on them.
        """
        check_is_fitted(self)
        other = copy.copy(self)
        other.threshold = rule
        other.fitted_ = self.fitted_.decide(rule, audit)
        return other

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
        """What was dropped, imputed or decided on the way, and what the decision and the probabilities rest on."""
        return self.fitted_.notes + self.fitted_.decision.notes

    def _method(self) -> Method:
        return configure(
            self.preset,
            method=self._method_name(),
            threshold=self.threshold,
            prior=self.prior,
            options=self._options(),
        )

    def _method_name(self) -> str | None:
        """Return the method to fit; None: the preset's."""
        raise NotImplementedError

    def _reads_sparse(self) -> bool:
        """Tell whether the method takes sparse rows."""
        return True

    def _options(self) -> dict[str, Any]:
        """Return the options of the method as they were passed, those left to the preset included."""
        return {name: value for name, value in self.get_params(deep=False).items() if name not in SHARED}

    @classmethod
    def _from_fitted(cls, fitted: Fitted, *, encoder: nn.Module | None) -> Self:
        """Make the classifier of a model that was read, with parameters that would give the model again."""
        reason = cls._mismatch(fitted)
        if reason is not None:
            raise ModelError(f"{reason}; load it with angularpu.load, which finds the class by itself")
        model = cls(**cls._describe(fitted))
        if encoder is not None and hasattr(model, "encoder"):
            model.encoder = encoder
        model.fitted_ = fitted
        model._remember_columns()
        return model

    @classmethod
    def _mismatch(cls, fitted: Fitted) -> str | None:
        """Return why a model cannot be one of this class, or None if it can."""
        if cls._methods and fitted.method not in cls._methods:
            return f"this is a model of {fitted.method!r}, which {cls.__name__} is not"
        _, others = describe_parameters(fitted, inspect.signature(cls).parameters)
        return f"this model was fitted with {', '.join(others)}, which {cls.__name__} does not take" if others else None

    @classmethod
    def _describe(cls, fitted: Fitted) -> dict[str, Any]:
        """Return the parameters with which this class would fit the model again."""
        return describe_parameters(fitted, inspect.signature(cls).parameters)[0]

    @classmethod
    def _public_name(cls) -> str:
        """Return the name by which ``load`` finds this class, or the one that a user's own class was made of."""
        return next(each.__name__ for each in cls.__mro__ if each.__module__.startswith("angularpu."))

    def _read_sample(self, X: Any, y: ArrayLike | None, reviews: ArrayLike | None) -> tuple[PUSample, tuple[Any, Any]]:
        if isinstance(X, PUSample):
            if y is not None or reviews is not None:
                raise DataError("a PUSample has its own labels and reviews; pass neither y nor reviews with it")
            return X, (0, 1)
        rows = read_rows(self, X, reset=True)
        s, classes = read_labels(self, y, len(rows))
        reversed_ = warn_reversed(s, classes)
        if reversed_:
            warnings.warn(f"{reversed_}: y = (y == {classes[0]!r})", LabellingWarning, stacklevel=3)
        said = None if reviews is None else encode_reviews(reviews, s)
        return PUSample(rows, s, self.scenario, said), classes

    def _remember_columns(self) -> None:
        columns = self.fitted_.columns
        if isinstance(columns, tuple):
            self.n_features_in_ = len(columns)
            self.feature_names_in_ = np.asarray(columns, dtype=object)
        else:
            self.n_features_in_ = columns
            self.__dict__.pop("feature_names_in_", None)  # of an earlier fit

    def _seed(self) -> int:
        if isinstance(self.random_state, int | np.integer) and not isinstance(self.random_state, bool):
            if self.random_state < 0:
                raise SettingError(f"random_state must be at least 0, got {self.random_state}")
            return int(self.random_state)
        return int(check_random_state(self.random_state).randint(2**31 - 1))

    def __repr__(self) -> str:
        defaults = {name: repr(each.default) for name, each in inspect.signature(type(self)).parameters.items()}
        texts = {name: abbreviate(value) for name, value in self.get_params(deep=False).items()}
        if get_config()["print_changed_only"]:
            texts = {name: text for name, text in texts.items() if text != defaults[name]}
        shown = [f"{name}={text}" for name, text in texts.items()]
        line = f"{type(self).__name__}({', '.join(shown)})"
        if len(line) <= LONGEST:
            return line
        return "\n".join([f"{type(self).__name__}(", *(f"    {each}," for each in shown), ")"])

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "fitted_")

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        # Labelled or not: a third label has no meaning in PU learning.
        tags.classifier_tags.multi_class = False
        # Missing values are imputed with an indicator, and sparse rows are never made dense as a whole.
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = self._reads_sparse()
        return tags


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
