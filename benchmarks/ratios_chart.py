"""Draw the ratios of benchmarks/results/speed.csv as bars, with their spread.

    python benchmarks/ratios_chart.py [--out docs/images/speed.svg] [--quick] [--json]

Left of 1: ours takes less than the rival. Ratios of speeds are drawn as ratios of time, so that all bars read alike.
--quick draws into memory and prints the table.
"""

import io
import json
from dataclasses import asdict
from pathlib import Path
from typing import IO

import matplotlib
from command_line import make_parser, parse
from turns import Ratio, read, show

OUT = Path(__file__).parents[1] / "docs" / "images" / "speed.svg"
SPEEDS = ("score", "scores in memory")
MET, MISSED, NO_BAR = "#4477aa", "#cc6677", "#999999"


def as_time(ratio: Ratio) -> tuple[float, float, float]:
    """Return a ratio of times: middle, low, high."""
    values = (ratio.ratio, ratio.tenth_below, ratio.tenth_above)
    return (1 / values[0], 1 / values[2], 1 / values[1]) if ratio.benchmark.startswith(SPEEDS) else values


def meets(ratio: Ratio) -> bool:
    """Tell whether a ratio is on the right side of its bar."""
    bound = float(ratio.bar.split()[-1])
    return ratio.ratio <= bound if ratio.bar.startswith("at most") else ratio.ratio >= bound


def draw(ratios: list[Ratio], out: Path | IO[bytes]) -> None:
    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    plt.rcParams["svg.hashsalt"] = "speed"  # the same file from the same numbers
    figure, axes = plt.subplots(figsize=(9, 0.32 * len(ratios) + 1.2), layout="constrained")
    for place, ratio in enumerate(reversed(ratios)):
        middle, low, high = as_time(ratio)
        colour = NO_BAR if not ratio.bar else MET if meets(ratio) else MISSED
        axes.barh(place, middle, color=colour, height=0.7)
        axes.plot([low, high], [place, place], color="black", linewidth=1)
        box = {"facecolor": "white", "edgecolor": "none", "pad": 0.5}  # the line at 1 ends at the number
        axes.text(max(high, middle) + 0.03, place, f"{middle:.2f}", va="center", fontsize=8, bbox=box)
    axes.set_yticks(range(len(ratios)), [f"{r.benchmark}: {r.ours} / {r.rival}" for r in reversed(ratios)], fontsize=8)
    axes.axvline(1, color="black", linewidth=0.8, zorder=1)
    axes.set_xlabel("time (or memory), ours / rival\nthin line: what one turn of ten lies below and above", fontsize=9)
    axes.set_title("blue: the bar is met; red: it is missed; grey: there is none", fontsize=9)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(out, format="svg", metadata={"Date": None})
    plt.close(figure)


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--out", type=Path)
    arguments = parse(parser, full={"out": OUT}, quick={"out": None})
    ratios = read()
    draw(ratios, arguments.out or io.BytesIO())
    print(json.dumps([asdict(r) for r in ratios])) if arguments.json else show(ratios)


if __name__ == "__main__":
    main()
