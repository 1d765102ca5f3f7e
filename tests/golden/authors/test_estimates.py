"""Our estimates of priors and noise against those of the authors' published code, by values.json."""

import functools
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from angularpu.algorithms.tedn import TEDn
from angularpu.classical.rank_pruning import estimate_noise, prune
from angularpu.nets.linear import LinearEncoder
from angularpu.priors import dedpul, km2, tice
from angularpu.priors.bbe import estimate_bbe
from angularpu.priors.simplex import fit_weights
from angularpu.priors.tice_tree import grow_subsets

VALUES: dict[str, dict[str, Any]] = json.loads((Path(__file__).parent / "values.json").read_text())


def near(value: object) -> object:
    return pytest.approx(value, rel=1e-6, abs=1e-6)


def read(method: str) -> tuple[dict[str, Any], dict[str, Any]]:
    return VALUES[method]["inputs"], VALUES[method]["outputs"]


def test_bbe_is_the_source_s_best_bin():
    inputs, outputs = read("tedn")
    assert estimate_bbe(np.array(inputs["pos"]), np.array(inputs["unl"])).alpha == near(outputs["bbe"])


def test_tedn_discards_the_rows_that_the_source_does():
    inputs, outputs = read("tedn")
    unl = torch.tensor(inputs["unl"])
    algorithm = TEDn(LinearEncoder((1,), d=1))
    algorithm.scaffold = kept = algorithm.build_scaffold(len(unl))
    algorithm.alpha.fill_(inputs["alpha"])

    class View:
        phase = "discard"

        def index(self, which: str) -> Tensor:
            return torch.arange(len(unl))

        def scores(self, which: str) -> Tensor:
            return unl

        def embeddings(self, which: str) -> Tensor:
            raise NotImplementedError

        def held_scores(self) -> None:
            return None

    algorithm.begin_phase(View())
    assert kept.values.tolist() == outputs["kept"]


@pytest.mark.parametrize("name", ["fixed_point", "bend"])
def test_dedpul_has_the_source_s_mean_posterior(name):
    inputs, outputs = read("dedpul")
    means = dedpul._mean_posterior(np.array(inputs["ratios"][name]), np.array(inputs["negatives"]))
    assert means.tolist() == near(outputs[name]["means"])


def test_dedpul_finds_the_source_s_fixed_point(monkeypatch):
    """The source repeats EM until a step is below 1e-5; ours solves on a grid of 0.001, linear in between."""
    inputs, outputs = read("dedpul")
    monkeypatch.setattr(dedpul, "_smooth_ratio", lambda *_, **__: np.array(inputs["ratios"]["fixed_point"]))
    alpha = dedpul.estimate_dedpul(np.arange(10.0), np.arange(12.0)).alpha
    assert alpha == pytest.approx(1 - outputs["fixed_point"]["negatives"], abs=5e-5)


def test_dedpul_takes_the_bend_where_the_source_takes_the_first_step_beyond_it(monkeypatch):
    """Without a fixed point: the source's EM stops as soon as every row has a posterior above zero."""
    inputs, outputs = read("dedpul")
    ratio = np.array(inputs["ratios"]["bend"])
    monkeypatch.setattr(dedpul, "_smooth_ratio", lambda *_, **__: ratio)
    bend = 1 - 1 / ratio.max()
    assert dedpul.estimate_dedpul(np.arange(10.0), np.arange(12.0)).alpha == pytest.approx(1 - bend, abs=1e-3)
    negatives = 0.0
    while negatives <= bend:
        negatives = dedpul._mean_posterior(ratio, np.array([negatives]))[0]
    assert negatives == near(outputs["bend"]["negatives"])


def test_rank_pruning_has_the_source_s_rates_and_prunes_the_same_rows():
    """The rates of one set of probabilities: the source's mean over folds is difference 2."""
    inputs, outputs = read("rank_pruning")
    g, s = np.array(inputs["g"]), np.array(inputs["s"], np.int8)
    noise = estimate_noise(g, s)
    assert (noise.rho1, noise.prior, noise.pi0) == near((outputs["rho1"], outputs["prior"], outputs["pi0"]))
    assert np.setdiff1d(np.arange(len(g)), prune(g, s, pi0=noise.pi0)).tolist() == outputs["pruned"]


