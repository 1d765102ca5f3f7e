"""The share of the gap between naive and supervised that a method closes: by data set, averaged, and in a picture."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from angularpu.figures.picture import Picture
from angularpu.figures.style import POSITIVE, THRESHOLD, UNLABELLED
from angularpu_bench.report.comparison import bound_mean, share_of_gap
from angularpu_bench.report.names import find_source, name_told

Draw = tuple[str, int]
Values = Mapping[Draw, float]

NAIVE, SUPERVISED = "naive", "oracle_pn"
FOLDS = "folds"
LEAST_GAP = 0.01
LOWEST = -1.0  # a share below it is drawn at the edge
GREY = "#707070"


@dataclass(frozen=True)
class Standing:
    """How much of the gap a method closes on data sets of one kind.

    Attributes
    ----------
    row, kind : str
        The method as rows name it, and the kind of data sets.
    shares : mapping of str to float
        The share on every data set whose gap is large enough; groupings of the same rows have one between them.
    """

    row: str
    kind: str
    shares: Mapping[str, float]

    @property
    def mean(self) -> float:
        """The mean over data sets."""
        return float(np.mean(list(self.shares.values())))

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % t interval of the mean; NaN with one data set."""
        return bound_mean(list(self.shares.values()))


def name_row(row: str) -> str:
    """Return the title of a method, or of its fold mean.

    >>> name_row("angular"), name_row("angular folds")
    ('AngularPU', 'AngularPU, mean of five folds')
    """
    method, _, folds = row.partition(" ")
    return f"{name_told(method)}, mean of five folds" if folds else name_told(method)


def find_share(values: Mapping[str, Values], row: str, *, dataset: str) -> float:
    """Return the share of the gap that a method closes on a data set, by the draws that all three have; NaN without."""
    three = [{d: v for d, v in values.get(name, {}).items() if d[0] == dataset} for name in (row, NAIVE, SUPERVISED)]
    draws = [draw for draw in three[0] if all(draw in each for each in three)]
    if not draws:
        return math.nan
    own, naive, supervised = (float(np.mean([each[draw] for draw in draws])) for each in three)
    return share_of_gap(own, naive=naive, supervised=supervised) if supervised - naive >= LEAST_GAP else math.nan


def list_standings(
    values: Mapping[str, Values], kinds: Mapping[str, Sequence[str]], rows: Sequence[str]
) -> list[Standing]:
    """Average every method's shares over the data sets of each kind; without one there is no standing."""
    standings = []
    for kind, datasets in kinds.items():
        for row in rows:
            by_source: dict[str, list[float]] = {}
            for dataset in datasets:
                share = find_share(values, row, dataset=dataset)
                if math.isfinite(share):
                    by_source.setdefault(find_source(dataset), []).append(share)
            if by_source:
                shares = {source: float(np.mean(each)) for source, each in by_source.items()}
                standings.append(Standing(row, kind, shares))
    return standings


def picture_shares(standings: Sequence[Standing], *, name: str, marked: Sequence[str]) -> Picture:
    """Draw the mean share of every method with its interval, a panel for each kind, the best mean of all on top."""
    kinds = list(dict.fromkeys(standing.kind for standing in standings))
    overall = {row: float(np.mean([s.mean for s in standings if s.row == row])) for row in {s.row for s in standings}}
    order = sorted(overall, key=lambda row: (overall[row], row))

    def draw(figure: Figure) -> None:
        for axes, kind in zip(figure.subplots(1, len(kinds), squeeze=False, sharey=True)[0], kinds, strict=True):
            _draw_panel(axes, [s for s in standings if s.kind == kind], order=order, marked=marked)
            axes.set_title(kind)
        figure.supxlabel("mean share of the gap: 0 as good as naive, 1 as supervised", fontsize=9)

    return Picture(
        name=name,
        caption="How much of the gap from naive to supervised does a method close? Mean share in AUC over data sets "
        f"whose gap is at least {LEAST_GAP:g} (dots and numbers), 95 % t interval over these (lines, cut off at the "
        f"edges). A mean below {LOWEST:g} lies on the left edge.",
        size=(2.2 * len(kinds) + 2.4, 0.19 * len(order) + 1.0),
        draw=draw,
        columns=("kind", "method", "share", "low", "high", "datasets"),
        numbers=[(s.kind, name_row(s.row), s.mean, *s.interval, len(s.shares)) for s in standings],
    )


def _draw_panel(axes: Axes, standings: Sequence[Standing], *, order: Sequence[str], marked: Sequence[str]) -> None:
    for value in (0.0, 1.0):
        axes.axvline(value, color=UNLABELLED, linewidth=0.8, alpha=0.6)
    for standing in standings:
        height, colour = order.index(standing.row), POSITIVE if standing.row in marked else GREY
        low, high = standing.interval
        if math.isfinite(low):
            axes.plot([max(low, LOWEST), max(high, LOWEST)], [height, height], color=colour, linewidth=0.9)
        axes.plot(max(standing.mean, LOWEST), height, "o", color=colour, markersize=4)
        axes.text(1.42, height, f"{standing.mean:.2f}", va="center", ha="left", fontsize=7, color=colour)
    axes.set_ylim(-0.7, len(order) - 0.3)
    axes.set_yticks(range(len(order)), [name_row(row) for row in order])
    for label, row in zip(axes.get_yticklabels(), order, strict=False):  # none but on the left
        label.set(fontweight="bold" if row in marked else "normal", color=POSITIVE if row in marked else THRESHOLD)
    axes.set_xlim(LOWEST - 0.05, 1.4)
    axes.tick_params(axis="y", length=0)
