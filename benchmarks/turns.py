"""What the speed benchmarks share: contenders that take turns, ratios with their spread, and a file that keeps them."""

import argparse
import csv
import importlib.util
import json
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, astuple, dataclass, fields
from pathlib import Path
from typing import Any

from command_line import make_parser, print_header, print_row

RESULTS = Path(__file__).parent / "results" / "speed.csv"


@dataclass(frozen=True)
class Ratio:
    """A quantity of ours over a rival's, turn by turn: the median, and what one turn of ten lies below and above."""

    benchmark: str
    ours: str
    rival: str
    ratio: float
    tenth_below: float
    tenth_above: float
    turns: int
    bar: str = ""


def make_turns_parser(description: str | None) -> argparse.ArgumentParser:
    """Make a parser that also knows ``--rows``, ``--turns`` and ``--save``."""
    parser = make_parser(description)
    parser.add_argument("--rows", type=int)
    parser.add_argument("--turns", type=int)
    parser.add_argument("--save", action="store_true", help=f"write the ratios to benchmarks/results/{RESULTS.name}")
    return parser


def take_turns(ways: dict[str, Callable[[], object]], turns: int) -> dict[str, list[float]]:
    """Run each way once in every turn, each turn beginning with another one; return the processor time by way.

    Processor time of this process: other programs hardly lengthen it.
    """
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    names = list(ways)
    for turn in range(turns):
        first = turn % len(names)
        for name in names[first:] + names[:first]:
            started = time.process_time()
            ways[name]()
            seconds[name].append(time.process_time() - started)
    return seconds


def compare(
    benchmark: str,
    ours: tuple[str, list[float]],
    rival: tuple[str, list[float]],
    *,
    bar: str = "",
    inverse: bool = False,
) -> Ratio:
    """Return the ratio of ours to a rival's, or the rival's to ours where the quantity is a speed."""
    pairs = list(zip(ours[1], rival[1], strict=True))
    values = sorted(b / a if inverse else a / b for a, b in pairs)
    low, high = (values[0], values[-1]) if len(values) < 3 else _tenths(values)
    return Ratio(benchmark, ours[0], rival[0], statistics.median(values), low, high, len(values), bar)


def _tenths(values: list[float]) -> tuple[float, float]:
    cuts = statistics.quantiles(values, n=10, method="inclusive")
    return cuts[0], cuts[-1]


def find_rivals(*modules: str) -> list[str]:
    """Return the modules that are installed, and name those that are not."""
    found = [name for name in modules if importlib.util.find_spec(name)]
    absent = [name for name in modules if name not in found]
    if absent:
        print(f"not installed, skipped: {', '.join(absent)}; make bench installs them", file=sys.stderr)
    return found


def tell(arguments: argparse.Namespace, ratios: list[Ratio], measured: dict[str, Any], text: str) -> None:
    """Print the ratios with what else was measured, as JSON or as a table and a line of text; save them if asked to."""
    if arguments.json:
        print(json.dumps({"ratios": [asdict(r) for r in ratios], **measured}, indent=1))
    else:
        show(ratios)
        print(f"\n{text}")
    if arguments.save:
        save(ratios)


def show(ratios: list[Ratio]) -> None:
    """Print the ratios as a table in Markdown."""
    print_header("what", "ours", "rival", "ours / rival", "a tenth below, above", "turns", "bar")
    for r in ratios:
        spread = f"{r.tenth_below:.2f}, {r.tenth_above:.2f}"
        print_row(r.benchmark, r.ours, r.rival, f"{r.ratio:.2f}", spread, r.turns, r.bar)


def save(ratios: list[Ratio], path: Path = RESULTS) -> None:
    """Put ratios into the file, in place of those of the same benchmarks."""
    renewed = {r.benchmark for r in ratios}
    kept = [row for row in read(path) if row.benchmark not in renewed] if path.exists() else []
    rows = sorted([*kept, *ratios], key=lambda r: (r.benchmark, r.rival))
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([field.name for field in fields(Ratio)])
        for row in rows:
            writer.writerow([f"{value:.3f}" if isinstance(value, float) else value for value in astuple(row)])


def read(path: Path = RESULTS) -> list[Ratio]:
    """Return the ratios that the file has."""
    with path.open(newline="") as file:
        return [
            Ratio(
                **{
                    **row,
                    "turns": int(row["turns"]),
                    **{name: float(row[name]) for name in ("ratio", "tenth_below", "tenth_above")},
                }
            )
            for row in csv.DictReader(file)
        ]
