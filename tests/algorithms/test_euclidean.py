"""The Euclidean counterpart: score, objective, slopes, normalising at evaluation, options."""

import itertools
import math

import pytest
import torch

from angularpu.algorithms.euclidean import Euclidean
from angularpu.errors import SettingError


def naive_objective(algorithm: Euclidean, batch) -> float:
    """The losses row by row, with s = r - |f - mu|^2."""
    r = algorithm.radius if algorithm.radius != "softplus" else math.log(1 + math.exp(algorithm.raw_radius.item()))
    mu, n = algorithm.mu[0].tolist(), batch.n_pos
    positive = unlabelled = 0.0
    for number, f in enumerate(algorithm.encoder(batch.x).tolist()):
        s = algorithm.scale * (r - sum((p - q) ** 2 for p, q in zip(f, mu, strict=True)))
        sigmoid = 1 / (1 + math.exp(-s))
        if number < n:
            positive -= math.log(sigmoid)
        else:
            neutral = -0.5 * math.log(sigmoid) - 0.5 * math.log(1 - sigmoid)
            weights = {"prototype": sigmoid, "boundary": sigmoid * (1 - sigmoid), None: 1}
            unlabelled += neutral * weights[algorithm.weight]
    positive *= batch.positive_weight if algorithm.positives == "unbiased" else 1 / n
    return positive + unlabelled / (len(batch.x) - n)


def test_every_combination_of_switches_gives_the_objective_of_the_naive_loops(linear, drawn_batch):
    switches = {
        "radius": [0.7, "softplus"],
        "weight": ["prototype", "boundary", None],
        "positives": ["unbiased", "batch"],
        "normalise_at_evaluation": [True, False],
        "scale": [1.0, 2.5],
    }
    encoder, batch = linear(), drawn_batch(3, 4)
    for values in itertools.product(*switches.values()):
        options = dict(zip(switches, values, strict=True))
        algorithm = Euclidean(encoder, **options).double()
        assert algorithm.step(batch).loss.item() == pytest.approx(naive_objective(algorithm, batch), rel=1e-9), options


def test_score_and_terms_by_hand(identity, batch_of):
    algorithm = Euclidean(identity(2), radius=1.0).double()
    with torch.no_grad():
        algorithm.mu.copy_(torch.tensor([[1.0, 0.0]]))
    x = torch.tensor([[1.0, 1.0], [1.0, 0.0], [2.0, 2.0]], dtype=torch.float64)
    assert algorithm.score(x).tolist() == [0, 1, -4]
    terms = algorithm.step(batch_of(x, 1, positive_weight=2.0)).terms
    assert terms["positive"].item() == pytest.approx(2 * math.log(2))
    one, four = math.log(2 * math.cosh(0.5)), math.log(2 * math.cosh(2))
    assert terms["unlabelled"].item() == pytest.approx((one / (1 + math.exp(-1)) + four / (1 + math.exp(4))) / 2)


@pytest.mark.parametrize(
    "options", [{}, {"weight": None}, {"weight": "boundary"}, {"scale": 0.3, "positives": "batch"}]
)
def test_the_slope_is_that_of_the_objective(linear, drawn_batch, gradcheck, options):
    assert gradcheck(Euclidean(linear(), **options).double(), drawn_batch(2, 3))


def test_moving_embeddings_and_prototype_together_changes_nothing_but_stretching_does(identity):
    algorithm = Euclidean(identity(3)).double()
    x = torch.randn(6, 3, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    score = algorithm.score(x)
    assert not torch.allclose(algorithm.score(2 * x), score)
    with torch.no_grad():
        algorithm.mu.add_(5)
    torch.testing.assert_close(algorithm.score(x + 5), score)


def test_normalising_changes_evaluation_and_only_evaluation(linear, drawn_batch):
    algorithm, batch = Euclidean(linear(), normalise_at_evaluation=True).double(), drawn_batch(2, 3)
    with torch.no_grad():
        algorithm.mu.mul_(3)
    plain = Euclidean(linear()).double()
    plain.load_state_dict(algorithm.state_dict())
    torch.testing.assert_close(algorithm.score(batch.x), plain.score(batch.x))
    torch.testing.assert_close(algorithm.step(batch).loss, plain.step(batch).loss)
    algorithm.eval()
    plain.eval()
    # on the sphere |z - mu|^2 = 2 - 2 c
    f, mu = algorithm.encoder(batch.x), algorithm.mu[0]
    cosine = (f @ mu) / (f.norm(dim=1) * mu.norm())
    torch.testing.assert_close(algorithm.score(batch.x), algorithm.r - 2 + 2 * cosine)
    torch.testing.assert_close(algorithm.embed(batch.x), f / f.norm(dim=1, keepdim=True))
    torch.testing.assert_close(plain.embed(batch.x), f)
    assert not torch.allclose(algorithm.score(batch.x), plain.score(batch.x))


@pytest.mark.parametrize("sizes", [(1, 0), (0, 1), (1, 1), (3, 0), (0, 3)])
@pytest.mark.parametrize("positives", ["unbiased", "batch"])
def test_a_batch_with_one_or_no_row_of_a_kind_has_a_finite_loss_and_slope(linear, drawn_batch, sizes, positives):
    algorithm = Euclidean(linear(), positives=positives).double()
    step = algorithm.step(drawn_batch(*sizes))
    step.loss.backward()
    assert torch.isfinite(step.loss)
    assert all(torch.isfinite(parameter.grad).all() for parameter in algorithm.parameters())


def test_a_trained_radius_starts_at_one(linear):
    assert Euclidean(linear()).r.item() == pytest.approx(1)


@pytest.mark.parametrize(
    ("option", "values"),
    [
        ("radius", ["learnable", None, float("inf")]),
        ("weight", ["radius", True]),
        ("positives", ["all"]),
        ("normalise_at_evaluation", ["yes", None]),
        ("scale", [0, -1, "1"]),
    ],
)
@pytest.mark.usefixtures("unchecked")
def test_options_that_make_no_sense_are_refused_by_name(identity, option, values):
    for value in values:
        with pytest.raises(SettingError, match=f"^{option} must be .*, got "):
            Euclidean(identity(2), **{option: value})
