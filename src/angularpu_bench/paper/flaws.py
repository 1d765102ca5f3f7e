"""What is wrong in the published numbers, as footnotes with the numbers they apply to."""

from collections.abc import Iterable
from dataclasses import dataclass

from angularpu_bench.paper.published import ANGULAR_ROW

DECISIONS = ("f1", "precision", "recall")
PRIOR = "implied_prior"


@dataclass(frozen=True)
class Where:
    """Which published numbers are meant; an empty attribute means all.

    Attributes
    ----------
    table, dataset : str
    rows, metrics : tuple of str
    """

    table: str
    dataset: str = ""
    rows: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()

    @property
    def particular(self) -> bool:
        """Whether rows or metrics are named, so that not the whole data set is meant."""
        return bool(self.rows or self.metrics)

    def covers(self, table: str, dataset: str, *, row: str, metric: str) -> bool:
        """Tell whether one published number is among them."""
        return (
            table == self.table
            and self.dataset in ("", dataset)
            and (not self.rows or row in self.rows)
            and (not self.metrics or metric in self.metrics)
        )


@dataclass(frozen=True)
class Flaw:
    """One footnote, and where it applies."""

    text: str
    where: tuple[Where, ...]


FLAWS: tuple[Flaw, ...] = (
    Flaw(
        "Not the same setting: the published AngularPU rows start from ImageNet weights and take the threshold with "
        "the highest F1 on labelled rows; the rows of its rivals were copied from networks trained from scratch, whose "
        "threshold is 0.5.",
        (Where("main"),),
    ),
    Flaw(
        "Precision, recall and accuracy of these two CIFAR-10 rows imply about .6 positives (AngularPU .600, Dense-PU "
        ".590) where every other row implies .4: most likely animals were the positive class. Their F1, AP and "
        "precision cannot be compared with the other rows; ours are shown for vehicles and for animals.",
        (Where("main", "CIFAR-10", (ANGULAR_ROW, "Dense-PU"), ("f1", "ap", "precision", PRIOR)),),
    ),
    Flaw(
        "AP is above AUC here. Ours is below with vehicles as the positive class and above with animals, so that most "
        "likely these CIFAR-10 rows were scored with animals too (our finding).",
        (
            Where("ablation", "CIFAR-10", (), ("f1", "ap", "precision", "recall")),
            Where("cosine_vs_l2", "cifar10", ("cosine", "l2"), ("f1", "ap")),
        ),
    ),
    Flaw(
        "The deviation of F1 is .0071, but deviations of .0064 in precision and .0013 in recall allow at most .0039.",
        (Where("main", "CIFAR-10", (ANGULAR_ROW,), ("f1",)),),
    ),
    Flaw(
        "The text names three positive classes of STL-10 (.3 of the rows), the numbers imply four (.4); Dense-PU "
        "(.48), puNCE (.44) and PUbN (.43) imply neither.",
        (Where("main", "STL-10", (), (PRIOR,)),),
    ),
    Flaw(
        "STL-10 was drawn from ImageNet, so ImageNet weights have seen its images.",
        (
            Where("main", "STL-10", (ANGULAR_ROW,)),
            Where("ablation", "STL-10"),
            Where("cosine_vs_l2", "stl10"),
        ),
    ),
    Flaw(
        "AUC equals AP to the last digit: one was copied.",
        (Where("main", "STL-10", ("nnPU", "Self-PU"), ("auc", "ap")),),
    ),
    Flaw("VPU's row of STL-10 is missing from the published table.", (Where("main", "STL-10", ("VPU",)),)),
    Flaw(
        "These SVHN accuracies are the same methods' on CIFAR-10 (puNCE's but for .0002), and imply .19 positives "
        "where there are .46.",
        (Where("main", "SVHN", ("puNCE", "PiCO"), ("accuracy", PRIOR)),),
    ),
    Flaw("VPU's columns of SVHN are shifted: recall repeats precision.", (Where("main", "SVHN", ("VPU",)),)),
    Flaw(
        "Precision and recall do not give this F1.",
        (
            Where("main", "SVHN", ("PUbN", "Dist-PU", "aPU", "ImbPU", "Dense-PU", "PiCO"), (*DECISIONS, PRIOR)),
            Where("main", "ADNI", ("RP", "Dense-PU"), DECISIONS),
        ),
    ),
    Flaw("This F1 repeats the recall, its deviation included.", (Where("main", "ADNI", ("Dist-PU",), ("f1",)),)),
    Flaw(
        "F1 is above 2PR/(P + R) of the mean precision and recall by more than rounding allows, which no mean of F1 "
        "can be (our finding).",
        (
            Where("main", "CIFAR-10", ("uPU", "RP", "Self-PU", "aPU", "PiCO"), ("f1",)),
            Where("main", "SVHN", ("nnPU", "RP", "puNCE"), ("f1",)),
            Where("main", "STL-10", ("ImbPU",), ("f1",)),
            Where("main", "ADNI", ("uPU", "aPU", "VPU"), ("f1",)),
            Where("ablation", "CIFAR-10", ("w/o L_reg",), ("f1",)),
            Where("ablation", "SVHN", ("w/o L_reg", "w/o weights"), ("f1",)),
        ),
    ),
    Flaw(
        '"ADNI" is most likely the four-class Alzheimer MRI image set that this line of papers uses.',
        (Where("main", "ADNI"), Where("ablation", "ADNI"), Where("cosine_vs_l2", "adni")),
    ),
    Flaw(
        "The weighted cosine row without regulariser has F1 .967 on STL-10 in the geometry table, the same setting "
        ".984 in the ablation.",
        (Where("cosine_vs_l2", "stl10", ("cosine",), ("f1",)), Where("ablation", "STL-10", ("w/o L_reg",), ("f1",))),
    ),
    Flaw(
        "COS-BCE-Mlearn beats COS-WGH-Mlearn, called primary, on F1.",
        (Where("leaderboard", "overall", ("COS-BCE-Mlearn", "COS-WGH-Mlearn"), ("f1",)),),
    ),
    Flaw(
        "COS-WGH-M0.5 beats COS-WGH-Mlearn, called primary, on all three figures.",
        (Where("leaderboard", "overall", ("COS-WGH-M0.5", "COS-WGH-Mlearn")),),
    ),
    Flaw(
        "Eight values over four data sets are two seeds each: deviations and intervals say little.",
        (Where("leaderboard"), Where("cosine_vs_l2")),
    ),
    Flaw(
        "Weights are said to help the cosine more, but they add .012 of AP to the cosine and .193 to the distance.",
        (
            Where(
                "leaderboard",
                "overall",
                ("COS-WGH-Mlearn", "COS-BCE-Mlearn", "L2-WGH-Rlearn", "L2-BCE-Rlearn"),
                ("ap",),
            ),
        ),
    ),
    Flaw(
        "This F1 is what calling every row positive gives.",
        (Where("cosine_vs_l2", "svhn", ("l2",), ("f1",)), Where("cosine_vs_l2", "adni", ("l2",), ("f1",))),
    ),
    Flaw(
        "The text says that recall is preserved without the regulariser; it falls from .940 to .907.",
        (Where("ablation", "CIFAR-10", ("Full model", "w/o L_reg"), ("recall",)),),
    ),
    Flaw(
        "Recall at precision .95 (.917) is below the recall (.923) reported at precision .955.",
        (Where("medmnist", "OCTMNIST", (), ("recall", "precision", "recall_at_precision_0.95")),),
    ),
    Flaw(
        "The unit of these deviations is unknown: text and table differ by a factor of 100 for one data set and of 10 "
        "for the other. They are shown as printed.",
        (Where("medmnist"),),
    ),
)


def find_flaws(table: str, dataset: str, *, row: str, metric: str) -> tuple[int, ...]:
    """Return which footnotes, counted from 1, apply to one published number.

    Parameters
    ----------
    table, dataset, row : str
        As printed.
    metric : str
        "implied_prior" for the share of positives that the row implies.

    Examples
    --------
    >>> [FLAWS[number - 1].text[:19] for number in find_flaws("main", "ADNI", row="Dist-PU", metric="f1")]
    ['This F1 repeats the']
    """
    return _number(where.particular and where.covers(table, dataset, row=row, metric=metric) for where, _ in _PLACES)


def find_common_flaws(table: str, dataset: str) -> tuple[int, ...]:
    """Return which footnotes apply to everything that a published table says about a data set.

    >>> [FLAWS[number - 1].text[:20] for number in find_common_flaws("medmnist", "PathMNIST")]
    ['The unit of these de']
    """
    return _number(not where.particular and where.covers(table, dataset, row="", metric="") for where, _ in _PLACES)


_PLACES = tuple((where, number) for number, flaw in enumerate(FLAWS, start=1) for where in flaw.where)


def _number(applies: Iterable[bool]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(number for (_, number), true in zip(_PLACES, applies, strict=True) if true))
