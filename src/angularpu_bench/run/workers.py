"""Processes that run cells side by side, each on one thread; one that dies takes only its own cell with it."""

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any

from angularpu_bench.run.cell_result import CellResult
from angularpu_bench.run.rows import Places
from angularpu_bench.spec.grid import Cell

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


@dataclass
class _Worker:
    process: Any
    connection: Connection
    cell: Cell | None = None


def run_cells(cells: Sequence[Cell], *, places: Places, jobs: int) -> Iterator[CellResult]:
    """Run cells in ``jobs`` processes and yield how each ended, as they end.

    Processes are started afresh (spawn), compute on one thread each, and end when this one does, even if it is killed.
    """
    waiting = list(reversed(cells))
    context = multiprocessing.get_context("spawn")
    workers: list[_Worker] = []
    try:
        with _one_thread():
            while waiting or any(worker.cell for worker in workers):
                while len(workers) < jobs and sum(worker.cell is None for worker in workers) < len(waiting):
                    workers.append(_start_worker(context, places))
                for worker in workers:
                    if worker.cell is None and waiting:
                        worker.cell = waiting.pop()
                        with contextlib.suppress(BrokenPipeError):  # it has died, which the wait below will notice
                            worker.connection.send(worker.cell)
                for ready in wait([worker.connection for worker in workers if worker.cell]):
                    worker = next(one for one in workers if one.connection is ready)
                    yield _receive(worker, workers)
    finally:
        for worker in workers:
            worker.process.terminate()
            worker.process.join()


def _start_worker(context: Any, places: Places) -> _Worker:
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs, places), daemon=True)
    process.start()
    theirs.close()  # the worker's end must be its own alone: it closes when the worker dies
    return _Worker(process, ours)


def _receive(worker: _Worker, workers: list[_Worker]) -> CellResult:
    cell, worker.cell = worker.cell, None
    assert cell is not None
    try:
        result: CellResult = worker.connection.recv()
    except (EOFError, ConnectionResetError):
        worker.process.join()
        workers.remove(worker)
        code = worker.process.exitcode
        how = f"signal {-code}, perhaps for lack of memory" if code < 0 else f"exit code {code}"
        return CellResult(cell, {}, f"its process ended with {how}")
    return result


def _serve(connection: Connection, places: Places) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to answer
    threading.Thread(target=_die_with_parent, daemon=True).start()
    from angularpu_bench.run.attempt import try_cell
    from angularpu_bench.run.execution import warm_up

    warm_up()
    while True:
        connection.send(try_cell(connection.recv(), places))


def _die_with_parent() -> None:
    """End this process when its parent has: two processes at work on one cell would be one too many."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


@contextlib.contextmanager
def _one_thread() -> Iterator[None]:
    """Let processes started in this block compute on one thread each."""
    before = {name: os.environ.get(name) for name in THREADS}
    os.environ.update(dict.fromkeys(THREADS, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
