"""Files scored on this machine, one after another or several at a time."""

from collections.abc import Iterator, Sequence

from joblib import Parallel, delayed
from joblib.externals.loky.process_executor import TerminatedWorkerError

from angularpu.engines.partitions import Partition
from angularpu.engines.tasks import FileScorer
from angularpu.errors import EngineError


def run_here(score: FileScorer, todo: Sequence[Partition], *, jobs: int) -> Iterator[str]:
    """Score files in ``jobs`` processes and yield the name of each when it is done."""
    if jobs == 1 or len(todo) < 2:
        yield from map(score, todo)
        return
    spread = Parallel(n_jobs=min(jobs, len(todo)), return_as="generator_unordered")
    try:
        yield from spread(delayed(score)(partition) for partition in todo)
    except TerminatedWorkerError:
        raise EngineError(
            "a process that scored a file was killed, perhaps for lack of memory; what is done is kept: give the same "
            "command again, with fewer --jobs"
        ) from None
