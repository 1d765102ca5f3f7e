"""How many threads a small fit of boosted trees computes with."""

from typing import Any

from threadpoolctl import threadpool_limits

from angularpu.threads import TABLE_CELLS, choose_threads


def few_threads(x: Any) -> Any:
    """Let scikit-learn compute on one thread for the length of a block if the matrix is small.

    Boosting opens a parallel region for every split, and on a small matrix threads wait for each other longer than they
    compute. The trees are the same bits with any number of threads.

    Parameters
    ----------
    x : matrix of shape (n, d)

    Examples
    --------
    >>> import numpy as np
    >>> with few_threads(np.zeros((10, 2))) as limit:
    ...     limit is None
    False
    """
    one = choose_threads(x.shape[0] * x.shape[1], enough=TABLE_CELLS + 1, most=2) == 1
    return threadpool_limits(1 if one else None, user_api="openmp")
