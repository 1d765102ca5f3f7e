"""How long ``import angularpu`` and ``angularpu --help`` take: processor time of fresh processes.

    python benchmarks/start.py [--turns 10] [--quick] [--json]

Both are to stay under 0.3 s. What a bare interpreter takes is shown beside them, not taken off.
"""

import json
import statistics
import sys

from command_line import make_parser, parse, print_header, print_row
from scoring import run

COMMANDS = {
    "python -c pass": [sys.executable, "-c", "pass"],
    "import angularpu": [sys.executable, "-c", "import angularpu"],
    "angularpu --help": [sys.executable, "-m", "angularpu", "--help"],
}


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--turns", type=int)
    arguments = parse(parser, full={"turns": 10}, quick={"turns": 1})
    seconds: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for _ in range(arguments.turns):
        for name, command in COMMANDS.items():
            seconds[name].append(run(command).seconds)
    if arguments.json:
        print(json.dumps(seconds))
        return
    print_header("command", "seconds", "least", "most")
    for name, each in seconds.items():
        print_row(name, *(f"{value:.3f}" for value in (statistics.median(each), min(each), max(each))))


if __name__ == "__main__":
    main()
