import multiprocessing
import os

from angularpu_bench.run.workers import _one_thread, _receive, _Worker


def test_a_process_that_dies_takes_only_its_own_cell_with_it(cell):
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=os._exit, args=(3,))
    process.start()
    theirs.close()
    worker = _Worker(process, ours, cell)
    workers = [worker]
    result = _receive(worker, workers)
    assert result.cell is cell
    assert result.reason == "its process ended with exit code 3"
    assert workers == []


def test_processes_compute_on_one_thread_and_the_environment_is_put_back(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    monkeypatch.delenv("MKL_NUM_THREADS", raising=False)
    with _one_thread():
        assert os.environ["OMP_NUM_THREADS"] == os.environ["MKL_NUM_THREADS"] == "1"
    assert os.environ["OMP_NUM_THREADS"] == "7"
    assert "MKL_NUM_THREADS" not in os.environ
