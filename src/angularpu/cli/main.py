"""The command ``angularpu``: its commands, and how a failure is said."""

import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Annotated, Any

import typer

from angularpu import __version__
from angularpu.cli.audit import audit
from angularpu.cli.compare import compare
from angularpu.cli.explore import explore
from angularpu.cli.export import export
from angularpu.cli.fit import fit
from angularpu.cli.info import info
from angularpu.cli.laboratory import add_laboratory
from angularpu.cli.launch import follows, is_launched
from angularpu.cli.methods import methods
from angularpu.cli.next_rows import next_
from angularpu.cli.prior import prior
from angularpu.cli.score import score
from angularpu.cli.threshold import threshold
from angularpu.errors import AngularPUError, SettingError
from angularpu.progress import be_quiet, fail

MISTAKE = 2
INTERRUPTED = 130
RESUMING = {"fit", "embed", "bench", "data"}
UsageError: Any = typer.BadParameter.__base__  # typer exports only this child of it, from its own click or from another

EXAMPLES: dict[Callable[..., None], str] = {
    fit: "angularpu fit people.csv --label known --id key --out fraud.model",
    score: "angularpu score fraud.model new.csv --id key --out scores.csv",
    info: "angularpu info fraud.model",
    threshold: "angularpu threshold fraud.model --rule recall=0.95",
    next_: "angularpu next fraud.model data.csv --label known --out look.csv",
    audit: "angularpu audit fraud.model data.csv --label known --out audit.csv",
    prior: "angularpu prior people.csv --label known --id key",
    compare: "angularpu compare people.csv --label known --id key",
    explore: "angularpu explore fraud.model data.csv --label known -o page.html",
    export: "angularpu export fraud.model --onnx fraud.onnx",
    methods: "angularpu methods",
}

# Plain help and tracebacks: rich would double the time that --help takes.
app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False)
for command, example in EXAMPLES.items():
    app.command(command.__name__.rstrip("_"), epilog=f"Example: {example}")(command)  # next is a word of Python
add_laboratory(app)


def show_version(wanted: bool) -> None:
    """Print the version and end."""
    if wanted:
        print(__version__)
        raise typer.Exit


@app.callback()
def describe(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Find the positives among unlabelled rows, given some known positives and no negatives."""
    if is_launched() and context.invoked_subcommand != "fit":
        raise SettingError(
            f"torchrun trains, with angularpu fit; start angularpu {context.invoked_subcommand} without it"
        )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code.

    Parameters
    ----------
    arguments : sequence of str, optional
        What follows ``angularpu`` on the command line; by default what stands there.

    Returns
    -------
    int
        0 when all went well, 2 after a mistake that the user can correct, 130 after Ctrl-C. A fault of the program
        itself is raised.
    """
    try:
        return _run(list(sys.argv[1:] if arguments is None else arguments))
    finally:
        be_quiet(False)  # whatever comes after this command need not be


def _run(words: list[str]) -> int:
    try:
        code = make_command()(words, prog_name="angularpu", standalone_mode=False)
    except UsageError as error:
        reason = error.format_message().removesuffix(".")
        command = error.ctx.command_path if error.ctx else "angularpu"
        return _fail(reason if reason.endswith("?") else f"{reason}; see {command} --help")
    except AngularPUError as error:
        return _fail(str(error))
    except OSError as error:
        return _fail(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except (MemoryError, RuntimeError) as error:
        if isinstance(error, RuntimeError) and "can't allocate memory" not in str(error):  # as torch says it
            raise
        return _fail("there is not enough memory for this; take fewer rows or columns, or smaller options")
    except typer.Abort:
        code = INTERRUPTED
    if code == INTERRUPTED and not follows():
        fail(_describe_interruption(words), word="Interrupted")
    return int(code or 0)


@cache
def make_command() -> Any:
    """Return the command with all commands below it, to each of which --quiet is added."""
    command = typer.main.get_command(app)
    (quiet,) = typer.main.get_command(_quiet_alone).params
    for each in _walk(command):
        each.params.append(quiet)
    return command


_quiet_alone = typer.Typer(add_completion=False)


@_quiet_alone.command()
def _take_quiet(
    *,
    quiet: Annotated[
        bool,
        typer.Option(
            "--quiet", callback=be_quiet, expose_value=False, help="Print nothing on stderr but warnings and errors."
        ),
    ] = False,
) -> None:
    """Have the one option that all commands share."""


def _walk(command: Any) -> Iterator[Any]:
    """Yield the commands that do something: those without others below them."""
    below = getattr(command, "commands", None)
    if below is None:
        yield command
        return
    for each in below.values():
        yield from _walk(each)


def _describe_interruption(words: Sequence[str]) -> str:
    """Say what became of the work, and the command that takes it up again."""
    again = shlex.join(["angularpu", *(word for word in words if word != "--restart")])  # which would delete the work
    if RESUMING.intersection(words[:1]):
        return f"what was finished is kept, and this resumes from there: {again}"
    return f"nothing is half written, and this starts again: {again}"


def _fail(reason: str) -> int:
    if not follows():
        fail(str(AngularPUError(reason)).removesuffix("."))
    return MISTAKE
