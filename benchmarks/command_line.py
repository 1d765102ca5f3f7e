"""What the scripts in this folder share: ``--quick``, ``--json`` and tables in Markdown."""

import argparse
import sys
from typing import Any


def make_parser(description: str | None) -> argparse.ArgumentParser:
    """Make a parser that shows a script's docstring as its help and knows ``--quick`` and ``--json``."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("--quick", action="store_true", help="run the same code on little data, in seconds")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    return parser


def parse(parser: argparse.ArgumentParser, *, full: dict[str, Any], quick: dict[str, Any]) -> argparse.Namespace:
    """Parse the command line.

    Parameters
    ----------
    parser : ArgumentParser
        With the script's own options, which have no defaults.
    full : dict
        The defaults of its options, and whatever else is smaller in the quick form.
    quick : dict
        What differs from ``full`` in the quick form. An option that is given on the command line wins over both.
    """
    parser.set_defaults(**full)
    if "--quick" in sys.argv[1:]:
        parser.set_defaults(**quick)
        print("--quick: little data, only to see that everything runs; do not quote these numbers", file=sys.stderr)
    return parser.parse_args()


def print_header(*columns: str) -> None:
    """Print the head of a Markdown table."""
    print_row(*columns)
    print("|" + "---|" * len(columns), flush=True)


def print_row(*entries: object) -> None:
    """Print a row of a Markdown table."""
    print("|", " | ".join(map(str, entries)), "|", flush=True)
