"""The critical-difference diagram: average ranks, and which methods do not differ significantly."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes

from angularpu.figures.style import THRESHOLD, UNLABELLED
from angularpu_bench.report.ranking import Ranking, find_cliques


def draw_ranks(axes: Axes, ranking: Ranking, *, names: Sequence[str], colours: Sequence[str]) -> None:
    """Draw average ranks on a line, the best on the left, with a bar below methods that do not differ significantly.

    Parameters
    ----------
    axes : matplotlib Axes
    ranking : Ranking
    names, colours : sequences of str
        In the order of ``ranking.ranks``.
    """
    order = np.argsort(ranking.ranks, kind="stable")
    half = (len(order) + 1) // 2
    low, high = 1.0, float(len(order))
    cliques = find_cliques(ranking.ranks, ranking.critical_difference)
    depth = -0.35 * len(cliques) - 0.4
    for position, method in enumerate(order):
        left = position < half
        step = position if left else len(order) - 1 - position
        rank, y, edge = float(ranking.ranks[method]), depth - 0.5 * step, low - 0.4 if left else high + 0.4
        axes.plot([rank, rank, edge], [0, y, y], color=UNLABELLED, linewidth=0.8)
        axes.plot(rank, 0, "o", color=colours[method], markersize=5, clip_on=False)
        text = f"{names[method]}  {rank:.2f}" if left else f"{rank:.2f}  {names[method]}"
        axes.text(edge + (-0.1 if left else 0.1), y, text, ha="right" if left else "left", va="center", fontsize=8)
    for level, clique in enumerate(cliques):
        ends = [float(ranking.ranks[clique[0]]) - 0.05, float(ranking.ranks[clique[-1]]) + 0.05]
        axes.plot(ends, [-0.25 - 0.35 * level] * 2, color=THRESHOLD, linewidth=3, solid_capstyle="butt")
    critical = [low, low + ranking.critical_difference]
    axes.plot(critical, [1.1, 1.1], "|-", color=THRESHOLD, linewidth=1.2)
    axes.text(sum(critical) / 2, 1.3, f"critical difference {ranking.critical_difference:.2f}", ha="center", fontsize=8)
    room = 0.22 * (high - low) + 1.2
    axes.set(xlim=(low - room, high + room), ylim=(depth - 0.5 * half, 1.9), yticks=[])
    axes.spines[["left", "bottom"]].set_visible(False)
    axes.plot([low, high], [0, 0], color=THRESHOLD, linewidth=1, zorder=0)
    axes.set_xticks([])
    for tick in range(1, len(order) + 1):
        axes.text(tick, 0.25, str(tick), ha="center", fontsize=7)
        axes.plot([tick, tick], [0, 0.12], color=THRESHOLD, linewidth=0.8)
