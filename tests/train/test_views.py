"""Views: other rows that are still the same, by the kind of input."""

import pytest
import torch

from angularpu.train import views
from angularpu.train.views import VIEWS, view_images, view_tokens, view_vectors

SHAPES = {"dense": (50, 7), "frame": (50, 7), "sparse": (50, 30), "image": (20, 3, 16, 12)}


def seeded(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def rows(kind: str, seed: int = 0, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    return torch.randn(SHAPES[kind], generator=seeded(seed), dtype=dtype)


def move(image: torch.Tensor, down: int, right: int, *, mirrored: bool) -> torch.Tensor:
    """Take each pixel from (row + down, column + right), or from the edge where there is none; then mirror."""
    h, w = image.shape[1:]
    moved = torch.empty_like(image)
    for row in range(h):
        for column in range(w):
            moved[:, row, column] = image[:, min(max(row + down, 0), h - 1), min(max(column + right, 0), w - 1)]
    return moved.flip(2) if mirrored else moved


@pytest.mark.parametrize("kind", VIEWS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_a_view_has_the_rows_shape_and_type_and_leaves_them_as_they_were(kind, dtype):
    x = rows(kind, dtype=dtype)
    view = VIEWS[kind](x, seeded(1))
    assert (view.shape, view.dtype) == (x.shape, dtype)
    assert torch.equal(x, rows(kind, dtype=dtype))
    assert all(not torch.equal(a, b) for a, b in zip(x, view, strict=True))


@pytest.mark.parametrize("kind", VIEWS)
def test_a_view_follows_from_its_generator_alone(kind):
    x, generator = rows(kind), seeded(1)
    first, second = (VIEWS[kind](x, generator) for _ in range(2))
    assert torch.equal(first, VIEWS[kind](x, seeded(1)))
    assert not torch.equal(first, second)
    with torch.random.fork_rng():
        torch.manual_seed(5)
        before = torch.get_rng_state()
        VIEWS[kind](x, seeded(1))
        assert torch.equal(torch.get_rng_state(), before)


@pytest.mark.parametrize("kind", VIEWS)
def test_the_mean_of_many_views_is_near_the_row_or_a_fifth_below(kind):
    x = rows(kind) + 2
    many = torch.stack([VIEWS[kind](x, seeded(seed)) for seed in range(400)]).mean(0)
    share = 1 if kind == "image" else 1 - views.DROPPED
    assert many.mean().item() == pytest.approx(share * x.mean().item(), rel=0.03)


def test_a_fifth_of_a_vector_is_noise_alone_and_the_rest_the_row_with_noise():
    x = torch.full((400, 50), 10.0)
    view = view_vectors(x, seeded())
    dropped = view < 5
    assert dropped.float().mean().item() == pytest.approx(0.2, abs=0.01)
    assert view[dropped].std().item() == pytest.approx(0.1, rel=0.05)
    assert (view - x)[~dropped].std().item() == pytest.approx(0.1, rel=0.05)


def test_a_text_loses_words_and_gains_none():
    x = (torch.rand(200, 40, generator=seeded()) < 0.3).float()
    view = view_tokens(x, seeded(1))
    assert ((view == 0) | (view == x)).all()
    assert view.sum().item() == pytest.approx(0.8 * x.sum().item(), rel=0.03)


def test_images_are_shifted_and_mirrored_as_one_pixel_at_a_time_would(monkeypatch):
    monkeypatch.setattr(views, "COLOUR", 0.0)
    x = rows("image")
    seen = set()
    for image, view in zip(x, view_images(x, seeded(3)), strict=True):
        ways = [
            (down, right, mirrored)
            for down in range(-2, 3)
            for right in range(-2, 3)
            for mirrored in (False, True)
            if torch.equal(view, move(image, down, right, mirrored=mirrored))
        ]
        assert len(ways) == 1
        seen.add(ways[0])
    assert {mirrored for *_, mirrored in seen} == {False, True}
    assert len(seen) > 10


def test_colours_change_by_channel_and_image_within_bounds():
    x = torch.tensor([0.0, 1.0])[:, None, None, None].expand(2, 3, 8, 8).repeat(200, 1, 1, 1)
    view = view_images(x, seeded())
    assert (view.flatten(2).std(2) < 1e-6).all()  # a plain image stays plain, wherever it is moved
    black, white = view[::2, :, 0, 0], view[1::2, :, 0, 0]
    assert black.abs().max().item() <= views.COLOUR
    assert (white - 1).abs().max().item() <= 2 * views.COLOUR
    assert len(black.unique()) == black.numel()


def test_the_smallest_image_and_no_rows_at_all_have_views():
    assert view_images(torch.ones(3, 1, 1, 1), seeded()).shape == (3, 1, 1, 1)
    for kind, shape in SHAPES.items():
        assert VIEWS[kind](torch.empty(0, *shape[1:]), seeded()).shape == (0, *shape[1:])
