"""Self-PU: two students that trust more and more rows, learn from each other and from averages of their own past.

Chen, Chen, Chen, Yuan, Gong, Chen and Wang, "Self-PU: Self Boosted and Calibrated Positive-Unlabeled Training", ICML
2020. The calibration needs rows of known class and is left out without them. docs/methods/self_pu.md lists the
differences.
"""

import math

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits

from angularpu.algorithms.base import Phase, PUBatch, Step, View, sum_terms
from angularpu.algorithms.logit import LogitAlgorithm
from angularpu.algorithms.students import Student, StudentPair, count_trusted, load_network
from angularpu.checks import check_range, check_share
from angularpu.losses.calibration import calibrate_losses, differentiate_along
from angularpu.losses.label_distribution import binary_entropy
from angularpu.losses.non_negative import correct_negative_part
from angularpu.losses.sigmoid import sigmoid_loss
from angularpu.metrics.pu import pu_auc
from angularpu.nets.encoder import Encoder

# The source's epochs 10 and 50 of 200.
WARM_UP, SELF_PACED, CONSISTENCY = "warm-up", "self-paced", "consistency"
WARM_UP_END, SELF_PACED_END = 0.05, 0.25
ENTROPY_SHARE = 1 / 16  # of a batch's rows, the most that may follow their entropy


