"""What every method around a scikit-learn classifier can do: fit, score, and hand over what was fitted."""

import copy
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from angularpu.classical.base_classifier import Matrix, compute_log_odds
from angularpu.errors import DataError, ModelError

LEAST_ROWS = 2  # of either kind: one to learn from and one to hold out
# Ten times what a network of a fold learns from: trees and linear models take less time a row, and no epochs.
MOST_UNLABELLED = 100_000
PER_POSITIVE = 5


@dataclass(frozen=True, eq=False)
class Learnt:
    """What was learnt in a fit.

    Attributes
    ----------
    parts : mapping of str to fitted scikit-learn object
        What scoring needs, "classifier" alone for most methods.
    numbers : mapping of str to number
        Estimates and counts, ready for JSON.
    draws : bool array of shape (rounds, n), optional
        Which rows entered which round of a bagging method. Not saved.
    """

    parts: Mapping[str, Any]
    numbers: Mapping[str, float]
    draws: NDArray[np.bool_] | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class Classical(ABC):
    """A PU method made of scikit-learn classifiers; its fields are its options."""

    rounds_by_size: ClassVar[bool] = True  # whether a row's score may differ in its last bits with the rows beside it
    reads_sparse: ClassVar[bool] = True  # otherwise it refuses sparse rows
    _learnt: Learnt | None = field(default=None, init=False, repr=False)

    def fit(self, x: Matrix, s: NDArray[np.int8], *, rng: np.random.Generator) -> Self:
        """Return a fitted copy.

        Parameters
        ----------
        x : float32 array or CSR matrix of shape (n, d)
        s : int8 array of shape (n,)
            1 labelled positive, 0 unlabelled; at least two of each.
        rng : numpy.random.Generator
            The only source of randomness.
        """
        n_pos = int(np.count_nonzero(s))
        if min(n_pos, len(s) - n_pos) < LEAST_ROWS:
            raise DataError(
                f"{type(self).__name__} takes two labelled positives and two unlabelled rows at least, got {n_pos} and "
                f"{len(s) - n_pos}; collect more"
            )
        return self._keep(self._learn(x, s, rng))

    def score(self, x: Matrix) -> NDArray[np.float64]:
        """Return one number per row, higher for more positive.

        Returns
        -------
        float64 array of shape (n,)
            Log-odds, or decision values where the base has no probabilities.
        """
        return self._score(x, self._require_fit())

    def limit_unlabelled(self, n_pos: int) -> int:
        """Return how many unlabelled rows a model learns from at most: 100,000, or five per labelled positive if more.

        ``fit`` takes what it is given: whoever knows which rows are labelled, reviewed or neither draws them.
        """
        return max(MOST_UNLABELLED, PER_POSITIVE * n_pos)

    def parts(self) -> dict[str, Any]:
        """Return the fitted scikit-learn objects that scoring needs."""
        return dict(self._require_fit().parts)

    def numbers(self) -> dict[str, float]:
        """Return estimates and counts of the fit, for JSON."""
        return dict(self._require_fit().numbers)

    def options(self) -> dict[str, Any]:
        """Return the options but for ``base``, for JSON."""
        names = [option.name for option in fields(self) if option.init and option.name != "base"]
        return {name: getattr(self, name) for name in names}

    @classmethod
    def from_parts(cls, parts: Mapping[str, Any], numbers: Mapping[str, float], **options: Any) -> Self:
        """Make a fitted model from what ``parts``, ``numbers`` and ``options`` returned.

        Raises
        ------
        ModelError
            When they are not those of one model of this method.
        """
        made, learnt = cls(**options), Learnt(dict(parts), dict(numbers))
        made._check(learnt)
        return made._keep(learnt)

    @abstractmethod
    def _learn(self, x: Matrix, s: NDArray[np.int8], rng: np.random.Generator) -> Learnt: ...

    def _score(self, x: Matrix, learnt: Learnt) -> NDArray[np.float64]:
        return compute_log_odds(learnt.parts["classifier"], x)

    def _check(self, learnt: Learnt) -> None:
        """Refuse what this method could not have learnt with its options."""
        if list(learnt.parts) != ["classifier"]:
            raise ModelError(f"a model of {type(self).__name__} has one part, the classifier, got {len(learnt.parts)}")

    def _require_fit(self) -> Learnt:
        if self._learnt is None:
            raise ModelError(f"this {type(self).__name__} is not fitted; call fit, which returns the fitted model")
        return self._learnt

    def _keep(self, learnt: Learnt) -> Self:
        made = copy.copy(self)
        object.__setattr__(made, "_learnt", learnt)  # frozen against users, not against its own constructor
        return made


@dataclass(frozen=True, kw_only=True, eq=False)
class AroundClassifier(Classical):
    """A PU method around any scikit-learn classifier.

    Parameters
    ----------
    base : scikit-learn classifier, optional
        Cloned for every fit, its random_state drawn from ``rng``. By default what base_classifier.default_base gives.
    """

    base: Any = None


def count_share(n: int, share: float) -> int:
    """Return how many of n rows a share is, at least one and at most all but one.

    >>> count_share(10, 0.25), count_share(2, 0.01), count_share(2, 0.99)
    (2, 1, 1)
    """
    return int(np.clip(round(share * n), 1, n - 1))
