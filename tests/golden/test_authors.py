"""Our objectives give the numbers that the authors' published code gives (tests/golden/authors)."""

import json
from collections import OrderedDict
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits, logsigmoid

from angularpu.algorithms.apu import APU
from angularpu.algorithms.base import Algorithm, PUBatch, Step
from angularpu.algorithms.dist_pu import DistPU
from angularpu.algorithms.imbpu import ImbPU
from angularpu.algorithms.momentum_pair import MomentumPair, move_prototypes
from angularpu.algorithms.nnpu import NNPU
from angularpu.algorithms.pico import FIRST_KEPT, LAST_KEPT, PROTOTYPE_MOMENTUM, PiCO
from angularpu.algorithms.pubn import PUbN
from angularpu.algorithms.pusb import PUSB
from angularpu.algorithms.self_pu import SelfPU
from angularpu.algorithms.upu import UPU
from angularpu.algorithms.vpu import VPU
from angularpu.geometry.sphere import normalise
from angularpu.losses.label_distribution import binary_entropy, soft_cross_entropy
from angularpu.losses.pu_contrast import punce_loss
from angularpu.losses.variational import log_mean_probability, mixed_consistency
from angularpu.nets.encoder import Encoder

VALUES: dict[str, dict[str, Any]] = json.loads((Path(__file__).parent / "authors" / "values.json").read_text())
CASES = ("above", "below")  # the negatives' part of the PU risk lies above zero, below zero


def near(value: object) -> object:
    return pytest.approx(value, rel=1e-6, abs=1e-6)


def read(method: str) -> tuple[dict[str, Any], dict[str, Any]]:
    return VALUES[method]["inputs"], VALUES[method]["outputs"]


def matrix(rows: object) -> Tensor:
    return torch.tensor(rows, dtype=torch.float64)


def blank() -> Encoder:
    return Encoder(OrderedDict(embedding=nn.Identity()), d=1)


def take_rows_for_logits(algorithm: Algorithm) -> None:
    algorithm.score = lambda x: x[:, 0]


def batch_of(case: dict[str, list[float]], *, phase: str = "train") -> PUBatch:
    """A batch that holds all positives, so that our unbiased mean over P is the source's mean over those present."""
    logits = matrix([*case["pos"], *case["unl"], *case.get("test", [])])
    n = len(case["pos"])
    rows = logits[:, None].requires_grad_()
    return PUBatch(rows, n, torch.arange(len(rows)), 1 / n, progress=0.0, generator=torch.Generator(), phase=phase)


def step_on(algorithm: Algorithm, batch: PUBatch) -> Step:
    take_rows_for_logits(algorithm)
    algorithm.scaffold = algorithm.build_scaffold(len(batch.x))
    return algorithm.step(batch)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("loss", ["sigmoid", "logistic"])
@pytest.mark.parametrize(("method", "kind"), [("upu", UPU), ("nnpu", NNPU)])
def test_upu_and_nnpu_have_the_source_s_objective_and_slope(method, kind, loss, case):
    inputs, outputs = read("nnpu")
    batch = batch_of(inputs["cases"][case])
    step = step_on(kind(blank(), alpha=inputs["prior"], loss=loss), batch)
    expected = outputs[method][loss][case]
    assert step.objective.item() == near(expected["objective"])
    (slope,) = torch.autograd.grad(step.loss, batch.x)
    assert slope[:, 0].tolist() == near(expected["slope"])


@pytest.mark.parametrize("case", CASES)
def test_pusb_is_the_source_s_nnpu_with_the_logistic_loss(case):
    inputs, outputs = read("nnpu")
    step = step_on(PUSB(blank(), alpha=inputs["prior"]), batch_of(inputs["cases"][case]))
    assert step.objective.item() == near(outputs["nnpu"]["logistic"][case]["objective"])


@pytest.mark.parametrize("case", CASES)
def test_imbpu_has_the_source_s_risk_and_objective(case):
    inputs, outputs = read("imbpu")
    step = step_on(ImbPU(blank(), alpha=inputs["prior"]), batch_of(inputs["cases"][case]))
    assert step.terms["negative"].item() == near(outputs[case]["negative"])
    assert (step.terms["positive"] + step.terms["negative"]).item() == near(outputs[case]["upu"])
    assert step.objective.item() == near(outputs[case]["objective"])


