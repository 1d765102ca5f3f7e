"""Self-PU: the students' losses, whom they trust, how teachers follow, who scores."""

import math

import numpy as np
import pytest
import torch
from scipy.special import expit as sigmoid
from torch.nn.functional import binary_cross_entropy_with_logits

from angularpu.algorithms.self_pu import CONSISTENCY, SELF_PACED, WARM_UP, SelfPU, ramp_up
from angularpu.algorithms.students import UNTRUSTED, Student, count_trusted
from angularpu.data.prepare.preparation import fit_preparation
from angularpu.errors import SettingError
from angularpu.losses.calibration import calibrate_losses, differentiate_along
from angularpu.losses.label_distribution import binary_entropy
from angularpu.metrics.ranking import auc
from angularpu.nets.mlp import MLP
from angularpu.scenario.sample import make_sample
from angularpu.train.fitting import fit
from angularpu.train.prepared_rows import prepare_rows
from angularpu.train.settings import Settings

ALPHA = 0.4


class View:
    """Scores as the loop would make them: row 0 is labelled, the others are not; some rows may be held out."""

    def __init__(self, algorithm, x, phase: str, held: int = 0) -> None:
        self.algorithm, self.x, self.phase, self.held = algorithm, x, phase, held

    def index(self, which):
        return torch.arange(1) if which == "positives" else torch.arange(1, len(self.x))

    def scores(self, which):
        return self.algorithm.score(self.x[self.index(which)]).detach()

    def embeddings(self, which):
        raise AssertionError("no embedding is asked for")

    def held_scores(self):
        score = self.algorithm.score(self.x).detach()
        return (score[: self.held], score[self.held :]) if self.held else None


@pytest.fixture
def make(linear):
    def build(rows: int = 7, **options) -> SelfPU:
        algorithm = SelfPU(linear(), **{"alpha": ALPHA, **options})
        algorithm.scaffold = algorithm.build_scaffold(rows)
        return algorithm.double()

    return build


def naive_loss(student: Student, batch, *, other: Student, taught: bool, consistency: float) -> float:
    """One student's loss row by row, without the correction, which the drawn batch does not need."""
    g, n = student.score(batch.x).tolist(), batch.n_pos
    labels, pi = student.labels.values.tolist(), student.alpha.item()
    doubted = [i for i in range(len(g)) if labels[i] == UNTRUSTED]
    trusted = [i for i in range(len(g)) if labels[i] != UNTRUSTED]
    positive = 0.7 * sum(sigmoid(-value) for value in g[:n])
    rest = [sigmoid(g[i]) for i in doubted if i >= n]
    risk = pi * positive + sum(rest) / len(rest) - pi * 0.7 * sum(sigmoid(value) for value in g[:n])
    loss = risk * len(doubted) / len(g)
    for i in trusted:
        loss -= (labels[i] * math.log(sigmoid(g[i])) + (1 - labels[i]) * math.log(sigmoid(-g[i]))) / len(g)
    if taught:
        others = other.score(batch.x).tolist()
        distance = sum((sigmoid(g[i]) - sigmoid(others[i])) ** 2 for i in doubted) / len(doubted)
        loss += distance if distance < 0.1 * risk else 0
        advice = student.teacher.score(batch.x).tolist()
        distance = sum((sigmoid(a) - sigmoid(b)) ** 2 for a, b in zip(g, advice, strict=True)) / len(g)
        loss += consistency * math.exp(-5 * (1 - 20 / 400) ** 2) * distance
    return loss


@pytest.mark.parametrize("taught", [False, True])
@pytest.mark.parametrize("near", [False, True])
def test_the_loss_is_that_of_the_naive_loops(make, drawn_batch, taught, near):
    algorithm, batch = make(consistency=50.0), drawn_batch(3, 4, phase=CONSISTENCY if taught else SELF_PACED)
    students = algorithm._students
    for student, count in zip(students.both, (1, 0), strict=True):
        student.trust(torch.arange(3, 7), torch.tensor([0.3, 0.1, 0.8, 0.6]), count=count, alpha=ALPHA)
    with torch.no_grad():
        if near:
            students.second.head.load_state_dict(students.first.head.state_dict())
            students.second.head.bias.add_(0.1)
        else:
            students.second.head.bias.add_(3)
        for student in students.both:
            student.teacher.head.bias.sub_(1)
    first, second = students.both
    expected = naive_loss(first, batch, other=second, taught=taught, consistency=50)
    expected += naive_loss(second, batch, other=first, taught=taught, consistency=50)
    step = algorithm.step(batch)
    assert step.loss.item() == pytest.approx(expected, rel=1e-6)
    assert step.objective.item() == pytest.approx(expected, rel=1e-6)
    if taught:
        assert (step.terms["mutual 1"] > 0) == near


