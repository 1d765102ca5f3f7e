"""Numbers by training row: kept, changed, saved."""

import torch

from angularpu.algorithms.row_values import RowValues


def test_rows_keep_what_they_were_given_and_the_others_their_start():
    rows = RowValues(5, start=0.5)
    rows.put(torch.tensor([4, 1]), torch.tensor([0.1, 0.2], dtype=torch.float64))
    torch.testing.assert_close(rows.get(torch.arange(5)), torch.tensor([0.5, 0.2, 0.5, 0.5, 0.1]))


def test_they_are_part_of_the_state():
    rows, other = RowValues(3, start=0.0), RowValues(3, start=1.0)
    rows.load_state_dict(other.state_dict())
    assert rows.get(torch.arange(3)).tolist() == [1, 1, 1]
