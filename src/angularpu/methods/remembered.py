"""What a model remembers of the rows it was fitted on."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Remembered:
    """What a model remembers of the rows it was fitted on; no row can be made of it.

    Attributes
    ----------
    typical : float32 array of shape (width,), or None
        A prepared row in the middle of the unlabelled ones: each number's median, each text column's commonest level.
        None where prepared rows have no columns of their own, as images and sparse rows.
    hash_pos, hash_unl : int64 arrays, or None
        The rows of ``held.score_pos`` and ``held.score_unl`` by :func:`~angularpu.data.row_hashes.hash_rows`; None
        unless every row was held out once.
    """

    typical: NDArray[np.float32] | None = None
    hash_pos: NDArray[np.int64] | None = None
    hash_unl: NDArray[np.int64] | None = None

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """Return what there is, by name."""
        return {name: array for name, array in vars(self).items() if array is not None}
