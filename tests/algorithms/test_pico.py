"""PiCO against a second implementation, row by row in plain Python."""

import math

import pytest
import torch

from angularpu.algorithms.momentum_pair import EMPTY, MomentumPair
from angularpu.algorithms.pico import PiCO, predict
from angularpu.errors import SettingError

DEGENERATE = [(1, 0), (0, 1), (1, 1), (3, 0), (0, 3), (1, 4), (4, 1)]


def pair_of(algorithm: PiCO) -> MomentumPair:
    return dict(algorithm.named_children())["scaffold"]


@pytest.fixture
def make(linear, drawn_batch):
    def build(*, started: bool, warm: bool = True, **options) -> PiCO:
        algorithm = PiCO(linear(), **{"queue": 7, "temperature": 0.5, **options}).double()
        algorithm.scaffold = algorithm.build_scaffold(20).double()
        if warm:  # away from where it starts, so that no term is right by accident
            for seed in (1, 2):
                batch = drawn_batch(1, 2, seed=seed)
                algorithm.step(batch)
                algorithm.after_step(batch)
        pair_of(algorithm).started.fill_(int(started))
        return algorithm

    return build


def naive(algorithm: PiCO, batch) -> float:
    """L = 1/2 E_P H + 1/2 E_U H + strength L_cont, one pair at a time."""
    pair, n, m = pair_of(algorithm), batch.n_pos, len(batch.x)
    h = algorithm.embed(batch.x)
    g = algorithm.head(h)[:, 0].tolist()
    q, k = pair.make_queries(h), pair.make_keys(batch.x)
    mean = sum(g[n:]) / (m - n)
    labels = [1 if i < n or g[i] > mean else 0 for i in range(m)]
    cost = [0.0, 0.0]
    for i in range(m):
        s = 1.0 if i < n else pair.beliefs[batch.index[i]].item()
        if pair.started and i >= n:
            near = int((q[i] @ pair.prototypes[1]) > (q[i] @ pair.prototypes[0]))
            s = 0.95 * s + 0.05 * near
        p = 1 / (1 + math.exp(-g[i]))
        cost[i >= n] += -s * math.log(p) - (1 - s) * math.log(1 - p)
    remembered = [(key, mark) for key, mark in zip(pair.keys, pair.marks.tolist(), strict=True) if mark != EMPTY]
    contrast = 0.0
    for i in range(m):
        if pair.started:
            others = [(q[j], labels[j]) for j in range(m) if j != i]
            others += [(k[j], labels[j]) for j in range(m)] + remembered
            peers = [z for z, label in others if label == labels[i]]
        else:
            others, peers = [(k[i], None), *remembered], [k[i]]
        below = sum(math.exp((q[i] @ z).item() / algorithm.temperature) for z, _ in others)
        logs = [(q[i] @ z).item() / algorithm.temperature - math.log(below) for z in peers]
        contrast += -sum(logs) / len(logs)
    return (batch.positive_weight * cost[0] + cost[1] / (m - n)) / 2 + algorithm.strength * contrast / m


@pytest.mark.parametrize("started", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_the_objective_is_that_of_the_naive_loops(make, drawn_batch, started, seed):
    algorithm, batch = make(started=started, strength=0.7), drawn_batch(2, 4, seed=seed)
    step = algorithm.step(batch)
    assert step.loss.item() == pytest.approx(naive(algorithm, batch), rel=1e-9)
    assert step.objective is step.loss


@pytest.mark.parametrize("started", [False, True])
def test_the_slope_is_that_of_the_loss(make, drawn_batch, slopes_agree, started):
    assert slopes_agree(make(started=started), drawn_batch(2, 3))


def test_what_a_batch_showed_is_kept_after_the_update_and_not_before(make, drawn_batch):
    algorithm, batch = make(started=True, warm=False), drawn_batch(2, 3)
    before = {name: value.clone() for name, value in algorithm.state_dict().items()}
    algorithm.step(batch)
    assert all(torch.equal(value, before[name]) for name, value in algorithm.state_dict().items())
    algorithm.after_step(batch)
    pair = pair_of(algorithm)
    assert pair.beliefs[:2].tolist() == [1, 1]
    assert set(pair.beliefs[2:5].tolist()) <= {0.95 * 0.5, 0.95 * 0.5 + 0.05}
    assert pair.beliefs[5:].tolist() == [0.5] * 15
    assert (pair.marks != EMPTY).sum() == 5
    assert pair.prototypes.norm(dim=1).tolist() == pytest.approx([1, 1])


@pytest.mark.usefixtures("unchecked")
def test_the_first_epoch_ends_the_contrast_with_own_keys_alone(make):
    algorithm = make(started=False)
    algorithm.on_epoch_end(None)
    assert pair_of(algorithm).started


def test_labelled_rows_are_positive_whatever_they_score_and_others_above_the_mean():
    assert predict(torch.tensor([-9.0, 1.0, 2.0, 6.0]), n_pos=1).tolist() == [1, 0, 0, 1]
    assert predict(torch.tensor([-9.0, 1.0]), n_pos=2).tolist() == [1, 1]


@pytest.mark.parametrize("sizes", DEGENERATE)
@pytest.mark.parametrize("started", [False, True])
def test_a_batch_with_one_or_no_row_of_a_kind_has_a_finite_loss_and_slope(make, drawn_batch, sizes, started):
    algorithm, batch = make(started=started, warm=started), drawn_batch(*sizes)
    step = algorithm.step(batch)
    step.loss.backward()
    algorithm.after_step(batch)
    assert torch.isfinite(step.loss)
    slopes = [p.grad for p in algorithm.parameters() if p.grad is not None]
    assert len(slopes) >= 4
    assert all(torch.isfinite(slope).all() for slope in slopes)


@pytest.mark.usefixtures("unchecked")
@pytest.mark.parametrize("options", [{"queue": 0}, {"temperature": 0}, {"strength": -1}])
def test_options_out_of_range_are_refused(linear, options):
    with pytest.raises(SettingError, match=next(iter(options))):
        PiCO(linear(), **options)