class SelfPU(LogitAlgorithm):
    """Score a row by the logit g of the better teacher.

    Each student lowers nnPU's risk on the rows it does not trust, which have an alpha of their own, and the
    cross-entropy on those it trusts: the lowest and the highest scored, labelled with the probability it gave them when
    it chose them. After a quarter of the epochs it also moves towards the other student, where the two are close
    already, and towards its teacher.

    Parameters
    ----------
    encoder : Encoder
        Maps prepared rows to R^d; a linear head follows.
    alpha : float in (0, 1)
        pi, the share of positives among the unlabelled rows.
    pace, second_pace : float in [0, 1]
        How fast the trust of the first and of the second student grows.
    momentum : float in [0, 1]
        How much of a teacher an update keeps.
    mutual_bound : float
        The paper's alpha: the students' distance counts while it is below this times the risk; at least 0.
    consistency : float
        Strength of the distance to the teacher at the end of its ramp, at least 0.
    clean : (Tensor, Tensor), optional
        Prepared rows and their classes, 0 or 1, known for certain: they calibrate the losses, as the source does.
    """

    row_options = ("clean",)

    def __init__(
        self,
        encoder: Encoder,
        *,
        alpha: float,
        pace: float = 0.4,
        second_pace: float = 0.6,
        momentum: float = 0.999,
        mutual_bound: float = 0.1,
        consistency: float = 0.3,
        clean: tuple[Tensor, Tensor] | None = None,
    ) -> None:
        super().__init__(encoder)
        self.alpha = check_share("alpha", alpha)
        self.pace = check_range("pace", pace, low=0, high=1)
        self.second_pace = check_range("second_pace", second_pace, low=0, high=1)
        self.momentum = check_range("momentum", momentum, low=0, high=1)
        self.mutual_bound = check_range("mutual_bound", mutual_bound, low=0)
        self.consistency = check_range("consistency", consistency, low=0)
        self.clean = clean

    def build_scaffold(self, n_rows: int) -> StudentPair:
        """Return students and teachers; this algorithm's own network only scores."""
        return StudentPair(self.encoder, n_rows=n_rows, alpha=self.alpha)

    def parameter_groups(self) -> dict[str, list[nn.Parameter]]:
        """Return the students' parameters."""
        return {"students": [parameter for student in self._students.both for parameter in student.trained]}

    def phases(self, *, epochs: int, learning_rate: float) -> tuple[Phase, ...]:
        """Return three phases: nnPU alone, growing trust, and the rest with teachers."""
        first = max(1, round(WARM_UP_END * epochs))
        second = max(1, round(SELF_PACED_END * epochs) - first)
        return (
            Phase(WARM_UP, first, learning_rate, selects=False),
            Phase(SELF_PACED, second, learning_rate, selects=False),
            Phase(CONSISTENCY, max(1, epochs - first - second), learning_rate),
        )

    def step(self, batch: PUBatch) -> Step:
        """Return the sum of both students' losses."""
        self._students.progress.fill_(batch.progress)
        both = self._students.both
        x = batch.x if self.clean is None else batch.dense  # the calibration differentiates twice
        g = [student.score(x) for student in both]
        steps = [self._step_student(batch, g[k], other=g[1 - k].detach(), student=both[k]) for k in range(2)]
        terms = {f"{name} {k + 1}": term for k, step in enumerate(steps) for name, term in step.terms.items()}
        return Step(steps[0].loss + steps[1].loss, steps[0].objective + steps[1].objective, terms)

    def after_step(self, batch: PUBatch) -> None:
        """Move the teachers, once there are any."""
        if batch.phase == CONSISTENCY:
            self._students.move_teachers(momentum=self.momentum)

    def begin_phase(self, view: View) -> None:
        """Trust the first rows, or start the teachers."""
        self._students.progress.fill_(0)
        if view.phase == SELF_PACED:
            self._trust(view)
        elif view.phase == CONSISTENCY:
            self._students.start_teachers()

    def on_epoch_end(self, view: View) -> None:
        """Choose the trusted rows again, then score by the better teacher, or student where there are no teachers."""
        if view.phase == SELF_PACED:
            self._trust(view)
        taught = view.phase == CONSISTENCY
        networks = [student.teacher if taught else student for student in self._students.both]
        load_network(self, max(networks, key=lambda network: self._measure(view, network)))

    def _step_student(
        self, batch: PUBatch, g: Float[Tensor, " n"], *, other: Float[Tensor, " n"], student: Student
    ) -> Step:
        """Return one student's loss, given the other's logits."""
        n = batch.n_pos
        trusted, labels = student.find_trusted(batch.index)
        doubted = ~trusted
        share = batch.reduce(trusted.to(g).mean())
        losses, terms = self._weigh_doubted(batch, g, rest=n + doubted[n:].nonzero()[:, 0], student=student)
        positive = student.alpha * batch.average_positives(sigmoid_loss(g[:n], 1))
        called_negative = student.alpha * batch.average_positives(sigmoid_loss(g[:n], -1))
        risk, reported = correct_negative_part(positive, batch.average_unlabelled(losses) - called_negative)
        terms["trusted"] = _cross_entropy(g[trusted], labels[trusted].to(g)) / len(g)
        if batch.phase == CONSISTENCY:
            mutual = _distance(g[doubted], other[doubted].sigmoid())
            terms["mutual"] = mutual * (mutual < self.mutual_bound * reported)
            teacher = _distance(g, student.ask_teacher(batch.x))
            terms["teacher"] = self.consistency * ramp_up(batch.progress) * teacher
        extra = batch.reduce(sum_terms(terms))
        terms = {"risk": (1 - share) * reported, **terms}
        return Step((1 - share) * risk + extra, terms["risk"] + extra, terms)

    def _weigh_doubted(
        self, batch: PUBatch, g: Float[Tensor, " n"], *, rest: Int[Tensor, " m"], student: Student
    ) -> tuple[Float[Tensor, " m"], dict[str, Tensor]]:
        """Return the doubted rows' losses as negatives; with clean rows these are weighted, and entropy is added."""
        losses = sigmoid_loss(g[rest], -1)
        if self.clean is None or batch.phase == WARM_UP:
            return losses, {}
        x, y = self.clean
        pick = torch.randint(len(x), (len(g),), generator=batch.generator, device=batch.generator.device).to(x.device)
        known = binary_cross_entropy_with_logits(student.score(x[pick].to(g)), y[pick].to(g))
        slope = torch.autograd.grad(known, student.trained, materialize_grads=True)
        drift = differentiate_along(g, student.trained, slope)
        negative, entropy = calibrate_losses(g[rest], drift[rest], cap=ENTROPY_SHARE * len(g))
        return negative * losses, {"entropy": (entropy * binary_entropy(g[rest])).sum() / len(g)}

    def _trust(self, view: View) -> None:
        """Let each student choose its rows by its own scores."""
        index = view.index("unlabelled")
        growth = 0.1 + 0.4 * self._students.progress.item()
        for student, pace in zip(self._students.both, (self.pace, self.second_pace), strict=True):
            load_network(self, student)
            count = count_trusted(len(index), alpha=self.alpha, growth=growth, pace=pace)
            student.trust(index, view.scores("unlabelled").sigmoid(), count=count, alpha=self.alpha)

    def _measure(self, view: View, network: LogitAlgorithm) -> float:
        """Return a network's PU-AUC on the rows held out, 0 without any."""
        load_network(self, network)
        held = view.held_scores()
        return 0.0 if held is None else pu_auc(held[0].numpy(), held[1].numpy())

    @property
    def _students(self) -> StudentPair:
        return self.find_scaffold(StudentPair)


def ramp_up(progress: float) -> float:
    """Return exp(-5 (1 - t)^2), t growing from 1/20 to 17/40: epochs 50 to 200 less 30, over 400.

    >>> round(ramp_up(0.0), 4), round(ramp_up(1.0), 4)
    (0.011, 0.1915)
    """
    t = (20 + 150 * progress) / 400
    return math.exp(-5 * (1 - t) ** 2)


def _cross_entropy(g: Tensor, label: Tensor) -> Tensor:
    return binary_cross_entropy_with_logits(g, label, reduction="sum")


def _distance(g: Tensor, probability: Tensor) -> Tensor:
    return (g.sigmoid() - probability).square().sum() / max(1, len(g))