@pytest.mark.parametrize(
    "case",
    [
        "above",
        "below",
    ],
)
def test_imbpu_differentiates_what_the_source_does(case):
    inputs, outputs = read("imbpu")
    step = step_on(ImbPU(blank(), alpha=inputs["prior"]), batch_of(inputs["cases"][case]))
    assert step.loss.item() == near(outputs[case]["loss"])


@pytest.mark.parametrize("case", CASES)
def test_each_student_of_self_pu_starts_with_the_source_s_risk(case):
    inputs, outputs = read("self_pu")
    batch = batch_of(inputs["cases"][case], phase="warm-up")
    algorithm = SelfPU(blank(), alpha=inputs["prior"])
    algorithm.scaffold = students = algorithm.build_scaffold(len(batch.x))
    for student in students.both:
        take_rows_for_logits(student)
    step = algorithm.step(batch)
    assert step.objective.item() == near(2 * outputs[case]["objective"])
    assert step.loss.item() == near(2 * outputs[case]["loss"])


def test_the_source_s_distance_to_the_teacher_is_zero_as_difference_6_of_self_pu_says():
    assert read("self_pu")[1]["teacher"] == 0


def test_vpu_has_the_source_s_parts():
    """Difference 1: the source draws P and X apart, so the parts are compared, not a step."""
    inputs, outputs = read("vpu")
    pos, rows, weight = matrix(inputs["pos"]), matrix(inputs["all"]), matrix(inputs["weight"])
    x, gamma = rows[: len(pos)], torch.tensor(inputs["gamma"], dtype=torch.float64)
    variational = log_mean_probability(x @ weight) - logsigmoid(pos @ weight).mean()
    mixed = (gamma * x + (1 - gamma) * pos) @ weight
    consistency = mixed_consistency(x @ weight, mixed, gamma=gamma).mean()
    assert variational.item() == near(outputs["train"]["variational"])
    assert consistency.item() == near(outputs["train"]["consistency"])
    assert (variational + inputs["lambda"] * consistency).item() == near(outputs["train"]["loss"])


def test_vpu_steps_on_the_source_s_variational_loss_when_x_is_the_batch():
    """Difference 2: X is every row of our batch; the source's validation loss on the same X is the same number."""
    inputs = read("vpu")[0]
    pos, weight = matrix(inputs["pos"]), matrix(inputs["weight"])
    g = torch.cat([pos, matrix(inputs["all"])]) @ weight
    batch = batch_of({"pos": g[: len(pos)].tolist(), "unl": g[len(pos) :].tolist()})
    step = step_on(VPU(blank(), lambda_=0.0), batch)
    assert step.objective.item() == near(read("vpu")[1]["validation"])


@pytest.mark.parametrize("case", CASES)
def test_dist_pu_has_the_source_s_losses(case):
    inputs, outputs = read("dist_pu")
    batch = batch_of(inputs["cases"][case], phase="warm-up")
    step = step_on(DistPU(blank(), alpha=inputs["prior"]), batch)
    assert step.terms["label_distribution"].item() == near(outputs[case]["alignment"])
    assert step.objective.item() == near(outputs[case]["warm_up"])
    g, share = batch.x[:, 0], inputs["share"]
    target = share * matrix(inputs["first_labels"]) + (1 - share) * matrix(inputs["second_labels"])
    assert binary_entropy(g).mean().item() == near(outputs[case]["mixed_entropy"])
    assert soft_cross_entropy(g, target).mean().item() == near(outputs[case]["mixup"])


@pytest.mark.parametrize("n_pos", [0, 1, 2, 4])
def test_punce_has_the_source_s_contrast_and_without_a_prior_that_of_pucl(n_pos):
    inputs, outputs = read("punce")
    z = normalise(torch.cat([matrix(inputs["first_view"]), matrix(inputs["second_view"])]))
    for name, alpha in (("punce", inputs["prior"]), ("pucl", 0.0)):
        if name in outputs[str(n_pos)]:
            loss = punce_loss(z, n_pos, alpha=alpha, temperature=inputs["temperature"])
            assert loss.item() == near(outputs[str(n_pos)][name])


