"""The authors' estimates of priors and noise, on the inputs of values.json."""

import heapq
import math
from pathlib import Path
from typing import Any

import numpy as np
from excerpt import Inputs, take, use_torch


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
    code = take(checkout / "algorithms.py", "estimate_poster_dedpul", "estimate_poster_em", np=np)
    outputs = {}
    for name, ratio in inputs["ratios"].items():
        means = [code["estimate_poster_dedpul"](np.array(ratio), alpha=a)[1].mean() for a in inputs["negatives"]]
        outputs[name] = {"means": means, "negatives": float(code["estimate_poster_em"](diff=np.array(ratio))[0])}
    return outputs


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
    given = {"np": np, "math": math, "heapq": heapq, "bitarray": bitarray}
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