def test_where_a_students_negative_part_is_below_zero_it_steps_back(make, drawn_batch):
    algorithm, batch = make(alpha=0.9), drawn_batch(3, 1, phase=WARM_UP)
    with torch.no_grad():
        for student in algorithm._students.both:
            student.head.bias.fill_(4)
    step = algorithm.step(batch)
    expected = objective = 0.0
    for student in algorithm._students.both:
        g = student.score(batch.x)
        expected -= (g[3:].sigmoid().mean() - 0.9 * 0.7 * g[:3].sigmoid().sum()).item()
        objective += 0.9 * 0.7 * (-g[:3]).sigmoid().sum().item()
    assert expected > 0
    assert step.loss.item() == pytest.approx(expected, rel=1e-6)
    assert step.objective.item() == pytest.approx(objective, rel=1e-6)


def test_what_one_student_pays_moves_neither_the_other_nor_a_teacher(make, drawn_batch):
    algorithm = make()
    with torch.no_grad():
        algorithm._students.second.head.load_state_dict(algorithm._students.first.head.state_dict())
    own, other = algorithm._students.first.head.weight, algorithm._students.second.head.weight
    terms = algorithm.step(drawn_batch(3, 4, phase=CONSISTENCY)).terms
    for name in ("risk 1", "mutual 1", "teacher 1"):
        slopes = torch.autograd.grad(terms[name], [own, other], allow_unused=True, retain_graph=True)
        assert slopes[0] is not None
        assert slopes[1] is None
    assert not any(parameter.requires_grad for parameter in algorithm._students.first.teacher.parameters())


def test_clean_rows_weigh_the_losses_of_the_doubted_once_the_warm_up_is_over(make, drawn_batch):
    algorithm, batch = make(rows=16), drawn_batch(3, 13, phase=WARM_UP)
    clean = drawn_batch(8, 0, seed=5).x
    plain = algorithm.step(batch)
    algorithm.clean = clean, torch.tensor([1.0, 0.0] * 4)
    torch.testing.assert_close(algorithm.step(batch).loss, plain.loss)
    batch.phase = SELF_PACED
    batch.generator.manual_seed(0)
    step = algorithm.step(batch)
    generator = torch.Generator().manual_seed(0)
    for k, student in enumerate(algorithm._students.both, start=1):
        pick = torch.randint(8, (16,), generator=generator)
        known = binary_cross_entropy_with_logits(student.score(clean[pick]), (pick % 2 == 0).double())
        slope = torch.autograd.grad(known, student.trained)
        g = student.score(batch.x)
        drift = differentiate_along(g, student.trained, slope)
        negative, entropy = calibrate_losses(g[3:], drift[3:], cap=1.0)
        risk = (negative * g[3:].sigmoid()).mean() - ALPHA * 0.7 * g[:3].sigmoid().sum()
        expected = ALPHA * 0.7 * (-g[:3]).sigmoid().sum() + risk.clamp(min=0)
        torch.testing.assert_close(step.terms[f"risk {k}"], expected, rtol=1e-6, atol=1e-8)
        torch.testing.assert_close(step.terms[f"entropy {k}"], (entropy * binary_entropy(g[3:])).sum() / 16)
    slopes = torch.autograd.grad(step.loss, algorithm.parameter_groups()["students"])
    assert all(torch.isfinite(slope).all() for slope in slopes)


@pytest.mark.parametrize(
    ("alpha", "growth", "pace", "count"),
    [(0.4, 0.1, 0.4, 24), (0.4, 0.5, 0.6, 180), (0.9, 0.5, 0.6, 30), (0.1, 0.5, 0.6, 50), (0.4, 0.5, 0.0, 0)],
)
def test_the_trusted_grow_with_time_and_pace_but_never_beyond_half_of_the_positives(alpha, growth, pace, count):
    assert count_trusted(1000, alpha=alpha, growth=growth, pace=pace) == count


