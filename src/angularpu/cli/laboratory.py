"""The commands bench, data and embed of the laboratory, or a sentence on how to install its extra."""

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
NEEDED = ("angularpu_bench", "matplotlib")  # what the extra brings
ANYTHING = {"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []}


def add_laboratory(app: typer.Typer) -> None:
    """Add the laboratory's commands; the library knows it by name alone and imports it nowhere else."""
    if all(find_spec(name) for name in NEEDED):
        importlib.import_module("angularpu_bench.cli.commands").add_commands(app)
        return
    for name, summary in COMMANDS.items():
        app.command(name, help=f"{summary} Needs the extra bench.", context_settings=ANYTHING)(_refuse(name))


def _refuse(name: str) -> Callable[[], None]:
    def refuse() -> None:
        raise SettingError(
            f"angularpu {name} belongs to the experiments, which are not installed here; "
            "install them: pip install 'angularpu[bench]'"
        )

    return refuse