@pytest.fixture
def pico() -> tuple[PiCO, MomentumPair]:
    """PiCO and its pair in the state of the source's inputs, the second epoch begun."""
    inputs = read("pico")[0]
    algorithm = PiCO(blank(), temperature=inputs["temperature"]).double()
    algorithm.scaffold = pair = algorithm.build_scaffold(4)
    pair.keys, pair.marks = matrix(inputs["queue"]), torch.tensor(inputs["queue_labels"])
    pair.prototypes, pair.beliefs = matrix(inputs["prototypes"]), matrix(inputs["beliefs"])[:, 1]
    pair.started.fill_(1)
    return algorithm, pair


def test_pico_moves_prototypes_and_beliefs_as_the_source_does(pico):
    """The source's predicted classes are given: ours cut elsewhere (difference 1)."""
    inputs, outputs = read("pico")
    pair, q = pico[1], matrix(inputs["q"])
    moved = move_prototypes(pair.prototypes, q, labels=torch.tensor(outputs["labels"]), momentum=inputs["momentum"])
    assert moved.tolist() == [near(row) for row in outputs["prototypes"]]
    assert inputs["momentum"] == PROTOTYPE_MOMENTUM
    assert FIRST_KEPT + inputs["progress"] * (LAST_KEPT - FIRST_KEPT) == near(outputs["kept"])
    beliefs = pair.revise(torch.arange(4), q, n_pos=1, keep=outputs["kept"])
    assert beliefs.tolist() == near([row[1] for row in outputs["beliefs"]])


def test_pico_contrasts_as_the_source_does(pico):
    inputs, outputs = read("pico")
    algorithm, pair = pico
    q, k, labels = matrix(inputs["q"]), matrix(inputs["k"]), torch.tensor(outputs["labels"])
    assert algorithm._contrast(pair, q, k=k, labels=labels).mean().item() == near(outputs["contrast"])
    pair.started.fill_(0)
    assert algorithm._contrast(pair, q, k=k, labels=labels).mean().item() == near(outputs["first_epoch"])


def test_pico_s_cross_entropy_of_two_logits_is_that_of_their_difference():
    """Difference 4; the source's mean over all rows, which ours splits into halves by difference 2."""
    inputs, outputs = read("pico")
    logits, beliefs = matrix(inputs["logits"]), matrix(outputs["beliefs"])[:, 1]
    loss = binary_cross_entropy_with_logits(logits[:, 1] - logits[:, 0], beliefs)
    assert loss.item() == near(outputs["classification"])


@pytest.mark.parametrize("case", CASES)
def test_pubn_has_the_source_s_losses(case):
    inputs, outputs = read("pubn")
    batch = batch_of(inputs["cases"][case])
    algorithm = PUbN(blank(), alpha=inputs["prior"])
    first = algorithm.first_step(batch, batch.x[:, 0])
    assert first.loss.item() == near(outputs[case]["loss"])
    assert (first.terms["positive"] + first.terms["negative"]).item() == near(outputs[case]["risk"])
    sigma = matrix(inputs["sigma_pos"]), matrix(inputs["sigma_unl"])
    assert inputs["eta"] in inputs["sigma_unl"]
    second = algorithm.second_step(batch, batch.x[:, 0], weight=torch.cat(algorithm.weigh(*sigma)))
    assert second.loss.item() == near(outputs[case]["second"])


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("variant", ["purr", "wuu", "apnu"])
def test_apu_has_the_source_s_risks_by_absolute_value(variant, case):
    """Difference 1: the source's other correction is not offered."""
    inputs, outputs = read("apu")
    batch = batch_of(inputs["cases"][case])
    options = {"alpha": inputs["prior"], "test_prior": inputs["test_prior"], "test_from": 8, "rho": inputs["rho"]}
    algorithm = APU(blank(), variant=variant, **options)
    g = batch.x[:, 0]
    if variant == "purr":
        step = step_on(algorithm, batch)
    else:
        assert algorithm.first_step(batch, g).loss.item() == near(outputs[case]["first"])
        step = algorithm.second_step(batch, g, weight=1 - matrix(inputs["sigma"]))
    assert step.loss.item() == near(outputs[case][variant])