def test_the_ends_are_trusted_with_their_own_probability_and_the_rest_has_an_alpha_of_its_own(linear):
    student = Student(linear(), n_rows=8, alpha=0.5)
    student.trust(torch.tensor([7, 2, 3, 4, 5, 6]), torch.tensor([0.5, 0.9, 0.2, 0.1, 0.6, 0.7]), count=2, alpha=0.5)
    trusted, labels = student.find_trusted(torch.arange(8))
    assert trusted.tolist() == [False, False, True, True, True, False, True, False]
    assert labels[trusted].tolist() == pytest.approx([0.9, 0.2, 0.1, 0.7])
    assert student.alpha.item() == pytest.approx((3 - 2) / (6 - 4))


def test_who_is_no_longer_among_the_ends_is_no_longer_trusted(linear):
    student, index = Student(linear(), n_rows=4, alpha=0.5), torch.arange(4)
    student.trust(index, torch.tensor([0.1, 0.2, 0.8, 0.9]), count=1, alpha=0.5)
    assert student.find_trusted(index)[0].tolist() == [True, False, False, True]
    student.trust(index, torch.tensor([0.3, 0.2, 0.8, 0.7]), count=1, alpha=0.5)
    assert student.find_trusted(index)[0].tolist() == [False, True, True, False]
    student.trust(index, torch.tensor([0.3, 0.2, 0.8, 0.7]), count=0, alpha=0.5)
    assert not student.find_trusted(index)[0].any()
    assert student.alpha.item() == 0.5


