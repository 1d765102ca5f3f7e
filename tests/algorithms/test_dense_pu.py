"""Dense-PU's style: an autoencoder of the positives, the rows far from them, and a classifier."""

import math

import numpy as np
import pytest
import torch

from angularpu.algorithms.autoencoding import MOST_POSITIVES, Decoder, densify
from angularpu.algorithms.dense_pu import CLASSIFY, REBUILD, DensePU, find_far
from angularpu.errors import SettingError
from angularpu.nets.build import build

DEGENERATE = [(1, 0), (0, 1), (1, 1), (3, 0), (0, 3), (1, 4), (4, 1)]


class Glance:
    """A view that scores given rows with the algorithm itself, as the loop's does."""

    phase = CLASSIFY

    def __init__(self, algorithm: DensePU, pos: torch.Tensor, unl: torch.Tensor) -> None:
        self.algorithm, self.parts = algorithm, {"positives": pos, "unlabelled": unl}

    def index(self, which: str) -> torch.Tensor:
        start = 0 if which == "positives" else len(self.parts["positives"])
        return torch.arange(start, start + len(self.parts[which]))

    @torch.no_grad()
    def embeddings(self, which: str) -> torch.Tensor:
        return self.algorithm.embed(self.parts[which])

    @torch.no_grad()
    def scores(self, which: str) -> torch.Tensor:
        return self.algorithm.score(self.parts[which])

    def held_scores(self) -> None:
        return None


def decoder_of(algorithm: DensePU) -> Decoder:
    return dict(algorithm.named_children())["scaffold"]


@pytest.fixture
def make(linear):
    def build_one(**options) -> DensePU:
        algorithm = DensePU(linear(), **options).double()
        algorithm.scaffold = algorithm.build_scaffold(400).double()
        return algorithm

    return build_one


def test_the_dense_set_has_every_code_and_the_midpoints_to_its_five_nearest():
    codes = torch.randn(9, 3, generator=torch.Generator().manual_seed(0))
    dense = densify(codes)
    assert torch.equal(dense[:9], codes)
    expected = []
    for i in range(9):
        near = sorted((torch.dist(codes[i], codes[j]).item(), j) for j in range(9) if j != i)[:5]
        expected += [(codes[i] + codes[j]) / 2 for _, j in near]
    torch.testing.assert_close(dense[9:], torch.stack(expected))


def test_one_code_is_its_own_dense_set_and_many_are_thinned_out():
    assert densify(torch.ones(1, 2)).tolist() == [[1, 1]]
    many = torch.arange(2.0 * MOST_POSITIVES)[:, None]
    assert len(densify(many)) == 6 * MOST_POSITIVES


def test_a_row_is_as_far_as_the_share_of_it_that_the_decoded_nearest_code_leaves_over(make):
    algorithm = make()
    decoder, draw = decoder_of(algorithm), torch.Generator().manual_seed(0)
    x, dense = (torch.randn(6, w, generator=draw, dtype=torch.float64) for w in (5, 3))
    codes = algorithm.embed(x)
    expected = ((decoder.layers(codes) - x) ** 2).sum(1) / (x**2).sum(1)
    torch.testing.assert_close(-algorithm.score(x), expected)
    decoder.dense = dense
    for row, code, distance in zip(x, codes, -algorithm.score(x), strict=True):
        nearest = min(range(6), key=lambda j: torch.dist(code, dense[j]).item())
        rebuilt = decoder.layers(dense[nearest])
        torch.testing.assert_close(distance, ((rebuilt - row) ** 2).sum() / (row**2).sum())


def test_a_long_row_is_no_farther_than_a_short_one_that_is_rebuilt_as_badly(identity):
    decoder = Decoder(build("linear", (2,), d=2), n_rows=1)
    decoder.layers = identity(2)
    x, z = torch.tensor([[1.0, 1.0], [10.0, 10.0], [0.0, 0.0]]), torch.tensor([[1.0, 0.0], [10.0, 0.0], [0.0, 0.0]])
    assert decoder.rebuild_error(x, z).tolist() == [0.5, 50, 0]
    assert decoder.measure(x, z).tolist() == [0.5, 0.5, 0]


def test_a_row_of_zeros_has_a_finite_distance(make):
    assert torch.isfinite(make().score(torch.zeros(1, 5, dtype=torch.float64))).all()


def test_a_row_scores_by_its_distance_until_negatives_are_known_and_then_by_the_logit(make, drawn_batch):
    algorithm, x = make(), drawn_batch(0, 4).x
    torch.testing.assert_close(algorithm.score(x), -decoder_of(algorithm).measure(x, algorithm.embed(x)))
    decoder_of(algorithm).negative[2] = 1
    torch.testing.assert_close(algorithm.score(x), algorithm.head(algorithm.embed(x))[:, 0])


