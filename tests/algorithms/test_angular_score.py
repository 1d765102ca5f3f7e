"""The score of AngularPU: its range, what it does not depend on, and options that make no sense."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from angularpu.algorithms.angular import Angular
from angularpu.errors import SettingError

exact = settings(deadline=None, derandomize=True, max_examples=25)


def embedded(identity, d: int, **options) -> Angular:
    algorithm = Angular(identity(d), **options).double()
    with torch.no_grad():
        algorithm.mu.div_(algorithm.mu.norm())  # it was drawn in float32
    return algorithm


def rows(n: int, d: int, seed: int) -> torch.Tensor:
    return torch.randn(n, d, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


@exact
@given(kappa=st.floats(0.1, 50), seed=st.integers(0, 99))
def test_scores_lie_between_minus_kappa_and_kappa_and_reach_both(identity, kappa, seed):
    algorithm = embedded(identity, 4, kappa=kappa)
    x = torch.cat([rows(20, 4, seed), algorithm.mu.detach(), -algorithm.mu.detach()])
    score = algorithm.score(x).detach()
    assert (score.abs() <= kappa * (1 + 1e-12)).all()
    assert score[-2:].tolist() == pytest.approx([kappa, -kappa])


@exact
@given(seed=st.integers(0, 99), logit=st.sampled_from(["cosine", "margin"]))
def test_turning_embeddings_and_prototype_together_changes_nothing(identity, batch_of, seed, logit):
    algorithm = embedded(identity, 4, logit=logit)
    turn = torch.linalg.qr(rows(4, 4, seed))[0]
    x = rows(9, 4, seed + 1)
    score, loss = algorithm.score(x), algorithm.step(batch_of(x, 3)).loss
    with torch.no_grad():
        algorithm.mu.copy_(algorithm.mu @ turn)
    torch.testing.assert_close(algorithm.score(x @ turn), score)
    torch.testing.assert_close(algorithm.step(batch_of(x @ turn, 3)).loss, loss)


@exact
@given(seed=st.integers(0, 99), scale=st.floats(1e-6, 1e6))
def test_the_length_of_an_embedding_changes_nothing(identity, batch_of, seed, scale):
    algorithm, x = embedded(identity, 4), rows(9, 4, seed)
    stretch = torch.logspace(0, 2, 9, dtype=torch.float64)[:, None] * scale
    torch.testing.assert_close(algorithm.score(stretch * x), algorithm.score(x))
    torch.testing.assert_close(algorithm.step(batch_of(stretch * x, 3)).loss, algorithm.step(batch_of(x, 3)).loss)


def test_the_score_is_kappa_times_the_cosine_by_hand(identity):
    algorithm = embedded(identity, 2, kappa=5)
    with torch.no_grad():
        algorithm.mu.copy_(torch.tensor([[0.6, 0.8]], dtype=torch.float64))
    x = torch.tensor([[3.0, 4.0], [-4.0, 3.0], [10.0, 0.0]], dtype=torch.float64)
    assert algorithm.score(x).tolist() == pytest.approx([5, 0, 3])


def test_embeddings_have_length_one(linear):
    algorithm = Angular(linear()).double()
    torch.testing.assert_close(algorithm.embed(rows(7, 5, 0)).norm(dim=1), torch.ones(7, dtype=torch.float64))


def test_the_prototype_starts_on_the_sphere_anywhere_and_by_the_global_generator(identity):
    torch.manual_seed(3)
    one, two = Angular(identity(6)).mu, Angular(identity(6)).mu
    torch.manual_seed(3)
    again = Angular(identity(6)).mu
    assert torch.equal(one, again)
    assert not torch.equal(one, two)
    assert one.norm().item() == pytest.approx(1)


@pytest.mark.parametrize(
    ("option", "values"),
    [
        ("kappa", [0, -1, float("nan"), float("inf"), "3", True, None]),
        ("logit", ["cos", None, 1]),
        ("margin", [1.1, -1.1, "learned", None, float("nan")]),
        ("sharpness", [0, -10, "soft", None]),
        ("weight", ["protoype", "none", False]),
        ("detach_weight", ["no", None, 2]),
        ("positives", ["all", None]),
        ("positive_loss", ["neutral", None]),
        ("lambda_", [-0.1, "0.5", float("inf")]),
        ("t", [0, -2, "2"]),
        ("dispersion_on", ["positives", None]),
    ],
)
@pytest.mark.usefixtures("unchecked")
def test_options_that_make_no_sense_are_refused_by_name(identity, option, values):
    for value in values:
        with pytest.raises(SettingError, match=f"^{option} must be .*, got "):
            Angular(identity(2), **{option: value})


@pytest.mark.parametrize(
    ("option", "words"),
    [("margin", "'learnable', 'softplus' or a number"), ("sharpness", "'learnable' or a number above 0")],
)
@pytest.mark.usefixtures("unchecked")
def test_the_words_that_stand_for_a_number_are_named(identity, option, words):
    with pytest.raises(SettingError, match=words):
        Angular(identity(2), **{option: "trained"})


@pytest.mark.usefixtures("unchecked")
def test_numbers_of_numpy_are_numbers(identity):
    algorithm = Angular(identity(2), kappa=np.int64(4), t=np.float32(1.5), margin=np.float64(0.25))
    assert (algorithm.kappa, algorithm.t, algorithm.margin) == (4.0, 1.5, 0.25)
