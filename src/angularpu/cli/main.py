"""The command ``angularpu``: its commands, and how a failure is said."""

from collections.abc import Sequence
from typing import Annotated, Any

import typer

from angularpu import __version__
from angularpu.cli.audit import audit
from angularpu.cli.compare import compare
from angularpu.cli.explore import explore
from angularpu.cli.fit import fit
from angularpu.cli.info import info
from angularpu.cli.laboratory import add_laboratory
from angularpu.cli.methods import methods
from angularpu.cli.prior import prior
from angularpu.cli.score import score
from angularpu.cli.threshold import threshold
from angularpu.errors import AngularPUError
from angularpu.progress import tell

MISTAKE = 2
INTERRUPTED = 130
UsageError: Any = typer.BadParameter.__base__  # typer exports only this child of it, from its own click or from another

# Plain help and tracebacks: rich would double the time that --help takes.
app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
app.command()(fit)
app.command()(score)
app.command()(info)
app.command()(threshold)
app.command()(audit)
app.command()(explore)
app.command()(prior)
app.command()(compare)
app.command()(methods)
add_laboratory(app)


def show_version(wanted: bool) -> None:
    """Print the version and end."""
    if wanted:
        print(__version__)
        raise typer.Exit


@app.callback()
def describe(
    version: Annotated[
        bool, typer.Option("--version", callback=show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Find the positives among unlabelled rows, given some known positives and no negatives."""


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
        code = app(arguments, prog_name="angularpu", standalone_mode=False)
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
    if code == INTERRUPTED:
        tell("Interrupted: the same command resumes from the last checkpoint, if it keeps any.")
    return int(code or 0)


def _fail(reason: str) -> int:
    tell(f"Error: {AngularPUError(reason)}".removesuffix("."))
    return MISTAKE
