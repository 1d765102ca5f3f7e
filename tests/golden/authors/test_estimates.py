"""Our estimates of priors and noise against those of the authors' published code, by values.json."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from scipy.special import expit
from torch import Tensor

from angularpu.algorithms.tedn import TEDn
from angularpu.classical.rank_pruning import estimate_noise, prune
from angularpu.nets.linear import LinearEncoder
from angularpu.priors import dedpul, km2, pulscar, tice
from angularpu.priors.bbe import estimate_bbe
from angularpu.priors.density_ratio import estimate_ratio
from angularpu.priors.kernel_density import count_shares, smooth_beta
from angularpu.priors.tice_tree import Tree

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
def test_dedpul_has_the_source_s_posteriors_and_share_of_negatives(name):
    """One ratio at which EM comes to rest, and one at which every posterior exceeds zero before."""
    inputs, outputs = read("dedpul")
    ratio = np.array(inputs["ratios"][name])
    means = dedpul._Posterior(ratio).average(np.array(inputs["negatives"]))
    assert means.tolist() == near(outputs[name]["means"])
    assert dedpul.find_negatives(ratio)[0] == near(outputs[name]["negatives"])


def test_dedpul_s_ratio_and_alpha_are_the_source_s_within_its_grid():
    """Sixty labelled, 240 unlabelled; the source's running maximum begins elsewhere, and its densities are exact."""
    inputs, outputs = read("dedpul")
    pos, unl = np.array(inputs["scores"]["pos"]), np.array(inputs["scores"]["unl"])
    assert estimate_ratio(pos, unl)[::10].tolist() == pytest.approx(outputs["scores"]["ratio"], abs=0.01)
    assert dedpul.estimate_dedpul(pos, unl).alpha == pytest.approx(1 - outputs["scores"]["negatives"], abs=0.002)


def test_pulscar_has_the_source_s_bandwidth_and_densities():
    """The source divides each density by its sum, and does not count on a grid."""
    inputs, outputs = read("pulscar")
    found = pulscar.estimate_pulscar(np.array(inputs["pos"]), np.array(inputs["unl"])).diagnostics
    assert found["points"] == outputs["points"]
    assert found["bandwidth"] == pytest.approx(outputs["bandwidth"], rel=1e-3)
    for name, density in zip(("density_pos", "density_unl"), _beta_densities(inputs, outputs), strict=True):
        assert (density / density.sum()).tolist() == pytest.approx(outputs[name], rel=1e-3)


def test_pulscar_s_alpha_is_the_source_s_once_its_sums_are_taken_out():
    inputs, outputs = read("pulscar")
    pos, unl = _beta_densities(inputs, outputs)
    alpha = pulscar.estimate_pulscar(np.array(inputs["pos"]), np.array(inputs["unl"])).alpha
    assert alpha * pos.sum() / unl.sum() == pytest.approx(outputs["alpha"], abs=5e-4)


def _beta_densities(inputs: dict[str, Any], outputs: dict[str, Any]) -> list[np.ndarray]:
    pos, unl = np.array(inputs["pos"]), np.array(inputs["unl"])
    shares = [expit(score + np.log(len(unl) / len(pos))) for score in (pos, unl)]
    return [smooth_beta(count_shares(each), outputs["bandwidth"], points=outputs["points"]) for each in shares]


def test_rank_pruning_has_the_source_s_rates_and_prunes_the_same_rows():
    """The rates of one set of probabilities: the source's mean over folds is difference 2."""
    inputs, outputs = read("rank_pruning")
    g, s = np.array(inputs["g"]), np.array(inputs["s"], np.int8)
    noise = estimate_noise(g, s)
    assert (noise.rho1, noise.prior, noise.pi0) == near((outputs["rho1"], outputs["prior"], outputs["pi0"]))
    assert np.setdiff1d(np.arange(len(g)), prune(g, s, pi0=noise.pi0)).tolist() == outputs["pruned"]


def test_tice_trusts_by_the_source_s_delta():
    for size, delta in read("tice")[1]["delta"].items():
        rows = np.zeros((int(size) + 1, 1), np.intp)
        tree = Tree(rows, np.ones(len(rows), np.bool_), grown_on=np.arange(len(rows)) == 0, c=0.5)
        assert tree.spread == near(0.25 * (1 - delta) / delta)


@pytest.mark.parametrize("name", ["one_column", "two_columns"])
def test_tice_bounds_c_as_the_source_does(name):
    """Every fold of both rounds, from rows in [0, 1]."""
    inputs, outputs = read("tice")
    case = inputs["cases"][name]
    x, labelled, fold = np.array(case["x"]), np.array(case["labelled"]) == 1, np.array(case["fold"])
    quarter = np.minimum((x * 4).astype(np.intp), 3) + 4 * np.arange(x.shape[1])
    bounds, _ = tice.bound_label_freq(quarter, labelled, fold=fold, splits=500)
    assert bounds == [near(each) for each in outputs[name]["rounds"]]
    assert np.mean(bounds[-1]) == near(outputs[name]["label_freq"])


def test_km2_measures_the_source_s_distances():
    """The source's solver stops at 1e-7 of the squared distance, ours at 1e-4 of the distance of F_U and F_P."""
    inputs, outputs = read("km2")
    x = np.array([*inputs["unl"], *inputs["pos"]])
    kernel = np.exp(-np.square(x[:, None] - x[None]).sum(2) / (2 * outputs["width"] ** 2))
    n_pos, n_unl = len(inputs["pos"]), len(inputs["unl"])
    unl_law = np.repeat([1 / n_unl, 0], [n_unl, n_pos])
    curve = km2._Curve(kernel, unl_law, np.repeat([1 / n_unl, -1 / n_pos], [n_unl, n_pos]))
    for lambda_, expected in zip(inputs["lambdas"], outputs["distances"], strict=True):
        assert curve.measure(lambda_) ** 2 == pytest.approx(expected**2, rel=1e-3, abs=3e-7)


def test_km2_has_the_source_s_kernel_and_stops_a_step_from_it_at_most():
    """Steps of bisection are 7/256 wide; the source's first, smallest distance is wrong by its solver's tolerance."""
    inputs, outputs = read("km2")
    found = km2.estimate_km2(np.array(inputs["pos"]), np.array(inputs["unl"]), rng=np.random.default_rng(0))
    assert found.diagnostics["width"] == near(outputs["width"])
    assert found.diagnostics["lambda"] == pytest.approx(1 / (1 - outputs["km2"]), abs=7.1 / 256)
