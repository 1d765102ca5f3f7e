"""The authors' PU risks on the inputs of values.json."""

from abc import ABC, abstractmethod
from collections import namedtuple
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Optional, Union

import numpy as np
from excerpt import Inputs, list_cases, take, use_torch


def run_nnpu(checkout: Path, inputs: Inputs) -> Any:
    """Needs chainer 7.8.1 with NumPy 1.23."""
    import chainer
    from chainer import functions

    given = {"F": functions, "numpy": np, "cuda": chainer.cuda, "function": chainer.function}
    given |= {"Variable": chainer.Variable, "type_check": chainer.utils.type_check}
    risk = take(checkout / "pu_loss.py", "PULoss", **given)["PULoss"]
    losses = {"sigmoid": lambda x: functions.sigmoid(-x), "logistic": lambda x: functions.softplus(-x)}
    outputs: Inputs = {}
    for name, case in inputs["cases"].items():
        for loss, function in losses.items():
            for method, corrected in (("upu", False), ("nnpu", True)):
                x = chainer.Variable(np.array(case["pos"] + case["unl"], np.float32)[:, None])
                label = np.repeat(np.array([1, -1], np.int32), [len(case["pos"]), len(case["unl"])])
                value = risk(inputs["prior"], loss=function, NNPU=corrected)(x, label)
                value.backward()
                result = {"objective": float(value.data), "slope": x.grad[:, 0].tolist()}
                outputs.setdefault(method, {}).setdefault(loss, {})[name] = result
    return outputs


def run_imbpu(checkout: Path, inputs: Inputs) -> Any:
    torch = use_torch()["torch"]
    folder = checkout / "ImbalancedSelfPU"
    plain = take(folder / "unbal_loss.py", "OversampledPULossFunc", "OversampledNNPULossFunc", **use_torch())
    corrected = _take_pu_loss(folder / "utils" / "util.py")
    outputs = {}
    for name, pos, unl in list_cases(inputs):
        label = torch.cat([torch.ones(len(pos)), -torch.ones(len(unl))])
        objective, loss = corrected(torch.cat([pos, unl]), label, "sigmoid", inputs["prior"])
        outputs[name] = {
            "upu": plain["OversampledPULossFunc"]()(pos, unl, inputs["prior"], 0.5).item(),
            "negative": plain["OversampledNNPULossFunc"]()(pos, unl, inputs["prior"], 0.5).item(),
            "objective": objective.item(),
            "loss": loss.item(),
        }
    return outputs


def run_self_pu(checkout: Path, inputs: Inputs) -> Any:
    torch = use_torch()["torch"]
    pu_loss = _take_pu_loss(checkout / "utils" / "util.py")
    outputs: Inputs = {}
    for name, pos, unl in list_cases(inputs):
        label = torch.cat([torch.ones(len(pos)), -torch.ones(len(unl))])
        objective, loss = pu_loss(torch.cat([pos, unl]), label, "sigmoid", inputs["prior"])
        outputs[name] = {"objective": objective.item(), "loss": loss.item()}
    distance = take(checkout / "mean_teacher" / "losses.py", "softmax_mse_loss", **use_torch())["softmax_mse_loss"]
    outputs["teacher"] = distance(pos[:, None], 2 * pos[:, None] - 1).item()
    return outputs


def _take_pu_loss(path: Path) -> Callable[..., Any]:
    return take(path, "sigmoid_loss", "pu_risk_estimators_sigmoid", "pu_loss", **use_torch())["pu_loss"]


def run_pubn(checkout: Path, inputs: Inputs) -> Any:
    torch = use_torch()["torch"]
    given = use_torch() | {"settings": SimpleNamespace(dtype=torch.DoubleTensor)}
    path = checkout / "training.py"
    feed = take(path, "Training.feed_together", **given)["feed_together"]
    loss = take(path, "Classifier.basic_loss", **given)["basic_loss"]
    first = take(path, "PUClassifier3.compute_loss", **given)["compute_loss"]
    second = take(path, "WeightedClassifier.compute_loss", **given)["compute_loss"]
    own = SimpleNamespace(pi=inputs["prior"], rho=0, model=lambda x: x, feed_together=feed, nn=True, nn_threshold=0)
    own.basic_loss = lambda fx, convex: loss(own, fx, convex)
    own.nn_rate, own.adjust_p, own.hard_label, own.balanced = inputs["nn_rate"], True, False, False
    own.sep_value = inputs["eta"]
    outputs = {}
    for name, pos, unl in list_cases(inputs):
        sigma = [torch.tensor(inputs[key]) for key in ("sigma_pos", "sigma_unl")]
        differentiated, reported = first(own, (pos,), None, (unl,), convex=True)
        weighted, _ = second(own, (pos, sigma[0]), None, (unl, sigma[1]), convex=True)
        outputs[name] = {"loss": differentiated.item(), "risk": reported.item(), "second": weighted.item()}
    return outputs


def run_apu(checkout: Path, inputs: Inputs) -> Any:
    source = checkout / "src" / "apu"
    typing = {"Callable": Callable, "Optional": Optional, "Union": Union, "List": list, "Set": set, "OptBool": bool}
    labels = SimpleNamespace(Training=Enum("Training", {"POS": 1, "U_TRAIN": 0, "U_TEST": -1}))
    given = use_torch() | typing | {"ABC": ABC, "abstractmethod": abstractmethod, "Enum": Enum, "Labels": labels}
    given |= {"TORCH_DEVICE": "cpu", "LossInfo": namedtuple("LossInfo", ["te_loss", "grad_var"])}
    torch = given["torch"]
    torch.set_default_dtype(torch.float32)  # the code insists
    given = take(source / "types.py", "RiskEstimator", **given)
    losses = ("_sigmoid_module", "_log_sig_module", "_prod_input_targets", "sigmoid_loss", "log_loss")
    given = take(source / "loss.py", *losses, **given)
    given = take(source / "purr.py", "PURR", "_get_mean_loss", **given)
    given = take(source / "nnpu.py", "_NNBase", "NNPU", **given)
    given = take(source / "two_step.py", "Step1Method", "_WUBase", "WUU", "APNU", **given)
    # The losses that src/learner.py gives to each: the logistic to the first network, the sigmoid to all others.
    logistic, sigmoid = (
        {"train_loss": given[name], "valid_loss": given[name], "abs_nn": True} for name in ("log_loss", "sigmoid_loss")
    )
    priors = {"train_prior": inputs["prior"], "test_prior": inputs["test_prior"]}
    risks = {
        "purr": given["PURR"](**priors, **sigmoid),
        "first": given["NNPU"](inputs["prior"], only_u_train=True, **logistic),
        "wuu": given["WUU"](**priors, u_tr_label=0, u_te_label=-1, **sigmoid),
        "apnu": given["APNU"](**priors, rho=inputs["rho"], **sigmoid),
    }
    outputs: Inputs = {}
    for name, case in inputs["cases"].items():
        groups = [torch.tensor(case[key]) for key in ("pos", "unl", "test")]
        label = torch.cat([torch.full((len(group),), n) for group, n in zip(groups, (1, 0, -1), strict=True)])
        sigma = torch.tensor(inputs["sigma"])
        for key, risk in risks.items():
            value = risk.calc_train_loss(torch.cat(groups), label, sigma, sigma)
            outputs.setdefault(name, {})[key] = value.grad_var.item()
    return outputs
