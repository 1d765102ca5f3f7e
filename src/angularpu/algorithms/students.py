"""What Self-PU trains: two students, the teachers that average them, and the rows each student trusts."""

import copy

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from angularpu.algorithms.logit import LogitAlgorithm
from angularpu.algorithms.moving_average import move_average
from angularpu.algorithms.row_values import RowValues
from angularpu.nets.encoder import Encoder

UNTRUSTED = -1.0
LARGEST_SHARE = 0.5  # of the positives that U holds: beyond them the highest scores are surely wrong


def count_trusted(n_unl: int, *, alpha: float, growth: float, pace: float) -> int:
    """Return how many unlabelled rows to trust as positives, and as many as negatives.

    n_U (1 - pi) growth pace, and never more than half of the positives there are.

    Examples
    --------
    >>> count_trusted(1000, alpha=0.5, growth=0.5, pace=0.4), count_trusted(1000, alpha=0.1, growth=0.5, pace=0.4)
    (100, 50)
    """
    return round(n_unl * min((1 - alpha) * growth * pace, LARGEST_SHARE * alpha))


class Student(LogitAlgorithm):
    """A network that trains, with a soft label for every row it trusts.

    Parameters
    ----------
    encoder : Encoder
        Copied; the head is new.
    n_rows : int
        One more than the greatest row number.
    alpha : float
        pi, of all unlabelled rows.

    Attributes
    ----------
    teacher : LogitAlgorithm
        A moving average of this network.
    labels : RowValues
        Soft labels of the rows it trusts, -1 for the others.
    alpha : Tensor, scalar
        The share of positives among the unlabelled rows it does not trust.
    """

    alpha: Tensor

    def __init__(self, encoder: Encoder, *, n_rows: int, alpha: float) -> None:
        super().__init__(copy.deepcopy(encoder))
        self.teacher = copy_network(self).requires_grad_(requires_grad=False)
        self.labels = RowValues(n_rows, start=UNTRUSTED)
        self.register_buffer("alpha", torch.tensor(alpha))

    @property
    def trained(self) -> list[nn.Parameter]:
        """The parameters of this network that are not frozen, without the teacher's."""
        own = (*self.encoder.parameters(), *self.head.parameters())
        return [parameter for parameter in own if parameter.requires_grad]

    def trust(self, index: Int[Tensor, " n"], probability: Float[Tensor, " n"], *, count: int, alpha: float) -> None:
        """Trust the ``count`` least and the ``count`` most probable of the unlabelled rows, and no other row.

        The rows that are left have a share of positives of (pi n - count)/(n - 2 count).
        """
        self.labels.values.fill_(UNTRUSTED)
        order = probability.argsort(stable=True)
        chosen = torch.cat([order[:count], order[len(order) - count :]])
        self.labels.put(index[chosen], probability[chosen])
        n = len(index)
        self.alpha.fill_((alpha * n - count) / (n - 2 * count))

    def find_trusted(self, index: Int[Tensor, " n"]) -> tuple[Bool[Tensor, " n"], Float[Tensor, " n"]]:
        """Return which rows are trusted, and every row's soft label, -1 where it is not trusted."""
        labels = self.labels.get(index)
        return labels != UNTRUSTED, labels

    @torch.no_grad()
    def ask_teacher(self, x: Float[Tensor, "n ..."]) -> Float[Tensor, " n"]:
        """Return the teacher's probabilities of prepared rows."""
        return self.teacher.score(x).sigmoid()

    def move_teacher(self, *, momentum: float) -> None:
        """Move the teacher a little towards this network."""
        move_average(self.teacher.encoder, self.encoder, momentum=momentum)
        move_average(self.teacher.head, self.head, momentum=momentum)


class StudentPair(nn.Module):
    """Two students, and how far they have come.

    Attributes
    ----------
    first, second : Student
    taught : Tensor, int scalar
        Updates of the teachers so far.
    progress : Tensor, scalar
        Share of the phase that was done at the last step.
    """

    taught: Tensor
    progress: Tensor

    def __init__(self, encoder: Encoder, *, n_rows: int, alpha: float) -> None:
        super().__init__()
        self.first = Student(encoder, n_rows=n_rows, alpha=alpha)
        self.second = Student(encoder, n_rows=n_rows, alpha=alpha)
        self.register_buffer("taught", torch.tensor(0))
        self.register_buffer("progress", torch.tensor(0.0))

    @property
    def both(self) -> tuple[Student, Student]:
        """Both students."""
        return self.first, self.second

    def start_teachers(self) -> None:
        """Make each teacher a copy of its student."""
        for student in self.both:
            load_network(student.teacher, student)

    def move_teachers(self, *, momentum: float) -> None:
        """Move the teachers, at first as plain averages of their students: by 1 - 1/(updates + 1) at most."""
        limited = min(1 - 1 / (self.taught.item() + 1), momentum)
        for student in self.both:
            student.move_teacher(momentum=limited)
        self.taught.add_(1)


def copy_network(network: LogitAlgorithm) -> LogitAlgorithm:
    """Return another network with the same weights."""
    copied = LogitAlgorithm(copy.deepcopy(network.encoder))
    load_network(copied, network)
    return copied


def load_network(target: LogitAlgorithm, source: LogitAlgorithm) -> None:
    """Give one network the weights of another."""
    target.encoder.load_state_dict(source.encoder.state_dict())
    target.head.load_state_dict(source.head.state_dict())
