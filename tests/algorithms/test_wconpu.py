"""WConPU's objective against a second implementation, row by row in plain Python."""

import math

import numpy as np
import pytest
import torch

from angularpu.algorithms.momentum_pair import EMPTY
from angularpu.algorithms.threshold_pair import ThresholdPair
from angularpu.algorithms.wconpu import UNSURE, WConPU
from angularpu.errors import SettingError
from angularpu.nets.linear import LinearEncoder

DEGENERATE = [(1, 0), (0, 1), (1, 1), (3, 0), (0, 3), (1, 4), (4, 1)]
ALPHA = 0.3


def pair_of(algorithm: WConPU) -> ThresholdPair:
    return dict(algorithm.named_children())["scaffold"]


@pytest.fixture
def make(drawn_batch):
    def build(*, started: bool, warm: bool = True, **options) -> WConPU:
        encoder = LinearEncoder((5,), d=16)  # wide enough that no two rows have the same query
        algorithm = WConPU(encoder, **{"alpha": ALPHA, "queue": 30, "temperature": 0.5, **options}).double()
        algorithm.scaffold = algorithm.build_scaffold(40).double()
        if warm:  # away from where it starts, so that no term is right by accident
            for seed in range(1, 6):
                batch = drawn_batch(2, 4, seed=seed)
                algorithm.step(batch)
                algorithm.after_step(batch)
            pair_of(algorithm).confidence.fill_(0.56)
            pair_of(algorithm).shares.copy_(torch.tensor([0.5, 0.48]))
        pair_of(algorithm).started.fill_(int(started))
        return algorithm

    return build


def nearest(pair: ThresholdPair, z: torch.Tensor) -> int:
    return int((z @ pair.prototypes[1]) > (z @ pair.prototypes[0]))


def naive_contrast(algorithm: WConPU, q: torch.Tensor, k: torch.Tensor, labels: list[int], marks: list[int]) -> float:
    pair, rho, total = pair_of(algorithm), algorithm.temperature, 0.0
    queue = [(key, mark) for key, mark in zip(pair.keys, pair.marks.tolist(), strict=True) if mark != EMPTY]
    for i in range(len(q)):
        peers = [k[i]]
        if pair.started:
            others = [(z[j], marks[j]) for z in (q, k) for j in range(len(q)) if j != i] + queue
            peers += [z for z, mark in others if mark == labels[i]]
            apart = [(((q[i] - z) ** 2).sum().item() / 4, z, mark) for z, mark in queue]
            other = [entry for entry in apart if nearest(pair, entry[1]) != nearest(pair, q[i])]
            cut = np.quantile([entry[0] for entry in other], 0.25) if other else -1
            hard = [(d, z) for d, z, mark in other if d <= cut + 1e-12 and mark != labels[i]]
            below = sum(math.exp((q[i] @ z).item() / rho) / d for d, z in hard)
        else:
            below = sum(math.exp((q[i] @ z).item() / rho) for z, _ in queue)
        below += sum(math.exp((q[i] @ z).item() / rho) for z in peers)
        total += -sum((q[i] @ z).item() / rho - math.log(below) for z in peers) / len(peers)
    return total / len(q)


def naive(algorithm: WConPU, batch) -> float:
    """L = mean H(s, g) + gamma0 L_con + gamma1 [2 pi |mean_P p - 1| + |mean_U p - pi|], one row at a time."""
    pair, n, m = pair_of(algorithm), batch.n_pos, len(batch.x)
    h = algorithm.embed(batch.x)
    p = torch.sigmoid(algorithm.head(h)[:, 0]).tolist()
    q, k = pair.make_queries(h), pair.make_keys(batch.x)
    tau, (rare, common) = pair.confidence.item(), sorted(pair.shares.tolist())
    assert pair.shares[1] == rare
    labels, marks, entropy = [], [], 0.0
    for i in range(m):
        labels.append(1 if i < n or p[i] > 0.5 else 0)
        threshold = tau * (rare / common if labels[i] else 1)
        marks.append(labels[i] if i < n or max(p[i], 1 - p[i]) >= threshold else UNSURE)
        s = 1.0 if i < n else pair.beliefs[batch.index[i]].item()
        if pair.started and i >= n:
            s = 0.9 * s + 0.1 * nearest(pair, q[i])
        entropy += -s * math.log(p[i]) - (1 - s) * math.log(1 - p[i])
    alignment = 2 * ALPHA * batch.positive_weight * sum(1 - value for value in p[:n])
    alignment += abs(sum(p[n:]) / (m - n) - ALPHA)
    contrast = naive_contrast(algorithm, q, k, labels, marks)
    return entropy / m + algorithm.gamma0 * contrast + algorithm.gamma1 * alignment


