import math

import pytest
import torch
from torch import Tensor, nn

from angularpu.errors import SettingError
from angularpu.nets.custom import wrap


class Noise(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x + torch.randn_like(x)


class Returning(nn.Module):
    def __init__(self, output: object) -> None:
        super().__init__()
        self.output = output

    def forward(self, x: Tensor) -> object:
        return self.output


@pytest.mark.parametrize("shape", [(6,), (3, 8, 8)])
def test_the_width_is_found_by_running_the_module(shape: tuple[int, ...]) -> None:
    module = nn.Sequential(nn.Flatten(), nn.Linear(math.prod(shape), 11))
    encoder = wrap(module, shape)
    x = torch.randn(5, *shape)
    assert encoder.d == 11
    assert torch.equal(encoder(x), module(x))


def test_the_module_itself_is_trained() -> None:
    module = nn.Linear(4, 3)
    encoder = wrap(module, (4,))
    assert {id(parameter) for parameter in encoder.parameters()} == {id(parameter) for parameter in module.parameters()}


def test_every_part_keeps_its_own_mode() -> None:
    module = nn.Sequential(nn.Linear(4, 3), nn.Dropout(), nn.Sequential(nn.Linear(3, 3), nn.Dropout()))
    module.train()
    module[2].eval()
    before = [part.training for part in module.modules()]
    wrap(module, (4,))
    assert [part.training for part in module.modules()] == before
    assert len(set(before)) == 2


def test_a_part_keeps_its_mode_when_the_module_fails() -> None:
    module = nn.Sequential(nn.Dropout(), nn.Linear(9, 3)).train()
    with pytest.raises(SettingError):
        wrap(module, (4,))
    assert all(part.training for part in module.modules())


def test_batch_statistics_are_left_alone() -> None:
    module = nn.Sequential(nn.Linear(4, 3), nn.BatchNorm1d(3)).train()
    wrap(module, (4,))
    assert module[1].num_batches_tracked == 0
    assert torch.equal(module[1].running_mean, torch.zeros(3))


def test_the_global_generator_is_left_where_it_was() -> None:
    torch.manual_seed(3)
    expected = torch.rand(4)
    torch.manual_seed(3)
    wrap(nn.Sequential(Noise(), nn.Flatten()), (2,))
    assert torch.equal(torch.rand(4), expected)


def test_a_module_without_parameters_is_taken() -> None:
    assert wrap(nn.Flatten(), (2, 3, 4)).d == 24


def test_a_module_that_fails_on_the_rows_is_named_with_the_reason() -> None:
    with pytest.raises(
        SettingError, match=r"Linear fails on float32 rows of shape \(4,\) \(mat1 and mat2.*first layer"
    ):
        wrap(nn.Linear(9, 3), (4,))


@pytest.mark.parametrize(
    ("output", "came"),
    [
        (torch.zeros(2), r"torch.float32 \(2,\)"),
        (torch.zeros(2, 3, 4), r"torch.float32 \(2, 3, 4\)"),
        (torch.zeros(1, 3), r"torch.float32 \(1, 3\)"),
        (torch.zeros(2, 3, dtype=torch.int64), r"torch.int64 \(2, 3\)"),
        ((torch.zeros(2, 3), None), "tuple"),
    ],
)
def test_an_output_that_is_not_n_times_d_is_refused(output: object, came: str) -> None:
    with pytest.raises(
        SettingError, match=rf"Returning must map n rows to an n x d float tensor, got {came} for n = 2"
    ):
        wrap(Returning(output), (4,))