def test_trust_grows_over_its_phase_each_student_by_its_own_scores(make):
    x = torch.randn(101, 5, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    algorithm = make(rows=101)
    students = algorithm._students
    view = View(algorithm, x, SELF_PACED)

    def sizes() -> list[int]:
        return [int(student.find_trusted(torch.arange(101))[0].sum()) for student in students.both]

    algorithm.begin_phase(View(algorithm, x, WARM_UP))
    algorithm.on_epoch_end(View(algorithm, x, WARM_UP))
    assert sizes() == [0, 0]
    algorithm.begin_phase(view)
    assert sizes() == [2 * 2, 2 * 4]  # of a hundred rows, 0.6 0.1 0.4 and 0.6 0.1 0.6 at each end
    students.progress.fill_(0.75)
    algorithm.on_epoch_end(view)
    assert sizes() == [2 * 10, 2 * 14]  # a growth of 0.4
    for student in students.both:
        score = student.score(x).detach()
        trusted, labels = student.find_trusted(torch.arange(101))
        torch.testing.assert_close(labels[trusted], score.sigmoid()[trusted], rtol=1e-5, atol=1e-6)
        order = 1 + score[1:].argsort()
        count = int(trusted.sum()) // 2
        assert set(torch.where(trusted)[0].tolist()) == {*order[:count].tolist(), *order[-count:].tolist()}
    algorithm.begin_phase(View(algorithm, x, CONSISTENCY))
    assert sizes() == [2 * 10, 2 * 14]  # from here on the same rows are trusted


def test_a_teacher_is_first_the_plain_average_of_its_student_and_then_a_moving_one(make, drawn_batch):
    algorithm = make(momentum=0.75)
    students, batch = algorithm._students, drawn_batch(3, 4, phase=CONSISTENCY)
    before = students.first.teacher.head.bias.clone()
    algorithm.after_step(drawn_batch(3, 4, phase=SELF_PACED))
    assert students.first.teacher.head.bias == before
    x = torch.randn(7, 5, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    with torch.no_grad():
        students.first.head.bias.fill_(8)
    algorithm.begin_phase(View(algorithm, x, CONSISTENCY))
    assert students.first.teacher.head.bias.item() == 8  # starts as a copy
    found = []
    for value in (1.0, 2.0, 6.0, 7.0, 8.0):
        with torch.no_grad():
            students.first.head.bias.fill_(value)
        algorithm.after_step(batch)
        found.append(students.first.teacher.head.bias.item())
    # 1, (1 + 2)/2, (1 + 2 + 6)/3, (1 + 2 + 6 + 7)/4, then 0.75 4 + 0.25 8
    assert found == pytest.approx([1, 1.5, 3, 4, 5])
    torch.testing.assert_close(students.first.teacher.encoder.state_dict(), students.first.encoder.state_dict())


@pytest.mark.parametrize("phase", [WARM_UP, CONSISTENCY])
def test_the_better_network_scores(make, phase):
    x = torch.randn(40, 5, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    algorithm = make(rows=40)
    networks = [student.teacher if phase == CONSISTENCY else student for student in algorithm._students.both]
    with torch.no_grad():
        for network, sign in zip(networks, (-1, 1), strict=True):
            network.head.weight.fill_(sign)
    order = networks[1].score(x).argsort(descending=True)
    algorithm.on_epoch_end(View(algorithm, x[order], phase, held=10))
    torch.testing.assert_close(algorithm.score(x), networks[1].score(x))
    algorithm.on_epoch_end(View(algorithm, x, phase))  # without held-out rows nobody is better: the first
    torch.testing.assert_close(algorithm.score(x), networks[0].score(x))


@pytest.mark.parametrize(
    ("epochs", "split"), [(1, (1, 1, 1)), (3, (1, 1, 1)), (15, (1, 3, 11)), (20, (1, 4, 15)), (200, (10, 40, 150))]
)
def test_phases_have_the_sources_shares_of_the_epochs_and_only_the_last_is_selected(make, epochs, split):
    phases = make().phases(epochs=epochs, learning_rate=0.1)
    assert tuple(phase.epochs for phase in phases) == split
    assert [phase.selects for phase in phases] == [False, False, True]


def test_the_ramp_is_the_sources_at_its_epochs():
    for epoch in (50, 110, 200):
        assert ramp_up((epoch - 50) / 150) == pytest.approx(math.exp(-5 * (1 - (epoch - 30) / 400) ** 2))


def test_only_the_students_are_trained(make):
    algorithm = make()
    trained = {id(parameter) for parameter in algorithm.parameter_groups()["students"]}
    for student in algorithm._students.both:
        assert {id(p) for part in (student.encoder, student.head) for p in part.parameters()} <= trained
    assert len(trained) == 8  # two students of two linear layers
    assert not torch.equal(algorithm._students.first.head.weight, algorithm._students.second.head.weight)


@pytest.mark.parametrize("sizes", [(1, 0), (0, 1), (1, 1), (3, 0), (0, 3)])
@pytest.mark.parametrize("phase", [WARM_UP, SELF_PACED, CONSISTENCY])
def test_a_batch_with_one_or_no_row_of_a_kind_has_a_finite_loss_and_slope(make, drawn_batch, sizes, phase):
    for count in (0, sum(sizes) // 2):
        algorithm = make()
        rows = torch.arange(sizes[0], sum(sizes))
        for student in algorithm._students.both:
            if 2 * count < len(rows):
                student.trust(rows, torch.linspace(0.1, 0.9, len(rows)), count=count, alpha=ALPHA)
        step = algorithm.step(drawn_batch(*sizes, phase=phase))
        step.loss.backward()
        assert torch.isfinite(step.loss)
        assert all(torch.isfinite(parameter.grad).all() for parameter in algorithm.parameter_groups()["students"])


@pytest.mark.parametrize(
    ("option", "values"),
    [
        ("alpha", [0, 1, "bbe"]),
        ("pace", [-0.1, 1.1]),
        ("second_pace", [-0.1, 2]),
        ("momentum", [-0.1, 1.5]),
        ("mutual_bound", [-1]),
        ("consistency", [-1, None]),
    ],
)
@pytest.mark.usefixtures("unchecked")
def test_options_that_make_no_sense_are_refused_by_name(identity, option, values):
    for value in values:
        with pytest.raises(SettingError, match=f"^{option} must .*, got "):
            SelfPU(identity(2), **{"alpha": 0.4, option: value})


def test_training_with_clean_rows_ranks_new_rows_and_gives_another_model_than_without():
    rng = np.random.default_rng(0)
    y = np.arange(400) % 2
    x = (rng.normal(size=(400, 4)) + 1.5 * y[:, None]).astype(np.float32)
    sample = make_sample(x[:300], y[:300] * (np.arange(300) < 100), scenario="one-sample")
    preparation = fit_preparation(sample.rows)
    clean, test = (preparation.apply(part) for part in (x[300:340], x[340:]))
    settings = Settings(epochs=5, batch_size=64, learning_rate=3e-3, selection="last", validation="hold-out")

    def score(calibrated: bool) -> np.ndarray:
        def build() -> SelfPU:
            algorithm = SelfPU(MLP((4,)), alpha=0.4)
            if calibrated:
                algorithm.clean = torch.from_numpy(clean), torch.from_numpy(y[300:340]).float()
            return algorithm

        prepared = prepare_rows(sample.rows, preparation)
        return fit(build, sample, prepared=prepared, settings=settings, seed=0).scorer.score(test)

    with_clean, without = score(calibrated=True), score(calibrated=False)
    assert auc(with_clean[y[340:] == 1], with_clean[y[340:] == 0]) > 0.95
    assert not np.array_equal(with_clean, without)
