"""puNCE: contrast, then a classifier by nnPU's risk or by pseudo-labels."""

import math

import pytest
import torch

from angularpu.algorithms.nnpu import NNPU
from angularpu.algorithms.punce import CONTRAST, PROBE, PuNCE
from angularpu.errors import SettingError
from angularpu.geometry.sphere import normalise
from angularpu.losses.pu_contrast import punce_loss

DEGENERATE = [(1, 0), (0, 1), (1, 1), (3, 0), (0, 3), (1, 4), (4, 1)]


class Glance:
    """A view of given embeddings."""

    phase = PROBE

    def __init__(self, pos: torch.Tensor, unl: torch.Tensor) -> None:
        self.parts = {"positives": pos, "unlabelled": unl}

    def index(self, which: str) -> torch.Tensor:
        start = 0 if which == "positives" else len(self.parts["positives"])
        return torch.arange(start, start + len(self.parts[which]))

    def embeddings(self, which: str) -> torch.Tensor:
        return self.parts[which]

    def scores(self, which: str) -> torch.Tensor:
        raise NotImplementedError

    def held_scores(self) -> None:
        return None


@pytest.fixture
def make(linear):
    def build(**options) -> PuNCE:
        algorithm = PuNCE(linear(), **{"alpha": 0.4, **options}).double()
        algorithm.scaffold = algorithm.build_scaffold(20).double()
        return algorithm

    return build


def projection(algorithm: PuNCE) -> torch.nn.Module:
    return dict(algorithm.named_children())["scaffold"]


def test_the_first_phase_contrasts_projected_views(make, drawn_batch):
    algorithm, batch = make(temperature=0.2), drawn_batch(2, 3, phase=CONTRAST)
    batch.make_view = lambda x, generator: x + torch.randn(x.shape, generator=generator, dtype=x.dtype)
    z = normalise(projection(algorithm).projector(algorithm.embed(torch.cat(batch.views))))
    expected = punce_loss(z, 2, alpha=0.4, temperature=0.2)
    torch.testing.assert_close(algorithm.step(batch).loss, expected)


def test_fine_tuning_brings_down_nnpus_risk(make, drawn_batch):
    algorithm, batch = make(), drawn_batch(3, 4, phase=PROBE)
    rival = NNPU(algorithm.encoder, alpha=0.4)
    rival.head = algorithm.head
    ours, theirs = algorithm.step(batch), rival.step(batch)
    torch.testing.assert_close(ours.loss, theirs.loss)
    torch.testing.assert_close(ours.objective, theirs.objective)


@pytest.mark.parametrize("probe", ["linear", "pupl"])
def test_a_probe_leaves_the_encoder_and_its_statistics_alone(make, drawn_batch, probe):
    algorithm, batch = make(probe=probe), drawn_batch(3, 4, phase=PROBE)
    algorithm.encoder.append(torch.nn.BatchNorm1d(3).double())
    before = {name: value.clone() for name, value in algorithm.encoder.state_dict().items()}
    algorithm.train()
    algorithm.update(batch, [torch.optim.Adam(algorithm.parameters(), lr=0.1, weight_decay=0.1)])
    assert all(torch.equal(value, before[name]) for name, value in algorithm.encoder.state_dict().items())
    assert algorithm.head.weight.grad.abs().sum() > 0


def test_pseudo_labels_are_the_clusters_and_cost_cross_entropy(make, identity, batch_of):
    algorithm = PuNCE(identity(2), alpha=0.4, probe="pupl").double()
    algorithm.scaffold = algorithm.build_scaffold(5).double()
    pos = torch.tensor([[1.0, 0.0]])
    unl = torch.tensor([[2.0, 0.2], [0.0, 3.0], [0.3, 5.0], [7.0, 0.0]])
    algorithm.begin_phase(Glance(pos, unl))
    assert projection(algorithm).pseudo.tolist() == [1, 1, 0, 0, 1]
    with torch.no_grad():
        algorithm.head.weight.copy_(torch.tensor([[math.log(3), 0]]))
        algorithm.head.bias.zero_()
    loss = algorithm.step(batch_of(torch.cat([pos, unl]).double()[[0, 2]], 1, phase=PROBE)).loss
    assert loss.item() == pytest.approx((math.log(4 / 3) + math.log(2)) / 2)


@pytest.mark.parametrize("sizes", DEGENERATE)
@pytest.mark.parametrize("probe", ["finetune", "linear", "pupl"])
@pytest.mark.parametrize("phase", [CONTRAST, PROBE])
def test_a_batch_with_one_or_no_row_of_a_kind_has_a_finite_loss_and_slope(make, drawn_batch, sizes, probe, phase):
    algorithm = make(probe=probe)
    step = algorithm.step(drawn_batch(*sizes, phase=phase))
    step.loss.backward()
    assert torch.isfinite(step.loss)
    slopes = [p.grad for p in algorithm.parameters() if p.grad is not None]
    assert slopes
    assert all(torch.isfinite(slope).all() for slope in slopes)


@pytest.mark.parametrize("phase", [CONTRAST, PROBE])
def test_the_slope_is_that_of_the_loss(make, drawn_batch, slopes_agree, phase):
    algorithm = make()
    assert slopes_agree(algorithm, drawn_batch(2, 3, phase=phase))


@pytest.mark.parametrize(("epochs", "expected"), [(1, [1, 1]), (2, [1, 1]), (7, [3, 4]), (20, [10, 10])])
def test_the_phases_share_the_epochs_and_only_the_last_selects(make, epochs, expected):
    phases = make().phases(epochs=epochs, learning_rate=0.1)
    assert [phase.epochs for phase in phases] == expected
    assert [phase.selects for phase in phases] == [False, True]
    assert [phase.batches for phase in phases] == ["paired", "mixed"]


@pytest.mark.usefixtures("unchecked")
@pytest.mark.parametrize("options", [{"alpha": 0.0}, {"alpha": 1.0}, {"temperature": 0}, {"probe": "deep"}])
def test_options_out_of_range_are_refused(linear, options):
    with pytest.raises(SettingError, match=next(iter(options))):
        PuNCE(linear(), **{"alpha": 0.4, **options})
