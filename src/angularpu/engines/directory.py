"""Score a directory of Parquet files, file by file, by this process, by several, or by a Ray cluster."""

import contextlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from angularpu.checks import check_choice, check_whole
from angularpu.data.io.parquet_directory import list_files
from angularpu.engines.batch_scorer import BatchScorer
from angularpu.engines.partitions import Partition, list_partitions
from angularpu.engines.tasks import FileScorer, WhenFree
from angularpu.errors import DataError, SettingError
from angularpu.model.scored_pieces import refuse_reserved
from angularpu.progress import ReportProgress

Engine = Literal["local", "ray"]


@dataclass(frozen=True)
class ScoredDirectory:
    """What was scored.

    Attributes
    ----------
    files, rows : int
        In the directory.
    before : int
        How many of the files an earlier call had done.
    """

    files: int
    rows: int
    before: int


def score_directory(
    model: str | Path,
    data: str | Path,
    *,
    out: str | Path,
    ids: Sequence[str] = (),
    engine: Engine = "local",
    jobs: int = 1,
    overwrite: bool = False,
    trusted: bool = False,
    report: ReportProgress | None = None,
) -> ScoredDirectory:
    """Write score, probability and prediction of every row of a directory's files into files of the same names.

    Each file appears when it is complete. After a kill the same call scores the files that are not there yet.

    Parameters
    ----------
    model : str or Path
        A model directory.
    data : str or Path
        A directory of .parquet files with the same columns.
    out : str or Path
        A directory; made if absent.
    ids : sequence of str
        Columns that are written in front of the scores.
    engine : {"local", "ray"}
        Processes of this machine, or the Ray cluster that the variable RAY_ADDRESS names or that runs on this machine;
        there, model, data and out lie on a disk that all machines share, under one path.
    jobs : int
        Processes of this machine; with Ray, its machines decide.
    overwrite : bool
        Replace scores that were made by another model, with other ids, or of a file that has changed since.
    trusted : bool
        Read a classical model of an earlier version; see :func:`angularpu.load`.
    report : callable, optional
        Called after every file with (files done, files in all, text).

    Returns
    -------
    ScoredDirectory
    """
    check_choice("engine", engine, ("local", "ray"))
    check_whole("jobs", jobs, low=1)
    if engine == "ray" and jobs != 1:
        raise SettingError("jobs are processes of this machine; with engine='ray' its machines decide, so leave it out")
    data, out = Path(data), Path(out)
    kept = tuple(dict.fromkeys(ids))
    refuse_reserved(kept)
    scorer = BatchScorer(model, trusted=trusted)
    partitions = list_partitions(_check_directory(data), out=out, ids=kept, digest=scorer.digest)
    _check_out(out, data=data, partitions=partitions, overwrite=overwrite)
    todo = [each for each in partitions if not each.is_done()]
    _run(FileScorer(scorer, kept), todo, engine=engine, jobs=jobs, report=report)
    return ScoredDirectory(len(partitions), sum(each.rows for each in partitions), len(partitions) - len(todo))


def _run(
    score: FileScorer, todo: Sequence[Partition], *, engine: Engine, jobs: int, report: ReportProgress | None
) -> None:
    with contextlib.ExitStack() as stack:
        ended: Iterable[str]
        if engine == "ray":
            from angularpu.engines.ray_cluster import join_cluster
            from angularpu.engines.ray_tasks import run_on_ray

            ray = stack.enter_context(join_cluster())
            ended = run_on_ray(ray, WhenFree(score), todo, doing="score a file")
        else:
            from angularpu.engines.local_tasks import run_here

            ended = run_here(score, todo, jobs=jobs)
        for done, _ in enumerate(ended, start=1):
            if report:
                report(done, len(todo), "files scored")


def _check_directory(data: Path) -> Path:
    if not data.exists():
        raise DataError(f"{data} does not exist; check the path")
    if not data.is_dir():
        raise DataError(f"{data} is not a directory; pass one of .parquet files")
    return data


def _check_out(out: Path, *, data: Path, partitions: Sequence[Partition], overwrite: bool) -> None:
    """Refuse to mix the scores with the rows, with other files, or with scores of another kind."""
    if out.exists() and not out.is_dir():
        raise DataError(f"{out} is a file; the scores of a directory go into a directory")
    out.mkdir(parents=True, exist_ok=True)
    if out.samefile(data):
        raise DataError(f"{out} is the directory to be scored; write the scores into another one")
    expected = {each.out.name: each for each in partitions}
    for path in list_files(out):
        if path.name not in expected:
            raise DataError(f"{path} is there, but {data} has no such file; choose another directory, or remove it")
        if not overwrite and not expected[path.name].is_done():
            raise DataError(
                f"{path} is there, but was made by another model, with other ids or of another file; "
                "choose another directory, or allow overwriting (--force, overwrite=True)"
            )
