"""A command that torchrun started several times: one process speaks for all, and fails for all."""

import contextlib
import io
import os
import signal
from collections.abc import Iterator
from types import FrameType
from typing import TYPE_CHECKING

from angularpu.errors import AngularPUError, RankError
from angularpu.progress import fail

if TYPE_CHECKING:
    from angularpu.train.ranks.group import Ranks


def is_launched() -> bool:
    """Tell whether torchrun started this process as one of several."""
    return "TORCHELASTIC_RUN_ID" in os.environ and int(os.environ.get("WORLD_SIZE", "1")) > 1


def follows() -> bool:
    """Tell whether this process is one of several and not the first, which speaks for all."""
    return is_launched() and os.environ.get("RANK") != "0"


@contextlib.contextmanager
def launched() -> Iterator[None]:
    """Join the other ranks for the length of a block, if torchrun started any; all but rank 0 are silent."""
    if not is_launched():
        yield
        return
    from angularpu.train.ranks.group import join_ranks

    with _speaking_up(), join_ranks() as ranks, _stopping(ranks.number), contextlib.ExitStack() as silence:
        if not ranks.leads:
            silence.enter_context(contextlib.redirect_stdout(io.StringIO()))
            silence.enter_context(contextlib.redirect_stderr(io.StringIO()))
        try:
            yield
        except RankError:
            raise
        except (AngularPUError, OSError) as error:
            _pass_on(error, ranks)
            raise


@contextlib.contextmanager
def _speaking_up() -> Iterator[None]:
    """Let a silent rank say what rank 0 may not know: that it lost the others, or cannot read or write a file."""
    try:
        yield
    except (RankError, OSError) as error:
        if follows():
            fail(str(error))
        raise


def _pass_on(error: Exception, ranks: "Ranks") -> None:
    """Tell the ranks that wait for this one why it does not come."""
    from angularpu.train.ranks.agreement import report_failure

    if not ranks.agreed:
        report_failure(ranks, str(error))
    elif ranks.leads and not ranks.started:
        ranks.start(training=False)


@contextlib.contextmanager
def _stopping(number: int) -> Iterator[None]:
    """End in one sentence when torchrun stops this rank, as it does once another one has ended."""
    from angularpu.train.ranks.group import RESUME

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise RankError(f"rank {number} was stopped, for another rank has ended or torchrun was told to end; {RESUME}")

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
