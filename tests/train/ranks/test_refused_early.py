"""What several ranks cannot train is refused before they compute anything."""

import pytest
import torch

from angularpu.errors import SettingError
from angularpu.methods.neural import make_algorithm
from angularpu.nets.build import build
from angularpu.train.ranks.group import Ranks, choose_backend
from angularpu.train.ranks.splitting import SplitTraining


def test_clean_rows_of_self_pu_are_refused():
    clean = (torch.zeros(4, 3), torch.tensor([0, 1, 0, 1]))
    algorithm = make_algorithm("self_pu", {"clean": clean}, alpha=0.4, encoder=build("linear", (3,), d=2))
    with pytest.raises(SettingError, match=r"clean cannot be used on several ranks.* start without torchrun"):
        SplitTraining(algorithm, Ranks(0, 2, patient=None))


def test_more_ranks_than_gpus_are_refused():
    with pytest.raises(SettingError, match="this machine has 2; pass --nproc-per-node 2"):
        choose_backend(gpus=2, place=2)


@pytest.mark.parametrize("n", [1, 2, 7, 16])
def test_every_row_belongs_to_one_rank(n):
    rows = list(range(n))
    assert [row for number in range(3) for row in rows[Ranks(number, 3, patient=None).own_rows(n)]] == rows