@pytest.mark.parametrize("started", [False, True])
@pytest.mark.parametrize("seed", range(10, 13))
def test_the_objective_is_that_of_the_naive_loops(make, drawn_batch, started, seed):
    algorithm, batch = make(started=started, gamma0=0.7, gamma1=0.4), drawn_batch(2, 6, seed=seed)
    assert algorithm.step(batch).loss.item() == pytest.approx(naive(algorithm, batch), rel=1e-6)


def test_the_slope_is_that_of_the_loss(make, drawn_batch, slopes_agree):
    assert slopes_agree(make(started=False), drawn_batch(2, 3))
    # the weights of hard negatives are constants to the slope: losses/contrastive.py is checked with such weights
    assert slopes_agree(make(started=True, gamma0=0.0), drawn_batch(2, 3))


def test_the_alignment_is_zero_at_the_right_label_distribution(make, batch_of, identity):
    algorithm = WConPU(identity(1), alpha=0.5).double()
    algorithm.scaffold = algorithm.build_scaffold(10).double()
    with torch.no_grad():
        algorithm.head.weight.fill_(1)
        algorithm.head.bias.fill_(-50)
    x = torch.tensor([[100.0], [100.0], [0.0]], dtype=torch.float64)
    aligned = algorithm.step(batch_of(x, 1, positive_weight=1.0)).terms["alignment"]
    assert aligned.item() == pytest.approx(0, abs=1e-12)
    all_negative = algorithm.step(batch_of(0 * x, 1, positive_weight=1.0)).terms["alignment"]
    assert all_negative.item() == pytest.approx(2 * 0.5 + 0.5)


def test_unlabelled_rows_begin_at_alpha(make, drawn_batch):
    algorithm, batch = make(started=False, warm=False), drawn_batch(2, 3)
    algorithm.step(batch)
    algorithm.after_step(batch)
    assert pair_of(algorithm).beliefs[:6].tolist() == pytest.approx([1, 1, ALPHA, ALPHA, ALPHA, ALPHA])


def test_a_row_below_the_threshold_is_nobodys_peer_but_a_labelled_one_always_is(make, drawn_batch):
    algorithm, batch = make(started=True), drawn_batch(2, 4)
    pair_of(algorithm).confidence.fill_(2.0)
    algorithm.step(batch)
    algorithm.after_step(batch)
    newest = pair_of(algorithm).marks.roll(-pair_of(algorithm).place.item())[-6:]
    assert newest.tolist() == [1, 1, UNSURE, UNSURE, UNSURE, UNSURE]


@pytest.mark.parametrize("sizes", DEGENERATE)
@pytest.mark.parametrize("started", [False, True])
@pytest.mark.parametrize("warm", [False, True])
def test_a_batch_with_one_or_no_row_of_a_kind_has_a_finite_loss_and_slope(make, drawn_batch, sizes, started, warm):
    algorithm, batch = make(started=started, warm=warm), drawn_batch(*sizes)
    step = algorithm.step(batch)
    step.loss.backward()
    algorithm.after_step(batch)
    assert torch.isfinite(step.loss)
    slopes = [p.grad for p in algorithm.parameters() if p.grad is not None]
    assert len(slopes) >= 4
    assert all(torch.isfinite(slope).all() for slope in slopes)


@pytest.mark.usefixtures("unchecked")
@pytest.mark.parametrize("options", [{"alpha": 1.0}, {"queue": 0}, {"temperature": 0}, {"gamma0": -1}, {"gamma1": -1}])
def test_options_out_of_range_are_refused(linear, options):
    with pytest.raises(SettingError, match=next(iter(options))):
        WConPU(linear(), **{"alpha": 0.4, **options})
