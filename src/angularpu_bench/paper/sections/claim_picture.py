"""Every claim that is a difference, in one picture: a row a claim, a panel a kind of runs, a point a data set."""

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from angularpu.figures.picture import Picture
from angularpu.figures.style import UNLABELLED
from angularpu_bench.paper.claim import Claim
from angularpu_bench.paper.finding import FAILS, HOLDS, NO_BETTER, OPPOSITE, PROBABLY, Gain
from angularpu_bench.report.comparison import bound_mean

GOOD, OPEN, BAD = "#2e7d32", "#707070", "#c0392b"
LINEAR = 0.003  # differences up to this are drawn to scale, larger ones by their logarithm
TICKS = (-0.1, -0.01, 0.0, 0.01, 0.1)
WIDTH = 34  # letters of a claim in one line


@dataclass(frozen=True)
class _Row:
    """What one kind of runs says about a claim, and where it stands: a panel and a height."""

    claim: str
    runs: str
    height: int
    gain: Gain
    verdict: str


def draw_claims(claims: Sequence[Claim], *, runs: Sequence[str]) -> list[Picture]:
    """Draw the claims that are differences and were run; no picture without any.

    Parameters
    ----------
    claims : sequence of Claim
    runs : sequence of str
        The kinds of runs, a panel for each that has something to show.
    """
    shown = [claim for claim in claims if any(each.finding.gain for each in claim.judged)]
    rows = [
        _Row(claim.text, each.runs, len(shown) - number, each.finding.gain, each.finding.verdict)
        for number, claim in enumerate(shown)
        for each in claim.judged
        if each.finding.gain
    ]
    panels = [name for name in runs if any(row.runs == name for row in rows)]
    if not rows:
        return []

    def draw(figure: Figure) -> None:
        for axes, name in zip(figure.subplots(1, len(panels), squeeze=False, sharey=True)[0], panels, strict=True):
            axes.set_title(name)
            _draw_panel(axes, [row for row in rows if row.runs == name])
            axes.set_yticks(range(len(shown), 0, -1), [textwrap.fill(claim.text, WIDTH) for claim in shown], fontsize=8)
            axes.set_ylim(0.4, len(shown) + 0.6)
            axes.tick_params(axis="y", length=0)
            axes.grid(axis="y", color=UNLABELLED, alpha=0.2, linewidth=0.6)
        figure.supxlabel("difference that the claim is about: right of the line it speaks for the claim", fontsize=9)

    return [
        Picture(
            name="claims",
            caption="What holds? A row for each claim that is a difference. Small points: data sets, with 95 % t "
            "intervals over draws of labels, green where the whole interval speaks for the claim, red where it speaks "
            "against it. Diamonds: the mean over data sets, green where the claim holds or probably does, red where it "
            "does not or its opposite holds, grey otherwise. Of several metrics the first is shown, of several rivals "
            "or settings the least favourable. In the grey band no difference matters (AUC).",
            size=(2.3 * len(panels) + 2.6, 0.46 * len(shown) + 1.1),
            draw=draw,
            columns=("claim", "runs", "verdict", "dataset", "difference", "low", "high"),
            numbers=[
                (row.claim, row.runs, row.verdict, dataset, float(np.mean(draws)), *bound_mean(draws))
                for row in rows
                for dataset, draws in row.gain.draws.items()
            ],
        )
    ]


def _draw_panel(axes: Axes, rows: Sequence[_Row]) -> None:
    axes.set_xscale("symlog", linthresh=LINEAR, linscale=0.5)
    axes.axvspan(-LINEAR, LINEAR, color=UNLABELLED, alpha=0.15, linewidth=0)
    axes.axvline(0, color=OPEN, linewidth=0.8)
    for row in rows:
        places = np.linspace(0.18, -0.3, max(len(row.gain.draws), 2))
        for place, draws in zip(places, row.gain.draws.values(), strict=False):
            value = float(np.mean(draws))
            low, high = bound_mean(draws)  # NaN, and so grey, with one
            colour = GOOD if low > 0 else BAD if high < 0 else OPEN
            axes.plot([low, high], [row.height + place] * 2, color=colour, linewidth=0.8, alpha=0.6)
            axes.plot(value, row.height + place, "o", color=colour, markersize=2.5, alpha=0.8)
        told = row.verdict.removeprefix(f"{PROBABLY} ")
        colour = GOOD if told == HOLDS else BAD if told in (OPPOSITE, FAILS, NO_BETTER) else OPEN
        axes.plot(row.gain.mean, row.height + 0.3, "D", color=colour, markersize=5, markeredgecolor="white")
    axes.set_xlim(-1, 1)
    axes.set_xticks(TICKS, [f"{tick:g}" for tick in TICKS], fontsize=7)
    axes.minorticks_off()
