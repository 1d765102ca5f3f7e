"""The commands bench, data and embed of the laboratory; without its extra, they say how to install it."""

import importlib
from collections.abc import Callable
from importlib.util import find_spec

import typer

from angularpu.errors import SettingError

COMMANDS = {
    "bench": "Run experiments and write their report.",
    "data": "List, check and fetch the benchmark data sets.",
    "embed": "Turn images into features of a frozen network.",
}
NEEDED = ("angularpu_bench", "matplotlib")
ANYTHING = {"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []}


def add_laboratory(app: typer.Typer) -> None:
    """Add the laboratory's commands; nothing else in the library imports the laboratory."""
    missing = [name for name in NEEDED if not find_spec(name)]
    if not missing:
        importlib.import_module("angularpu_bench.cli.commands").add_commands(app)
        return
    for name, summary in COMMANDS.items():
        refuse = _make_refusal(name, missing=" and ".join(missing))
        app.command(name, help=f"(extra bench) {summary}", context_settings=ANYTHING)(refuse)


def _make_refusal(command: str, *, missing: str) -> Callable[[], None]:
    def refuse() -> None:
        raise SettingError(
            f"angularpu {command} belongs to the experiments and needs {missing}; "
            "install what is missing with pip install 'angularpu[bench]'"
        )

    return refuse