def test_far_rows_lie_beyond_the_recall_quantile_of_the_positives():
    distance, known = torch.arange(100.0), torch.linspace(0, 50, 101)
    assert find_far(distance, known, recall=0.9).tolist() == [d >= 45 for d in range(100)]


def test_at_least_the_farthest_tenth_is_far():
    distance = torch.arange(100.0)
    assert find_far(distance, torch.full((5,), 1e6), recall=0.95).sum() == 10
    assert find_far(distance, torch.empty(0), recall=0.95).sum() == 10
    assert find_far(torch.ones(1), torch.empty(0), recall=0.95).all()


def test_rows_unlike_the_positives_become_negatives_and_few_hidden_positives_do(make, batch_of):
    algorithm, draw = make(), torch.Generator().manual_seed(0)
    optimizer = torch.optim.Adam(algorithm.parameters(), lr=1e-2)
    pos, hidden = (torch.randn(n, 5, generator=draw, dtype=torch.float64) * 0.3 + 1 for n in (100, 150))
    other = torch.randn(150, 5, generator=draw, dtype=torch.float64) * 0.3 - 2
    for _ in range(100):
        optimizer.zero_grad()
        algorithm.step(batch_of(pos, len(pos), positive_weight=1 / len(pos), phase=REBUILD)).loss.backward()
        optimizer.step()
    algorithm.begin_phase(Glance(algorithm, pos, torch.cat([hidden, other])))
    decoder = decoder_of(algorithm)
    assert decoder.dense is None
    negative = decoder.negative.numpy()
    assert not negative[:100].any()
    assert np.mean(negative[100:250]) < 0.12
    assert negative[250:400].all()


def test_the_classifier_learns_from_positives_and_far_rows_alone(identity, batch_of):
    algorithm = DensePU(build("linear", (1,), d=1)).double()
    algorithm.scaffold = algorithm.build_scaffold(4).double()
    algorithm.encoder = identity(1)
    decoder_of(algorithm).negative[2] = 1
    with torch.no_grad():
        algorithm.head.weight.fill_(1)
        algorithm.head.bias.fill_(0)
    x = torch.tensor([[math.log(3)], [5.0], [math.log(2)], [9.0]], dtype=torch.float64)
    terms = algorithm.step(batch_of(x, 1, positive_weight=1.0, phase=CLASSIFY)).terms
    assert terms["positive"].item() == pytest.approx(math.log(4 / 3))
    assert terms["negative"].item() == pytest.approx(math.log(3))


@pytest.mark.parametrize("phase", [REBUILD, CLASSIFY])
def test_the_slope_is_that_of_the_loss(make, drawn_batch, slopes_agree, phase):
    algorithm = make()
    decoder_of(algorithm).negative[3:] = 1
    assert slopes_agree(algorithm, drawn_batch(2, 3, phase=phase))


@pytest.mark.parametrize("sizes", DEGENERATE)
@pytest.mark.parametrize("phase", [REBUILD, CLASSIFY])
def test_a_batch_with_one_or_no_row_of_a_kind_has_a_finite_loss_and_slope(make, drawn_batch, sizes, phase):
    algorithm = make()
    step = algorithm.step(drawn_batch(*sizes, phase=phase))
    step.loss.backward()
    assert torch.isfinite(step.loss)
    assert all(torch.isfinite(p.grad).all() for p in algorithm.parameters() if p.grad is not None)


@pytest.mark.parametrize(
    ("encoder", "shape", "width"),
    [("mlp", (7,), 7), ("mlp", (1, 9, 9), 81), ("cnn13", (3, 20, 12), 3 * 256), ("linear", (4,), 4)],
)
def test_vectors_are_rebuilt_whole_and_images_by_convolutions_at_sixteen_pixels(encoder, shape, width):
    algorithm = DensePU(build(encoder, shape, d=8))
    decoder = algorithm.build_scaffold(10)
    assert decoder.layers[-1].out_features == width
    x = torch.randn(3, *shape)
    assert decoder.measure(x, algorithm.embed(x)).shape == (3,)


def test_an_encoder_that_hides_its_input_is_refused(identity):
    with pytest.raises(SettingError, match="tells the shape of a row"):
        DensePU(identity(3)).build_scaffold(5)


@pytest.mark.parametrize(("epochs", "expected"), [(1, [1, 1]), (2, [1, 1]), (10, [3, 7]), (20, [6, 14])])
def test_the_phases_share_the_epochs_and_only_the_last_selects(make, epochs, expected):
    phases = make().phases(epochs=epochs, learning_rate=0.1)
    assert [phase.epochs for phase in phases] == expected
    assert [phase.selects for phase in phases] == [False, True]


@pytest.mark.usefixtures("unchecked")
@pytest.mark.parametrize("recall", [0, 1.1, "most"])
def test_options_out_of_range_are_refused(linear, recall):
    with pytest.raises(SettingError, match="recall"):
        DensePU(linear(), recall=recall)
