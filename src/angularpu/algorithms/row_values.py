"""One number per training row, for methods that keep something about each: a mask, a pseudo-label."""

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn


class RowValues(nn.Module):
    """Numbers by row, in every checkpoint and on the algorithm's device.

    Parameters
    ----------
    n_rows : int
        One more than the greatest row number.
    start : float
        What every row begins with.

    Examples
    --------
    >>> values = RowValues(4, start=1.0)
    >>> values.put(torch.tensor([2, 0]), torch.tensor([0.25, 0.5]))
    >>> values.get(torch.tensor([0, 1, 2]))
    tensor([0.5000, 1.0000, 0.2500])
    """

    values: Tensor

    def __init__(self, n_rows: int, *, start: float) -> None:
        super().__init__()
        self.register_buffer("values", torch.full((n_rows,), start))

    def get(self, index: Int[Tensor, " n"]) -> Float[Tensor, " n"]:
        """Return the numbers of some rows."""
        return self.values[index.to(self.values.device)]

    def put(self, index: Int[Tensor, " n"], values: Float[Tensor, " n"]) -> None:
        """Change the numbers of some rows."""
        self.values[index.to(self.values.device)] = values.to(self.values)
