"""Self-PU: two students that trust more and more rows, each other, and the averages of their own past.

Chen, Chen, Chen, Yuan, Gong, Chen and Wang, "Self-PU: Self Boosted and Calibrated Positive-Unlabeled Training", ICML
2020. The calibration, which needs rows of known class, waits for them. docs/methods/self_pu.md lists the differences.
"""

import math

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits

from angularpu.algorithms.base import Phase, PUBatch, Step, View, sum_terms
from angularpu.algorithms.classroom import Classroom, Student, count_trusted, load_network
from angularpu.algorithms.logit import LogitAlgorithm
from angularpu.checks import check_range, check_share
from angularpu.losses.calibration import calibrate_losses, follow_direction
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

    Each student brings down nnPU's risk on the rows it does not trust, with their own prior, and cross-entropy on those
    it trusts: the lowest and the highest scored, labelled with its own probability of then. From a quarter of the
    epochs on it also draws near the other student, where they are near already, and near its teacher.

    Parameters
    ----------
    encoder : Encoder
        Maps prepared rows to R^d; a linear head follows.
    prior : float in (0, 1)
        pi, the share of positives among the unlabelled rows.
    pace, second_pace : float in [0, 1]
        How fast the trust of the first and of the second student grows.
    momentum : float in [0, 1]
        How much of a teacher an update keeps.
    alpha : float
        The students' distance counts while it is below alpha times the risk; at least 0.
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
        prior: float,
        pace: float = 0.4,
        second_pace: float = 0.6,
        momentum: float = 0.999,
        alpha: float = 0.1,
        consistency: float = 0.3,
        clean: tuple[Tensor, Tensor] | None = None,
    ) -> None:
        super().__init__(encoder)
        self.prior = check_share("prior", prior)
        self.pace = check_range("pace", pace, low=0, high=1)
        self.second_pace = check_range("second_pace", second_pace, low=0, high=1)
        self.momentum = check_range("momentum", momentum, low=0, high=1)
        self.alpha = check_range("alpha", alpha, low=0)
        self.consistency = check_range("consistency", consistency, low=0)
        self.clean = clean

    def build_scaffold(self, n_rows: int) -> Classroom:
        """Return students and teachers; this algorithm's own network only scores."""
        return Classroom(self.encoder, n_rows=n_rows, prior=self.prior)

    def parameter_groups(self) -> dict[str, list[nn.Parameter]]:
        """Return the students' parameters."""
        return {"students": [parameter for student in self._room.students for parameter in student.trained]}

    def phases(self, *, epochs: int, learning_rate: float) -> tuple[Phase, ...]:
        """Return nnPU alone, the growth of trust, and the rest with teachers."""
        first = max(1, round(WARM_UP_END * epochs))
        second = max(1, round(SELF_PACED_END * epochs) - first)
        return (
            Phase(WARM_UP, first, learning_rate, selects=False),
            Phase(SELF_PACED, second, learning_rate, selects=False),
            Phase(CONSISTENCY, max(1, epochs - first - second), learning_rate),
        )

    def step(self, batch: PUBatch) -> Step:
        """Return the sum of both students' losses."""
        room = self._room
        room.progress.fill_(batch.progress)
        g = [student.score(batch.x) for student in room.students]
        steps = [self._study(batch, g[k], other=g[1 - k].detach(), student=room.students[k]) for k in range(2)]
        terms = {f"{name} {k + 1}": term for k, step in enumerate(steps) for name, term in step.terms.items()}
        return Step(steps[0].loss + steps[1].loss, steps[0].objective + steps[1].objective, terms)

    def after_step(self, batch: PUBatch) -> None:
        """Move the teachers, once there are any."""
        if self._room.taught >= 0:
            self._room.move_teachers(momentum=self.momentum)

    def begin_phase(self, view: View) -> None:
        """Trust the first rows, or appoint the teachers."""
        self._room.progress.fill_(0)
        if view.phase == SELF_PACED:
            self._room.trusting.fill_(1)
            self._trust(view)
        elif view.phase == CONSISTENCY:
            self._room.appoint_teachers()

    def on_epoch_end(self, view: View) -> None:
        """Choose anew whom to trust, then score by the better network: a teacher, or a student as long as none is."""
        if view.phase == SELF_PACED:
            self._trust(view)
        taught = view.phase == CONSISTENCY
        networks = [student.teacher if taught else student for student in self._room.students]
        load_network(self, max(networks, key=lambda network: self._judge(view, network)))

    def _study(self, batch: PUBatch, g: Float[Tensor, " n"], *, other: Float[Tensor, " n"], student: Student) -> Step:
        """Return one student's loss, given the other's logits."""
        n, room = batch.n_pos, self._room
        trusted, labels = student.find_trusted(batch.index)
        doubted = ~trusted
        share = batch.reduce(trusted.to(g).mean())
        losses, terms = self._weigh(batch, g, rest=n + doubted[n:].nonzero()[:, 0], student=student)
        positive = student.prior * batch.average_positives(sigmoid_loss(g[:n], 1))
        called_negative = student.prior * batch.average_positives(sigmoid_loss(g[:n], -1))
        risk, reported = correct_negative_part(positive, batch.average_unlabelled(losses) - called_negative)
        terms["trusted"] = _cross_entropy(g[trusted], labels[trusted].to(g)) / len(g)
        if room.taught >= 0:
            mutual = _distance(g[doubted], other[doubted].sigmoid())
            terms["mutual"] = mutual * (mutual < self.alpha * reported)
            teacher = _distance(g, student.advise(batch.x))
            terms["teacher"] = self.consistency * ramp_up(batch.progress) * teacher
        extra = batch.reduce(sum_terms(terms))
        terms = {"risk": (1 - share) * reported, **terms}
        return Step((1 - share) * risk + extra, terms["risk"] + extra, terms)

    def _weigh(
        self, batch: PUBatch, g: Float[Tensor, " n"], *, rest: Int[Tensor, " m"], student: Student
    ) -> tuple[Float[Tensor, " m"], dict[str, Tensor]]:
        """Return the losses as negatives of the doubted rows, weighted if there are clean rows, and their entropy."""
        losses = sigmoid_loss(g[rest], -1)
        if self.clean is None or not self._room.trusting:
            return losses, {}
        x, y = self.clean
        pick = torch.randint(len(x), (len(g),), generator=batch.generator, device=batch.generator.device).to(x.device)
        known = binary_cross_entropy_with_logits(student.score(x[pick].to(g)), y[pick].to(g))
        slope = torch.autograd.grad(known, student.trained, materialize_grads=True)
        drift = follow_direction(g, student.trained, slope)
        negative, entropy = calibrate_losses(g[rest], drift[rest], cap=ENTROPY_SHARE * len(g))
        return negative * losses, {"entropy": (entropy * binary_entropy(g[rest])).sum() / len(g)}

    def _trust(self, view: View) -> None:
        """Let each student choose its rows by its own scores."""
        room, index = self._room, view.index("unlabelled")
        growth = 0.1 + 0.4 * room.progress.item()
        for student, pace in zip(room.students, (self.pace, self.second_pace), strict=True):
            load_network(self, student)
            count = count_trusted(len(index), prior=self.prior, growth=growth, pace=pace)
            student.trust(index, view.scores("unlabelled").sigmoid(), count=count, prior=self.prior)

    def _judge(self, view: View, network: LogitAlgorithm) -> float:
        """Return a network's PU-AUC on the rows held out, 0 without any."""
        load_network(self, network)
        held = view.held_scores()
        return 0.0 if held is None else pu_auc(held[0].numpy(), held[1].numpy())

    @property
    def _room(self) -> Classroom:
        return self.find_scaffold(Classroom)


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