def test_tice_trusts_by_the_source_s_delta():
    for size, delta in read("tice")[1]["delta"].items():
        whole = np.array([float(size)])
        assert tice._bound(whole, whole, c=0.5) == near(1 - np.sqrt(0.25 * (1 - delta) / (delta * whole[0])))


def test_tice_bounds_c_as_the_source_does():
    """One column and one cut, for the source cuts a column once per branch; ours cuts its quarters again."""
    inputs, outputs = read("tice")
    case = inputs["cases"]["one_column"]
    x, labelled, fold = np.array(case["x"]), np.array(case["labelled"]) == 1, np.array(case["fold"])
    subsets = [grow_subsets(x, labelled, grown_on=fold == part, splits=1) for part in range(5)]
    c = 0.5
    for expected in outputs["one_column"]["rounds"]:
        bounds = [tice._bound(*each, c=c) for each in subsets]
        assert bounds == near(expected)
        c = float(np.mean(bounds))
    assert c == near(outputs["one_column"]["label_freq"])


def test_tice_lands_near_the_source_though_it_cuts_deeper():
    """The source's two rounds and one cut per column and branch; ours cuts on and repeats until c rests."""
    inputs, outputs = read("tice")
    for name, case in inputs["cases"].items():
        x, labelled = np.array(case["x"]), np.array(case["labelled"]) == 1
        label_freq = tice.estimate_tice(x[labelled], x[~labelled]).diagnostics["label_freq"]
        assert 0 <= label_freq - outputs[name]["label_freq"] < 0.04


@pytest.fixture
def kernel(monkeypatch) -> np.ndarray:
    """The source's kernel matrix, U first; KM2 is made to use it and to solve as closely as the source does."""
    inputs, outputs = read("km2")
    x = np.array([*inputs["unl"], *inputs["pos"]])
    values = np.exp(-np.square(x[:, None] - x[None]).sum(2) / (2 * outputs["width"] ** 2))
    monkeypatch.setattr(km2, "fit_weights", functools.partial(fit_weights, tolerance=1e-6))
    monkeypatch.setattr(km2, "_choose_kernel", lambda *_: (values, outputs["width"]))
    return values


def test_km2_measures_the_source_s_distances(kernel):
    """The source's solver stops at 1e-7 of the squared distance, ours after 2000 steps at the latest."""
    inputs, outputs = read("km2")
    n_pos, n_unl = len(inputs["pos"]), len(inputs["unl"])
    unl_law = np.repeat([1 / n_unl, 0], [n_unl, n_pos])
    curve = km2._Curve(kernel, unl_law, np.repeat([1 / n_unl, -1 / n_pos], [n_unl, n_pos]))
    for lambda_, expected in zip(inputs["lambdas"], outputs["distances"], strict=True):
        assert curve.measure(lambda_)[0] ** 2 == pytest.approx(expected**2, rel=1e-3, abs=3e-7)


def test_km2_stops_at_the_source_s_slope(kernel):
    """The source finds lambda to 0.04, by differences over 0.02; ours to 0.01, by the slope itself."""
    inputs, outputs = read("km2")
    found = km2.estimate_km2(np.array(inputs["pos"]), np.array(inputs["unl"]), rng=np.random.default_rng(0))
    assert found.diagnostics["lambda"] == pytest.approx(1 / (1 - outputs["km2"]), abs=0.04)


def test_km2_lands_near_the_source_with_scaled_columns_and_other_widths():
    inputs, outputs = read("km2")
    found = km2.estimate_km2(np.array(inputs["pos"]), np.array(inputs["unl"]), rng=np.random.default_rng(0))
    assert found.alpha == pytest.approx(outputs["km2"], abs=0.03)
