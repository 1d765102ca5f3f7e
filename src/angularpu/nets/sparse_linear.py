"""The first layer of a network on sparse rows: only the entries that are not 0 are multiplied."""

import warnings
from typing import Any

import scipy.sparse as sp
import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.autograd.function import once_differentiable
from torch.nn.functional import embedding_bag

# Earlier versions laid the first layer out by row for sparse rows too; their unfinished runs must not be resumed.
SPARSE_FORM = {"first_layer": "by column"}


def make_csr(start: Tensor, column: Tensor, value: Tensor, *, shape: tuple[int, int]) -> Tensor:
    """Return rows as a CSR tensor: row i has the entries from ``start[i]`` to ``start[i + 1]``.

    >>> make_csr(torch.tensor([0, 1, 2]), torch.tensor([1, 0]), torch.tensor([5.0, 6.0]), shape=(2, 2)).to_dense()
    tensor([[0., 5.],
            [6., 0.]])
    """
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Sparse (CSR tensor support|invariant checks)")  # torch calls both unfinished
        return torch.sparse_csr_tensor(start, column, value, shape, check_invariants=False)


def take_rows(x: Tensor, rows: slice, *, size: int = 0) -> Tensor:
    """Return some rows of a dense or CSR tensor, one after another, and rows of zeros until there are ``size``.

    >>> take_rows(torch.ones(3, 1), slice(1, 3), size=3).tolist()
    [[1.0], [1.0], [0.0]]
    """
    n = rows.stop - rows.start
    size = max(n, size)
    if x.layout == torch.sparse_csr:
        bounds = x.crow_indices()[rows.start : rows.stop + 1]
        entries = slice(int(bounds[0]), int(bounds[-1]))
        start = torch.cat([bounds, bounds[-1:].expand(size - n)]) - bounds[0]
        return make_csr(start, x.col_indices()[entries], x.values()[entries], shape=(size, x.shape[1]))
    if n == size:
        return x[rows]
    padded = x.new_zeros((size, *x.shape[1:]))
    padded[:n] = x[rows]
    return padded


def apply_to_sparse(layer: nn.Module, x: Float[Tensor, "n columns"]) -> Tensor:
    """Return what a layer makes of rows in a CSR tensor.

    They become dense where the layer is not linear, where it multiplies in bfloat16, and on other devices than the CPU.

    >>> rows = make_csr(torch.arange(4), torch.arange(3), torch.ones(3), shape=(3, 3))
    >>> layer = nn.Linear(3, 2)
    >>> torch.equal(apply_to_sparse(layer, rows), layer.weight.T + layer.bias)
    True
    """
    device = x.device.type
    if type(layer) not in {nn.Linear, ColumnLinear} or device != "cpu" or torch.is_autocast_enabled(device):
        return torch.as_tensor(layer(x.to_dense()))
    assert isinstance(layer, nn.Linear)
    by_column = layer.weight if isinstance(layer, ColumnLinear) else layer.weight.T.contiguous()
    product: Tensor = _SparseProduct.apply(by_column, x)  # type: ignore[no-untyped-call]
    return product if layer.bias is None else product + layer.bias


class ColumnLinear(nn.Linear):
    """A linear layer in which the weights of one column of the rows lie side by side, as sparse rows need them.

    Its ``weight`` is W^T, so that optimisers walk through memory in order; what is saved and loaded is W.
    """

    @classmethod
    def of(cls, layer: nn.Linear) -> "ColumnLinear":
        """Return a layer with the same weights."""
        made = cls(layer.in_features, layer.out_features, bias=layer.bias is not None, device="meta")
        made.weight, made.bias = nn.Parameter(layer.weight.detach().T.contiguous()), layer.bias
        return made

    def forward(self, x: Tensor) -> Tensor:
        """Return W x + b of dense rows."""
        return nn.functional.linear(x, self.weight.T, self.bias)

    def _save_to_state_dict(self, destination: Any, prefix: str, keep_vars: bool) -> None:
        super()._save_to_state_dict(destination, prefix, keep_vars)
        destination[f"{prefix}weight"] = destination[f"{prefix}weight"].T

    def _load_from_state_dict(self, state_dict: dict[str, Any], prefix: str, *rest: Any) -> None:
        if f"{prefix}weight" in state_dict:
            state_dict = {**state_dict, f"{prefix}weight": state_dict[f"{prefix}weight"].T}
        super()._load_from_state_dict(state_dict, prefix, *rest)


def lay_out_by_column(encoder: nn.Sequential) -> None:
    """Make the first layer one for sparse rows, where it is linear; names, shapes and values of what is saved stay."""
    if type(encoder[0]) is nn.Linear:
        encoder[0] = ColumnLinear.of(encoder[0])


class _SparseProduct(torch.autograd.Function):
    """X W^T of CSR rows X and the weight W^T of a linear layer; only W has a gradient."""

    @staticmethod
    def forward(ctx: Any, weight: Tensor, x: Tensor) -> Tensor:
        ctx.rows = x
        return _sum_bags(x.col_indices(), weight, x.crow_indices(), x.values())

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None]:
        x: Tensor = ctx.rows
        parts = x.values().numpy(), x.col_indices().numpy(), x.crow_indices().numpy()
        by_column = sp.csr_matrix(parts, tuple(x.shape)).tocsc()
        row, start, value = map(torch.from_numpy, (by_column.indices, by_column.indptr, by_column.data))
        return _sum_bags(row, gradient.contiguous(), start, value), None


def _sum_bags(index: Tensor, table: Tensor, start: Tensor, weight: Tensor) -> Tensor:
    """Return sums of rows of a table: of ``index[start[i]:start[i + 1]]``, each times its weight, for every i."""
    return embedding_bag(index, table, start, per_sample_weights=weight, mode="sum", include_last_offset=True)
