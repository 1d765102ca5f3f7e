"""The authors' estimates of priors and noise, on the inputs of values.json."""

import heapq
import math
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from excerpt import Inputs, take, use_torch
from scipy import stats
from scipy.optimize import minimize_scalar
from scipy.special import expit


def run_tedn(checkout: Path, inputs: Inputs) -> Any:
    torch = use_torch()["torch"]
    pos, unl = np.array(inputs["pos"]), np.array(inputs["unl"])
    estimate = take(checkout / "estimator.py", "DKW_bound", "BBE_estimator", **use_torch())["BBE_estimator"]
    rank = take(checkout / "algorithm.py", "rank_inputs", **use_torch())["rank_inputs"]
    logits = torch.tensor(np.stack([np.log(unl), np.log(1 - unl)], 1))
    rows = torch.arange(len(unl)), logits, None, torch.zeros(len(unl))
    kept, _ = rank(0, torch.nn.Identity(), [rows], "cpu", inputs["alpha"], len(unl))
    return {"bbe": estimate(pos, unl[:, None], np.zeros(len(unl)))[0], "kept": kept.tolist()}


def run_dedpul(checkout: Path, inputs: Inputs) -> Any:
    """Needs pandas."""
    import pandas

    class Series(pandas.Series):
        """Takes ``center``, which expanding windows had before pandas 2."""

        @property
        def _constructor(self) -> type:
            return Series

        def expanding(self, center: bool = False) -> Any:
            return super().expanding()

    old = SimpleNamespace(**vars(np), NaN=np.nan), SimpleNamespace(Series=Series)
    smooth = take(checkout / "utils.py", "rolling_apply", "MonotonizingTrends", np=old[0], pd=old[1])
    names = "estimate_diff", "estimate_poster_dedpul", "estimate_poster_em"
    code = take(checkout / "algorithms.py", *names, **smooth | {"np": np, "gaussian_kde": stats.gaussian_kde})
    outputs = {}
    for name, ratio in inputs["ratios"].items():
        means = [code["estimate_poster_dedpul"](np.array(ratio), alpha=a)[1].mean() for a in inputs["negatives"]]
        outputs[name] = {"means": means, "negatives": float(code["estimate_poster_em"](diff=np.array(ratio))[0])}
    pos, unl = np.array(inputs["scores"]["pos"]), np.array(inputs["scores"]["unl"])
    share = expit(-np.concatenate([pos, unl]) - np.log(len(unl) / len(pos)))  # the probability of U, at equal sizes
    ratio = code["estimate_diff"](share, np.repeat([0, 1], [len(pos), len(unl)]))
    negatives = float(code["estimate_poster_em"](diff=ratio)[0])
    return {**outputs, "scores": {"ratio": np.sort(ratio)[::10].tolist(), "negatives": negatives}}


def run_pulscar(checkout: Path, inputs: Inputs) -> Any:
    names = "nearest_power_two", "compute_bin_count", "compute_hist_pdf", "beta_kernel", "compute_beta_kernel_density"
    names += "minimize_mse", "err_function", "PositiveFractionEstimation"
    path = checkout / "PULSNAR" / "puestimator" / "AlphaEstimate.py"
    code = take(path, *names, np=np, stats=stats, minimize_scalar=minimize_scalar)
    pos, unl = np.array(inputs["pos"]), np.array(inputs["unl"])
    share = expit(np.concatenate([pos, unl]) + np.log(len(unl) / len(pos)))  # the source weights both groups alike
    labelled = np.repeat([1, 0], [len(pos), len(unl)])
    estimator = code["PositiveFractionEstimation"](optim="local")
    points = int(code["compute_bin_count"](share))
    bandwidth = estimator.calculate_bandwidth_hist(share, points)
    density = [code["compute_beta_kernel_density"](share[labelled == s], points, bandwidth)[1].tolist() for s in (1, 0)]
    return {
        "points": points,
        "bandwidth": bandwidth,
        "density_pos": density[0],
        "density_unl": density[1],
        "alpha": estimator.estimate_positive_fraction_in_unlabeled(share, labelled),
    }


def run_rank_pruning(checkout: Path, inputs: Inputs) -> Any:
    names = "compute_conf_counts_noise_rates_from_probabilities", "compute_ps1_py1_pi1_pi0", "get_noise_indices"
    code = take(checkout / "rankpruning" / "rankpruning.py", "MIN_NUM_PER_CLASS", *names, np=np)
    s, g = np.array(inputs["s"]), np.array(inputs["g"])
    rho1, _ = code[names[0]](s, g)
    _, prior, pi1, pi0 = code[names[1]](s, rho1, 0.0)
    pruned = code[names[2]](s, g, pi1=pi1, pi0=pi0)
    return {"rho1": rho1, "prior": prior, "pi0": pi0, "pruned": np.flatnonzero(pruned).tolist()}


def run_tice(checkout: Path, inputs: Inputs) -> Any:
    """Needs bitarray."""
    from bitarray import bitarray

    names = "pick_delta", "low_c", "max_bepp", "generate_folds", "tice", "subsetsThroughDT"
    given = {"np": np, "math": math, "heapq": heapq, "bitarray": lambda bits: bitarray(map(bool, bits))}
    code = take(checkout / "baselines" / "TIcE.py", *names, **given)
    outputs: Inputs = {"delta": {str(n): code["pick_delta"](n) for n in inputs["sizes"]}}
    for name, case in inputs["cases"].items():
        x, labelled, fold = (np.array(case[key]) for key in ("x", "labelled", "fold"))
        label_freq, rounds = code["tice"](x, labelled, 5, fold)
        outputs[name] = {"label_freq": label_freq, "rounds": rounds}
    return outputs


def run_km2(checkout: Path, inputs: Inputs) -> Any:
    """Needs cvxopt."""
    from cvxopt import matrix, solvers, spmatrix

    names = "find_nearest_valid_distribution", "get_distance_curve", "compute_best_rbf_kernel_width", "mpe", "wrapper"
    given = {"np": np, "sqrt": math.sqrt, "matrix": matrix, "solvers": solvers, "spmatrix": spmatrix}
    code = take(checkout / "lib" / "km" / "km" / "Kernel_MPE_grad_threshold.py", *names, **given)
    unl, pos = np.array(inputs["unl"]), np.array(inputs["pos"])
    width, kernel = code["compute_best_rbf_kernel_width"](unl, pos)
    distances = code["get_distance_curve"](kernel, inputs["lambdas"], N=len(unl), M=len(pos))
    return {"width": width, "distances": distances.tolist(), "km2": code["wrapper"](unl, pos)[1]}
